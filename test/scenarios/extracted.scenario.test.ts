import type { ClaimExtractor } from "@palimpsest/claims";
import { claimFinder } from "@palimpsest/claims";
import type { Window } from "@palimpsest/core";
import { contentDigest, openWindow } from "@palimpsest/core";
import { describe, expect, it } from "vitest";
import { HOST, HUMAN } from "../support/scenarios/given.ts";
import { memoryStore, stores } from "../support/scenarios/stores.ts";

/** Finds `key = value` in every line, without any limit. */
const greedy: ClaimExtractor = {
  name: "greedy",
  extract: ({ text }) => ({
    claims: text.split("\n").map((quote) => {
      const [key = "", value = ""] = quote.split(" = ");
      return { statement: quote, key, value, quote };
    }),
    conflicts: [],
    leftOut: { claims: 0, conflicts: 0 },
  }),
};

const said = async (window: Window) =>
  (await window.claims()).map(({ statement, standing }) => [statement, standing]);

describe.each(stores)("what an extractor finds, on $name", (store) => {
  it("revived by the next pass: not found again in old text", async () => {
    const { log } = await store.open();
    const window = await openWindow(log, "w", { finder: claimFinder({ extractor: greedy }) });
    const content = "retry_budget = 3";
    await window.admit({ origin: "tool", content });
    await window.retract("c1", "it was raised");
    const answer = await window.admit({ origin: "tool", content });
    expect(answer.events).toEqual(["SpanAdmitted"]);
    expect(await said(window)).toEqual([[content, "retracted"]]);
    await window.admit({ origin: "tool", content: "retry_budget = 7" });
    expect(await said(window)).toEqual([
      [content, "retracted"],
      ["retry_budget = 7", "verified"],
    ]);
  });

  it("a retraction is terminal: that of one of two values found closes their conflict", async () => {
    const { log } = await store.open();
    const window = await openWindow(log, "w", { finder: claimFinder() });
    await window.admit({ origin: "user", content: "retry_budget = 3" });
    await window.admit({ origin: "user", content: "retry_budget = 7" });
    const conflicts = async () =>
      (await window.claims()).map(({ value, conflicts }) => [value, conflicts]);
    expect(await conflicts()).toEqual([
      [3, ["c2"]],
      [7, ["c1"]],
    ]);
    await window.retract("c2", "it is 3 again");
    expect(await conflicts()).toEqual([
      [3, []],
      [7, []],
    ]);
  });

  it("a cropped quote: half a character is not quoted as words", async () => {
    const { log } = await store.open();
    const whole = "size = 😀";
    const claims = ["\ud83d", whole.slice(0, -1), whole].flatMap((half) => [
      { statement: half, quote: whole },
      { statement: `of ${half.length}`, quote: half },
      { statement: `is ${half.length}`, key: "size", value: half, quote: whole },
    ]);
    const leftOut = { claims: 0, conflicts: 0 };
    const extractor = { name: "halves", extract: () => ({ claims, conflicts: [], leftOut }) };
    const window = await openWindow(log, "w", { finder: claimFinder({ extractor }) });
    await window.admit({ origin: "user", content: whole });
    expect(await said(window)).toEqual([
      [whole, "verified"],
      [`of ${whole.length}`, "verified"],
      [`is ${whole.length}`, "verified"],
    ]);
  });

  it("a pruner cannot retract: what is found is not evidence by itself", async () => {
    const { log } = await store.open();
    const window = await openWindow(log, "w", { finder: claimFinder({ extractor: greedy }) });
    await window.admit({ spanId: "s1", origin: "user", content: "retry_budget = 3" });
    await window.evict(["s1"]);
    const [claim] = await window.claims();
    expect(claim).toMatchObject({ evidence: false, protected: false, standing: "verified" });
    expect((await window.show()).ledger.claims).toEqual([]);
  });
});

describe("a page of contradictions", () => {
  const lines = (from: number, count: number) =>
    Array.from({ length: count }, (_, i) => `budget = ${from + i}`).join("\n");
  const page = "https://example.org/page";

  /** Admits the page in so many parts. */
  async function withPage(extractor: ClaimExtractor | undefined, parts: number, each: number) {
    const { log } = await memoryStore.open();
    const principals = [HOST, HUMAN];
    const options = {
      principals,
      budgetTokens: 100_000,
      finder: claimFinder(extractor === undefined ? {} : { extractor }),
    };
    const window = await openWindow(log, "w", options);
    for (let part = 0; part < parts; part += 1) {
      const content = lines(part * each, each);
      const source = { uri: page, digest: contentDigest(page) };
      await window.admit({ spanId: `s${part}`, origin: "tool", content, source });
    }
    return window;
  }

  it.each<[string, ClaimExtractor | undefined, number, number]>([
    ["as the shipped extractor finds them", undefined, 1, 5_000],
    ["as an extractor without limits does", greedy, 1, 200],
    ["in several parts of one source", undefined, 10, 100],
    ["in many parts of one source", greedy, 100, 1],
  ])(
    "a flood of the ledger: 20 conflicts of one source at most, %s",
    async (_, extractor, ...size) => {
      const window = await withPage(extractor, ...size);
      const { ledger } = await window.show();
      const pairs = ledger.claims.reduce((sum, { contestedBy }) => sum + contestedBy.length, 0) / 2;
      expect(pairs).toBeLessThanOrEqual(20);
      expect(ledger.tokens).toBeLessThan(3_000);
      await window.propose({ proposalId: "q1", candidates: ["s0"] });
      expect(await window.settle("q1", { by: HUMAN })).toMatchObject({ settlement: "committed" });
    },
  );

  it("a flood of the ledger: the rest is counted, and what was retracted makes room", async () => {
    const window = await withPage(greedy, 10, 1);
    // 6 values contest each other 15 times; a seventh would make it 21.
    expect(await window.claims()).toHaveLength(6);
    expect(window.leftOut).toMatchObject({ claims: 4, conflicts: 4 * 6 });
    await window.retract("c1", "read again");
    const source = { uri: page, digest: contentDigest(page) };
    const again = { spanId: "again", origin: "tool", content: "budget = 3", source } as const;
    expect((await window.admit(again)).events).toEqual(["SpanAdmitted", "ClaimAsserted"]);
    await window.admit({ spanId: "more", origin: "tool", content: "budget = 99", source });
    expect(await window.claims()).toHaveLength(7);
    expect(window.leftOut).toMatchObject({ claims: 4, conflicts: 4 * 6 });
  });

  it("a flood of the ledger: a file read by calls is one source too", async () => {
    const { log } = await memoryStore.open();
    const window = await openWindow(log, "w", { budgetTokens: 100_000, finder: claimFinder() });
    for (let i = 0; i < 40; i += 1) {
      const content = { arguments: { file_path: "/srv/state.json" } };
      const call = { kind: "tool-call", call: `k${i}`, content, tool: { name: "Read" } } as const;
      const text = `{\n  "processed_items": ${i}\n}`;
      const result = { kind: "tool-result", call: `k${i}`, content: text } as const;
      const tool = { name: "Read", status: "ok" } as const;
      await window.batch([
        { command: "admitSpan", origin: "assistant", ...call },
        { command: "admitSpan", origin: "tool", ...result, tool },
      ]);
    }
    const claims = await window.claims();
    const pairs = claims.reduce((sum, { conflicts }) => sum + conflicts.length, 0) / 2;
    expect(pairs).toBe(15);
    expect(window.leftOut.conflicts).toBeGreaterThan(100);
  });
});
