import * as z from "zod/mini";
import { strictObject } from "../json/schema.ts";
import type { Compiled } from "./expression.ts";
import { celFacts, compileExpression, summary } from "./expression.ts";
import type { SpanFacts, WindowFacts } from "./facts.ts";

/** Longest policy document, in UTF-16 code units. */
export const MAX_DOCUMENT = 8192;
/** Longest name, in code points. */
const MAX_NAME = 120;
/** Most problems that are listed for one document. */
const MAX_PROBLEMS = 20;

/** What a policy says about one span; the lowest rank goes first. */
export type Judgement =
  | { readonly keep: true; readonly problem?: string }
  | { readonly keep: false; readonly rank: number };

/** A policy document that passed every check. */
export interface Policy {
  /** What people call it. */
  readonly name: string;
  /** The window is pruned until it holds at most this many tokens. */
  readonly targetTokens: number;
  /**
   * Judges spans of a window. Total: a span whose evaluation fails, or whose rank is not a finite
   * number, is kept, and the judgement says why.
   */
  readonly judge: (window: WindowFacts) => (span: SpanFacts) => Judgement;
}

/** A policy, or what is wrong with its document, one sentence each. */
export type ParsedPolicy =
  | { readonly ok: true; readonly policy: Policy }
  | { readonly ok: false; readonly problems: string[] };

/** Without `keep`, nothing is kept but what is pinned. */
const documentSchema = strictObject({
  name: z
    .string()
    .check(
      z.minLength(1),
      z.maxLength(MAX_NAME),
      z.regex(/^[^\p{C}\p{Zl}\p{Zp}]*$/u, "holds control or invisible characters"),
    ),
  targetTokens: z.int().check(z.nonnegative()),
  keep: z.optional(z.string()),
  rank: z.string(),
});

/** Reads and checks a policy document; a refusal lists all that is wrong, 20 problems at most. */
export function parsePolicy(text: string): ParsedPolicy {
  if (text.length > MAX_DOCUMENT) {
    return refuse([`the document is longer than ${MAX_DOCUMENT} characters`]);
  }
  const json = parseJson(text);
  if (json === undefined) return refuse(["the document is not JSON"]);
  const parsed = documentSchema.safeParse(json);
  if (!parsed.success) return refuse(parsed.error.issues.map(issueText));
  const repeated = repeatedFields(text);
  const { name, targetTokens, keep = "false", rank } = parsed.data;
  const keeps = compileExpression(keep, "bool");
  const ranks = compileExpression(rank, "number");
  if (keeps.ok && ranks.ok && repeated.length === 0) {
    const judge = judgeWith(keeps.evaluate, ranks.evaluate);
    return { ok: true, policy: { name, targetTokens, judge } };
  }
  return refuse([
    ...repeated.map((field) => `${field} is given twice`),
    ...problemOf("keep", keeps),
    ...problemOf("rank", ranks),
  ]);
}

function refuse(problems: string[]): ParsedPolicy {
  return { ok: false, problems: problems.slice(0, MAX_PROBLEMS) };
}

function problemOf(field: string, compiled: Compiled): string[] {
  return compiled.ok ? [] : [`${field}: ${compiled.problem}`];
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function issueText({ path, message }: z.core.$ZodIssue): string {
  return `${path.length === 0 ? "the document" : path.join(".")}: ${message.slice(0, 200)}`;
}

/** JSON.parse takes the last of two fields with one name, and a reader may take the first. */
function repeatedFields(text: string): string[] {
  const names = [...text.matchAll(/("(?:[^"\\]|\\.)*")\s*(:?)/g)]
    .filter(([, , colon]) => colon === ":")
    .map(([, name = '""']) => String(JSON.parse(name)));
  return [...new Set(names.filter((name, i) => names.indexOf(name) !== i))];
}

type Evaluate = Extract<Compiled, { ok: true }>["evaluate"];

function judgeWith(keeps: Evaluate, ranks: Evaluate): Policy["judge"] {
  return (window) => {
    const factsOf = celFacts(window);
    return (span) => {
      try {
        const facts = factsOf(span);
        const keep = keeps(facts);
        if (keep === true) return { keep };
        if (keep !== false) return { keep: true, problem: "keep: is neither true nor false" };
        const rank = Number(ranks(facts));
        if (Number.isFinite(rank)) return { keep, rank };
        return { keep: true, problem: `rank: is ${rank}, not a finite number` };
      } catch (error) {
        return { keep: true, problem: summary(error) };
      }
    };
  };
}
