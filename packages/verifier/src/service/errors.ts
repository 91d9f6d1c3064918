/**
 * The verdicts of a store are signed by somebody that this verifier does not know, and none was
 * ever its own: it was started with the wrong key, and nothing was appended.
 */
export class UnknownSignerError extends Error {
  override readonly name = "UnknownSignerError";
  readonly code = "unknown-signer";
  readonly window: string;

  /** `key`: the one that the last verdict on the window names; any text. */
  constructor(window: string, key: string) {
    super(
      `the verdicts on ${window} are signed with ${JSON.stringify(key.slice(0, 200))}, which ` +
        "this verifier does not know, and it has kept no head of its own of this store",
    );
    this.window = window;
  }
}
