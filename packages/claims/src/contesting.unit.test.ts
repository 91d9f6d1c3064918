import { countSteps, startCounting } from "@palimpsest/core/testing";
import { beforeAll, describe, expect, it } from "vitest";
import { contesting } from "./contesting.ts";
import type { ExtractSpan } from "./extraction.ts";
import { NOTHING_EXTRACTED } from "./extraction.ts";
import { KnownClaims } from "./known-claims.ts";

const SIZE = 5_000_000;
const filled = (part: string) => part.repeat(Math.ceil(SIZE / part.length));

/** So many claims of each kind, on the same few words. */
function crowd(count: number): KnownClaims {
  return new KnownClaims(
    Array.from({ length: count }, (_, i) => [
      { id: `k${i}`, scope: "a.toml", key: `retry_budget_${i % 50}`, value: i, statement: "" },
      { id: `r${i}`, scope: "a.md", statement: `Every retry budget must be at most ${i} units.` },
      { id: `t${i}`, statement: `run went well: pytest test_${i % 50}.py: 3 passed` },
    ]).flat(),
  );
}

const texts: readonly [string, string][] = [
  ["one line", filled("a")],
  ["names", filled("retry_budget retryBudget retry budget\n")],
  ["names without an end", filled("retry_budget_1 ")],
  ["rules", filled("The retry budget is not 3 units any more, it was changed.\n")],
  ["numbers", filled("3 retry 4 budget 5 units 6\n")],
  ["questions", filled("retry budget? ")],
  ["tests", filled("test_1.py::test_2 failed\n")],
  ["JSON", `{"body": "${filled("retry budget is wrong\\n")}"}`],
  ["quotes", filled('"\\"')],
  ["backticks", filled("`")],
  ["dots", filled(".")],
  ["colons", filled("::")],
];

const readers: readonly Partial<ExtractSpan>[] = [
  { origin: "user", kind: "text" },
  { tool: "get_ticket" },
  { tool: "shell", command: "pytest" },
];

const contested = (known: KnownClaims, text: string, reader: Partial<ExtractSpan>) => {
  const span = { id: "s", origin: "tool", kind: "tool-result", text, ...reader } as const;
  return contesting(known, span, NOTHING_EXTRACTED);
};

describe.each(readers)("hostile text beside thousands of claims, read as %o", (reader) => {
  let [few, many] = [new KnownClaims([]), new KnownClaims([])];
  beforeAll(async () => {
    const stop = await startCounting();
    [few, many] = [crowd(1_250), crowd(5_000)];
    return stop;
  });

  it.each(texts)("%s: the steps follow the text, not the number of claims", async (_, text) => {
    const stepsFor = async (known: KnownClaims, size: number) =>
      (await countSteps(() => contested(known, text.slice(0, size), reader))).steps;
    const steps = await stepsFor(few, 500);
    expect(await stepsFor(many, 500)).toBeLessThan(1.5 * steps);
    expect(await stepsFor(few, 2_000)).toBeLessThan(5 * steps);
  });
});

describe("what is said later", () => {
  const known = new KnownClaims([
    { id: "c1", scope: "a.toml", key: "max_seats", value: 40, statement: "max_seats = 40" },
  ]);
  const said = (text: string, more: Partial<ExtractSpan> = {}) => {
    const span = { id: "s", origin: "user", kind: "text", text, ...more } as const;
    return contesting(known, span, NOTHING_EXTRACTED);
  };

  it("is a claim of its own that quotes the sentence, in conflict with what it is about", () => {
    expect(said("Hello. We run with maxSeats at 25 since May. Bye.")).toMatchObject({
      claims: [
        {
          statement: "said later: We run with maxSeats at 25 since May.",
          quote: "We run with maxSeats at 25 since May.",
        },
      ],
      withKnown: [{ claim: 0, known: "c1", note: "another value said later" }],
    });
  });

  it("counts from a ticket as well, in JSON or not, but not from the model, a file or a rule", () => {
    const ticket = { origin: "tool", kind: "tool-result", tool: "get_ticket" } as const;
    const body = JSON.stringify({ comments: [{ body: "max_seats is stale.\nAsk ops." }] });
    expect(said(body, ticket).withKnown).toHaveLength(1);
    const text = "max_seats is stale.";
    expect(said(text, { ...ticket, tool: "read", source: "b.ts" }).withKnown).toEqual([]);
    expect(said(text, { kind: "tool-call" }).withKnown).toEqual([]);
    expect(said(text, { origin: "system" }).withKnown).toEqual([]);
  });

  it("is not said twice, where a claim of the line has the key and another value already", () => {
    const span = { id: "s", origin: "user", kind: "text", text: "max_seats = 25" } as const;
    const line = { statement: "max_seats = 25", key: "max_seats", quote: "max_seats = 25" };
    const beside = (claim: object) => {
      const claims = [{ ...line, scope: "a.toml", value: 25, ...claim }];
      return contesting(known, span, { ...NOTHING_EXTRACTED, claims }).claims.slice(1);
    };
    expect(beside({})).toEqual([]);
    expect(beside({ key: "MAX_SEATS" })).toEqual([]);
    expect(beside({ key: "other" })).toHaveLength(1);
    expect(beside({ quote: "seats = 25" })).toHaveLength(1);
  });

  it("is the heaviest of several sentences on one thing", () => {
    const { claims } = said("max_seats is stale. Live, max_seats is 25.");
    expect(claims.map(({ quote }) => quote)).toEqual(["Live, max_seats is 25."]);
  });
});

describe.each(readers)("five megabytes beside fifteen thousand claims, read as %o", (reader) => {
  const many = crowd(5_000);

  it.each(texts)("%s: a bounded number is contested", (_, text) => {
    const { claims, withKnown } = contested(many, text, reader);
    expect(claims.length).toBeLessThanOrEqual(7);
    expect(withKnown.length).toBeLessThanOrEqual(13);
  });
});
