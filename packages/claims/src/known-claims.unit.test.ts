import { describe, expect, it } from "vitest";
import { extractClaims } from "./extract.ts";
import type { ExtractSpan } from "./extraction.ts";
import { beside, KnownClaims } from "./known-claims.ts";

/** Notes on which values are in tension across scopes after these spans, in this order. */
function tensions(...spans: readonly Partial<ExtractSpan>[]): string[] {
  const known = new KnownClaims();
  const values: unknown[] = [];
  const found: string[] = [];
  for (const [i, more] of spans.entries()) {
    const span = { id: `s${i}`, origin: "tool", kind: "tool-result", text: "", ...more } as const;
    const { claims, withKnown } = beside(known, extractClaims(span));
    for (const { claim, known: id } of withKnown) {
      const value = claims[claim]?.value ?? claims[claim]?.statement;
      found.push(`${value} / ${values[Number(id)]}`);
    }
    for (const claim of claims) {
      known.add({ ...claim, id: String(values.length) });
      values.push(claim.value ?? claim.statement);
    }
  }
  return found;
}

const config = { source: "config/app.toml", text: "[retry]\nretry_budget = 3\n" };
const override = {
  source: "deploy/overrides.toml",
  text: "[retry]\n# raised to 7 pending rollout, see ticket\n# retry_budget = 7\n",
};

describe("claims of different scopes", () => {
  it("are in tension where a hedge gives the same key another value, whichever came first", () => {
    expect(tensions(config, override)).toEqual(["7 / 3"]);
    expect(tensions(override, config)).toEqual(["3 / 7"]);
  });

  it("are in tension with the word of a person", () => {
    const user = { origin: "user", kind: "text", text: "The retry budget is 7." } as const;
    expect(tensions(config, user)).toEqual(["7 / 3"]);
  });

  it.each([
    "retryBudget was raised to 7",
    "`retry-budget` must be 7",
    "RETRY_BUDGET changed from 3 to 7",
  ])("are one thing however it is spelt: %s", (text) => {
    expect(tensions(config, { origin: "user", kind: "text", text })).toContain("7 / 3");
  });

  it("are in tension with a later rule in another document", () => {
    const doc = { source: "docs/limits.md", text: "The retry budget is 3 per parcel." };
    const rule = { source: "docs/policy.md", text: "From today, the retry budget is 7." };
    expect(tensions(doc, rule)).toEqual(["7 / 3"]);
  });

  it("are in tension with a remark that names the key", () => {
    const remark = "`retry_budget` in the config is no longer correct";
    expect(tensions(config, { origin: "user", kind: "text", text: remark })).toEqual([
      `${remark} / 3`,
    ]);
  });

  it("are not for equal keys alone", () => {
    expect(
      tensions(config, { ...config, source: "other/app.toml", text: "retry_budget = 9" }),
    ).toEqual([]);
  });

  it("are not for keys that say nothing by themselves", () => {
    const other = { source: "b.toml", text: "port = 2 # raised to 2, see ticket\n" };
    expect(tensions({ source: "a.toml", text: "port = 1\n" }, other)).toEqual([]);
  });
});

describe("a file that was edited after it was read", () => {
  const edited = { tool: "edit_file", text: "The file /repo/config/app.toml has been updated." };

  it("is in tension with what was read of it, by the end of its path", () => {
    expect(tensions(config, edited)).toEqual(["/repo/config/app.toml was edited / 3"]);
    expect(tensions({ ...config, source: "other/app.toml" }, edited)).toEqual([]);
    expect(tensions({ ...config, source: "my-config/app.toml" }, edited)).toEqual([]);
  });

  it("has at most five of them, however much was read", () => {
    const text = Array.from({ length: 30 }, (_, i) => `key_${i} = ${i}`).join("\n");
    expect(tensions({ ...config, text }, edited)).toHaveLength(5);
  });

  it("is not a claim when nothing is known of the file, and keeps the other indices right", () => {
    const span = { id: "s", origin: "tool", kind: "tool-result", ...edited } as const;
    expect(beside(new KnownClaims(), extractClaims(span)).claims).toEqual([]);
    const claims = [
      { statement: "x.toml was edited", scope: "x.toml", quote: "x" },
      { statement: "a", quote: "a" },
      { statement: "b", quote: "b" },
    ];
    const extraction = {
      claims,
      conflicts: [{ a: 1, b: 2, note: "n" }],
      leftOut: { claims: 0, conflicts: 0 },
    };
    expect(beside(new KnownClaims(), extraction)).toMatchObject({
      claims: claims.slice(1),
      conflicts: [{ a: 0, b: 1, note: "n" }],
    });
  });
});

it("a flood of claims on one key is bounded", () => {
  const known = new KnownClaims(
    Array.from({ length: 500 }, (_, i) => ({
      id: `c${i}`,
      scope: `f${i}`,
      key: "retry_budget",
      value: i,
      statement: `retry_budget = ${i}`,
    })),
  );
  const claim = { statement: "x", scope: "user", key: "retry_budget", value: -1, quote: "x" };
  expect(known.conflictsWith([claim])).toHaveLength(20);
});
