import type { Json } from "@palimpsest/core";
import type { SignerKey, Verdict } from "@palimpsest/verifier";
import { canonicalJson, formatCheckpoint, formatVerifierKey, signNote } from "@palimpsest/verifier";
import { sha256 } from "../sha256.ts";

/** A verdict that says these things, signed as docs/verification.md says. */
export function signedVerdict(said: Omit<Verdict, "note" | "key">, key: SignerKey): Verdict {
  const verdict = { ...said, key: formatVerifierKey(key) };
  const text = formatCheckpoint({
    origin: `palimpsest/window/${verdict.window}`,
    size: BigInt(verdict.size),
    root: Buffer.from(verdict.root, "hex"),
    extensions: [`verdict ${sha256(canonicalJson(verdict as Json))}`],
  });
  return { ...verdict, note: signNote(text, [key]) };
}
