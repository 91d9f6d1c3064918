import type { Json } from "@palimpsest/core/events";
import { sha256Hex } from "#platform";
import { fromHex, toHex } from "../json/bytes.ts";
import { canonicalJson } from "../json/canonical.ts";
import { formatCheckpoint, parseCheckpoint } from "../notes/checkpoint.ts";
import type { SignerKey, VerifierKey } from "../notes/key.ts";
import { formatVerifierKey } from "../notes/key.ts";
import type { NoteProblem } from "../notes/note.ts";
import { openNote, signNote } from "../notes/note.ts";
import type { Verdict } from "./schema.ts";

/*
 * The note of a verdict is the head of the window's tree, with one extension line that binds the
 * rest: `verdict` and the SHA-256 of the verdict without its note in RFC 8785 form.
 */

export type UnsignedVerdict = Omit<Verdict, "note" | "key">;

/** Names the log of a window in the first line of a note. */
export function originOf(window: string): string {
  return `palimpsest/window/${window}`;
}

/**
 * Signs a verdict. After a rotation the keys before this one sign as well, so that whoever trusts
 * one of them learns of the new one.
 */
export function signVerdict(
  unsigned: UnsignedVerdict,
  key: SignerKey,
  vouchers: readonly SignerKey[] = [],
): Verdict {
  const verdict = { ...unsigned, key: formatVerifierKey(key) };
  return { ...verdict, note: signNote(noteText(verdict), [key, ...vouchers]) };
}

/**
 * Undefined when the key signed the note, one of the vouchers did, if there are any, and the note
 * is about this verdict; else what is wrong.
 */
export function verdictProblem(
  { note, ...verdict }: Verdict,
  key: VerifierKey,
  vouchers: readonly VerifierKey[],
): NoteProblem | "not-about-this" | undefined {
  const opened = openNote(note, [key, ...vouchers]);
  if (!opened.ok) return opened.problem;
  if (opened.text !== noteText(verdict)) return "not-about-this";
  const isVouched = vouchers.length === 0 || vouchers.some((one) => opened.by.includes(one));
  return isVouched && opened.by.includes(key) ? undefined : "unknown-signer";
}

/** What the verdict after this one names as `previous`. */
export function noteDigest({ note }: Pick<Verdict, "note">): string {
  return sha256Hex(note);
}

/** Size and root of a note that known keys signed. */
export function openHead(
  note: string,
  keys: readonly VerifierKey[],
): { readonly size: number; readonly root: string } | undefined {
  const opened = openNote(note, keys);
  const head = opened.ok ? parseCheckpoint(opened.text) : undefined;
  return head === undefined ? undefined : { size: Number(head.size), root: toHex(head.root) };
}

function noteText(verdict: Omit<Verdict, "note">): string {
  const digest = sha256Hex(canonicalJson(verdict as Json));
  return formatCheckpoint({
    origin: originOf(verdict.window),
    size: BigInt(verdict.size),
    root: fromHex(verdict.root),
    extensions: [`verdict ${digest}`],
  });
}
