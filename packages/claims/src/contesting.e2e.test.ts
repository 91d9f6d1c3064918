import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { contesting } from "./contesting.ts";
import { extractClaims } from "./extract.ts";
import type { ExtractSpan } from "./extraction.ts";
import { KnownClaims } from "./known-claims.ts";

/*
 * What people say of settings, runs and rules, in several voices: fixtures/extraction. Sentences in
 * `tune` were used to choose patterns; those in `score` are only counted.
 */

const FOLDER = join(import.meta.dirname, "../../../fixtures/extraction");

type First = { source?: string; command?: string | null; text: string };
/** The first side's name, the voice (or the later command), and the words. */
type Case = readonly [string, string | null, string];

interface Cases {
  readonly firsts: Readonly<Record<string, First>>;
  readonly tune: readonly Case[];
  readonly score: readonly Case[];
  readonly harmless: readonly Case[];
}

const read = (name: string) => JSON.parse(readFileSync(join(FOLDER, name), "utf8")) as Cases;

/** Voices that are a tool's output rather than a person's message. */
const TOOL = new Set(["ticket", "log", "listing", "code", "diff"]);

function isContested(first: ExtractSpan, later: ExtractSpan): boolean {
  const known = new KnownClaims();
  const values = new Map<string, unknown>();
  for (const [i, claim] of extractClaims(first).claims.entries()) {
    known.add({ ...claim, id: `c${i}` });
    if (claim.key !== undefined) values.set(`${claim.scope} ${claim.key}`, claim.value);
  }
  const { claims, withKnown } = contesting(known, later, extractClaims(later));
  const equal = claims.some(({ scope, key, value }) => {
    const before = values.get(`${scope} ${key}`);
    return key !== undefined && before !== undefined && before !== value;
  });
  return equal || withKnown.length > 0;
}

function spans(
  kind: "said" | "run",
  first: First,
  [, how, text]: Case,
): [ExtractSpan, ExtractSpan] {
  const tool = { origin: "tool", kind: "tool-result", tool: "shell" } as const;
  const command = first.command === null ? {} : { command: first.command ?? `cat ${first.source}` };
  const source = first.source === undefined ? {} : { source: first.source };
  const one = { ...tool, id: "s1", text: first.text, ...command, ...source };
  if (kind === "run")
    return [one, { ...tool, id: "s2", text, ...(how !== null && { command: how }) }];
  const later = TOOL.has(how ?? "") ? tool : ({ origin: "user", kind: "text" } as const);
  return [one, { ...later, id: "s2", text }];
}

function found(kind: "said" | "run", { firsts }: Cases, cases: readonly Case[]) {
  return cases.filter((one) => {
    const first = firsts[one[0]];
    if (first === undefined) throw new Error(`no first side ${one[0]}`);
    return isContested(...spans(kind, first, one));
  });
}

/** Least share of what is in tension that is found, and most of the harmless that is. */
const BOUNDS = [
  { file: "settings.json", kind: "said", tune: 0.9, score: 0.85, harmless: 0.04 },
  { file: "runs.json", kind: "run", tune: 0.9, score: 0.85, harmless: 0.04 },
  { file: "rules.json", kind: "said", tune: 0.75, score: 0.65, harmless: 0.09 },
] as const;

describe.each(BOUNDS)("$file", ({ file, kind, ...bounds }) => {
  const cases = read(file);

  it.each(["tune", "score"] as const)("finds what is in tension: %s", (part) => {
    const hits = new Set(found(kind, cases, cases[part]));
    const missed = cases[part]
      .filter((one) => !hits.has(one))
      .map(([, how, text]) => `${how}: ${text}`);
    expect(missed.length / cases[part].length, missed.join("\n")).toBeLessThanOrEqual(
      1 - bounds[part],
    );
  });

  it("leaves alone what is not", () => {
    const wrong = found(kind, cases, cases.harmless).map(([, how, text]) => `${how}: ${text}`);
    expect(wrong.length / cases.harmless.length, wrong.join("\n")).toBeLessThanOrEqual(
      bounds.harmless,
    );
  });
});
