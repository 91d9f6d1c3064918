import { canonicalJson } from "../json/canonical.ts";
import type { Json } from "../json/json.ts";

/** The fields that make two assertions the same claim. */
export interface ClaimIdentity {
  readonly kind: string;
  readonly scope?: string | undefined;
  readonly key?: string | undefined;
  readonly value?: Json | undefined;
  readonly statement: string;
  readonly supersedes?: string | undefined;
}

/** Most keys look so, and the whole folding would do no more for them. */
const PLAIN = /^[ -~]*$/;

/**
 * Scope and key as they are compared: spelling games do not make another key. Full case folding
 * (Unicode 3.13, D145 with compatibility) without its table: to upper case, where "ß" is "SS", and
 * back; docs/decisions/claims.md says where the two differ.
 */
export function folded(text = ""): string {
  if (PLAIN.test(text)) return text.toLowerCase().trim();
  const lower = text.normalize("NFKD").toLowerCase();
  // A dotless i is a letter of its own, but shares its upper case with another one.
  const upper = lower.replace(/[^ı]+/g, (part) => part.toUpperCase());
  return upper.toLowerCase().replaceAll("ς", "σ").normalize("NFKC").trim();
}

/** One string for each claim there can be: the same for every way of saying it again. */
export function identityOf(claim: ClaimIdentity): string {
  const { kind, scope, key, value, statement, supersedes } = claim;
  const what = key === undefined ? [statement] : [folded(key), canonicalJson(value ?? null)];
  return canonicalJson([kind, folded(scope), key !== undefined, ...what, supersedes ?? null]);
}

/** Claims with the same subject and another value are in conflict; undefined without a key. */
export function subjectOf({
  scope,
  key,
}: Pick<ClaimIdentity, "scope" | "key">): string | undefined {
  return key === undefined ? undefined : canonicalJson([folded(scope), folded(key)]);
}
