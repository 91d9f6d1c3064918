import { concat, fromBase64, toBase64, toHex, utf8 } from "../json/bytes.ts";
import { sign, verifySignature } from "./ed25519.ts";
import type { SignerKey, VerifierKey } from "./key.ts";
import { isKeyName, keyIdBytes } from "./key.ts";

/*
 * C2SP signed-note: text that ends in a line feed, an empty line, and lines
 * `— name base64(key id ‖ signature)`. The signature is over the text with its last line feed.
 */

export interface NoteSignature {
  readonly name: string;
  /** 8 hex digits. */
  readonly id: string;
  readonly signature: Uint8Array;
}

export interface Note {
  readonly text: string;
  readonly signatures: readonly NoteSignature[];
}

/** A note that known keys signed, or why it is not one. */
export type OpenedNote =
  /** `by`: the known keys that signed it, at least one. */
  | { readonly ok: true; readonly text: string; readonly by: readonly VerifierKey[] }
  | { readonly ok: false; readonly problem: NoteProblem };

/** Why a note is rejected. */
export type NoteProblem =
  /** It is not a signed note. */
  | "malformed"
  /** A known key's signature does not verify: the note is rejected whatever else it holds. */
  | "bad-signature"
  /** No known key signed it. */
  | "unknown-signer";

const SIGNATURE_LINE = /^— (\P{White_Space}+) ([A-Za-z0-9+/=]+)$/u;

/** A note with more signatures than this is malformed, for each costs a verification. */
const MAX_SIGNATURES = 100;

/** The text as a note that all signers signed. Throws a TypeError for text that is not lines. */
export function signNote(text: string, signers: readonly SignerKey[]): string {
  if (!isNoteText(text))
    throw new TypeError("the text of a note must be lines that end in line feeds");
  const lines = signers.map((key) => {
    const signature = sign(utf8(text), key.secretKey);
    return `— ${key.name} ${toBase64(concat(keyIdBytes(key), signature))}\n`;
  });
  return `${text}\n${lines.join("")}`;
}

/** Undefined for text that is not a signed note. Verifies no signature. */
export function parseNote(note: string): Note | undefined {
  const split = note.lastIndexOf("\n\n");
  if (split < 0 || !note.endsWith("\n")) return undefined;
  const text = note.slice(0, split + 1);
  const lines = note.slice(split + 2, -1).split("\n");
  if (!isNoteText(text) || lines.length > MAX_SIGNATURES) return undefined;
  const signatures: NoteSignature[] = [];
  for (const line of lines) {
    const match = SIGNATURE_LINE.exec(line);
    const bytes = match === null ? undefined : fromBase64(match[2] ?? "");
    if (match === null || bytes === undefined || bytes.length < 5) return undefined;
    const name = match[1] ?? "";
    if (!isKeyName(name)) return undefined;
    signatures.push({ name, id: toHex(bytes.slice(0, 4)), signature: bytes.slice(4) });
  }
  return { text, signatures };
}

/**
 * Opens a note with the keys that one trusts. Signatures of unknown keys are ignored; a bad
 * signature of a known key rejects the note, and so does the lack of any known signature.
 */
export function openNote(note: string, known: readonly VerifierKey[]): OpenedNote {
  const parsed = parseNote(note);
  if (parsed === undefined) return { ok: false, problem: "malformed" };
  const message = utf8(parsed.text);
  const by: VerifierKey[] = [];
  for (const { name, id, signature } of parsed.signatures) {
    const key = known.find((one) => one.name === name && one.id === id);
    if (key === undefined || by.includes(key)) continue;
    if (!verifySignature(signature, message, key.publicKey)) {
      return { ok: false, problem: "bad-signature" };
    }
    by.push(key);
  }
  return by.length === 0
    ? { ok: false, problem: "unknown-signer" }
    : { ok: true, text: parsed.text, by };
}

/** Well-formed lines without control characters, the last one ended. */
function isNoteText(text: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are the point.
  return text.endsWith("\n") && text.isWellFormed() && !/[\u0000-\u0009\u000b-\u001f]/.test(text);
}
