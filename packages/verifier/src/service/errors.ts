/**
 * This verifier knows none of the signers of the verdicts in a store and never signed one itself:
 * it was started with the wrong key. Nothing was appended.
 */
export class UnknownSignerError extends Error {
  override readonly name = "UnknownSignerError";
  readonly code = "unknown-signer";
  readonly window: string;

  /** `key`: the key that the last verdict on the window names; it may be any text. */
  constructor(window: string, key: string) {
    super(
      `the verdicts on ${window} are signed with ${JSON.stringify(key.slice(0, 200))}, which ` +
        "this verifier does not know, and it has kept no head of its own of this store",
    );
    this.window = window;
  }
}
