import { sha256Hex } from "#platform";
import type { SpanFacts, WindowFacts } from "./facts.ts";
import { frozenFacts } from "./facts.ts";

/**
 * A host's own function in place of a policy document. Nobody can check it as a document is
 * checked, so it is named and digested as such, and edits that rest on it are `provisional`.
 */
export interface PolicyFunction {
  /** What people call it. */
  readonly name: string;
  /** SHA-256 that stands for this function in the stream, 64 lowercase hex digits. */
  readonly digest: string;
  /** Ids to prune; must depend on nothing but what it is given, which is frozen. */
  readonly select: (window: WindowFacts, spans: readonly SpanFacts[]) => readonly string[];
}

/**
 * Names and digests a function. The digest is taken of its name and source text, so it says
 * nothing about what the function reaches through its closure; pass one of your own if you can.
 */
export function policyFunction(
  name: string,
  select: PolicyFunction["select"],
  digest: string = sha256Hex(`${name}\n${select}`),
): PolicyFunction {
  return Object.freeze({ name, digest, select });
}

/** The ids that a function picked, or why there are none. */
export type FunctionSelection =
  | { readonly ok: true; readonly ids: readonly string[] }
  | { readonly ok: false; readonly problem: string };

/** Asks a function what to prune. Total: one that throws or answers nonsense selects nothing. */
export function selectWithFunction(
  policy: PolicyFunction,
  window: WindowFacts,
  spans: readonly SpanFacts[],
): FunctionSelection {
  const facts = frozenFacts(window, spans);
  try {
    const answer: unknown = policy.select(facts.window, facts.spans);
    if (!Array.isArray(answer)) return { ok: false, problem: "it did not return an array" };
    const ids = Array.from(answer as unknown[]);
    if (ids.every((id) => typeof id === "string")) return { ok: true, ids };
    return { ok: false, problem: "it returned something that is not a span id" };
  } catch (error) {
    const why = error instanceof Error ? error.message.slice(0, 200) : "no error object";
    return { ok: false, problem: `it threw: ${why}` };
  }
}
