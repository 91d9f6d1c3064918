import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { MAX_DOCUMENT, parsePolicy } from "./document.ts";
import type { SpanFacts } from "./facts.ts";

const window = { tokens: 1_000, budget: 0, epoch: 2 };
const facts: SpanFacts = {
  id: "s1",
  kind: "tool-result",
  origin: "tool",
  tokens: 120,
  age: 12,
  idle: 4,
  reads: 2,
  claims: 1,
  contested: false,
  pinned: false,
  edited: false,
  status: "error",
};

function judge(fields: { keep?: string; rank: string }, span: SpanFacts = facts) {
  const parsed = parsePolicy(JSON.stringify({ name: "p", targetTokens: 0, ...fields }));
  if (!parsed.ok) throw new Error(parsed.problems.join("; "));
  return parsed.policy.judge(window)(span);
}

describe("parsePolicy", () => {
  it("reads name and target", () => {
    const parsed = parsePolicy('{"name": "Größte zuerst", "targetTokens": 60000, "rank": "1"}');
    expect(parsed).toMatchObject({
      ok: true,
      policy: { name: "Größte zuerst", targetTokens: 60_000 },
    });
  });

  it("takes a document of the greatest length there may be", () => {
    const text = '{"name": "p", "targetTokens": 1, "rank": "1"}';
    expect(parsePolicy(text.padEnd(MAX_DOCUMENT)).ok).toBe(true);
  });

  it("keeps nothing when the document says nothing of keeping", () => {
    expect(judge({ rank: "1" })).toEqual({ keep: false, rank: 1 });
  });

  it.each([
    ["span.tokens", 120],
    ["-span.age", -12],
    ["span.reads * 100 - span.idle", 196],
    ["double(span.reads) / double(span.idle)", 0.5],
    ["span.tokens / 7", 17],
    ["0.5", 0.5],
    ["window.tokens % 7 + window.epoch + window.budget", 8],
    ['span.status == "error" ? 1 : 2', 1],
    ["size(span.id)", 2],
    ['span.kind in ["text", "tool-result"] ? int(2.9) : 0', 2],
  ])("ranks by %s", (rank, expected) => {
    expect(judge({ rank })).toEqual({ keep: false, rank: expected });
  });

  it.each([
    "span.contested || span.claims > 0",
    "!span.pinned && !span.edited",
    'span.origin == "tool" && span.kind.startsWith("tool-")',
    'span.id.endsWith("1") && span.id.contains("s")',
    "span.tokens > 99.5",
  ])("keeps by %s", (keep) => {
    expect(judge({ keep, rank: "1" })).toEqual({ keep: true });
  });

  it("sees no status where no tool said one", () => {
    const { status: _, ...silent } = facts;
    expect(judge({ keep: 'span.status == ""', rank: "1" }, silent)).toEqual({ keep: true });
  });

  it("reads the documents in docs/policies.md", () => {
    const guide = readFileSync(new URL("../../../../docs/policies.md", import.meta.url), "utf8");
    const documents = [...guide.matchAll(/^```json\n(.*?)^```$/gms)].map(([, text]) => text ?? "");
    expect(documents.length).toBeGreaterThan(0);
    for (const text of documents) expect(parsePolicy(text)).toMatchObject({ ok: true });
  });
});
