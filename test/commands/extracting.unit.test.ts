import { claimFinder } from "@palimpsest/claims";
import type { EventLog } from "@palimpsest/core";
import { contentDigest, createMemoryLog, openWindow, Window } from "@palimpsest/core";
import { describe, expect, it } from "vitest";

const CONFIG = {
  spanId: "config",
  origin: "tool",
  kind: "other",
  content: "[http]\nretry_budget = 3\n",
  source: { uri: "file:///config.toml", digest: "0".repeat(64) },
} as const;
const COMMENT = {
  spanId: "comment",
  origin: "user",
  content: "retry_budget was raised to 7, pending rollout, see ticket OPS-1",
} as const;

/** The window with the line of the config in it. */
async function givenConfig(): Promise<EventLog> {
  const log = createMemoryLog();
  await (await openWindow(log, "w", { finder: claimFinder() })).admit(CONFIG);
  return log;
}

const contested = async (window: Window) =>
  (await window.claims()).map(({ conflicts }) => conflicts.length);

describe("claims found in a span are set beside what the window says at that moment", () => {
  it("through a handle that has read nothing yet", async () => {
    const window = new Window(await givenConfig(), "w", { finder: claimFinder() });
    await window.admit(COMMENT);
    expect(await contested(window)).toEqual([1, 1]);
  });

  it("when another handle admitted the other side while the extractor worked", async () => {
    const log = createMemoryLog();
    const other = await openWindow(log, "w", { finder: claimFinder() });
    const extract = async () => {
      await other.admit(CONFIG);
      const statement = COMMENT.content;
      const claims = [{ statement, scope: "user", quote: statement }];
      return { claims, conflicts: [], leftOut: { claims: 0, conflicts: 0 } };
    };
    const slow = await openWindow(log, "w", {
      finder: claimFinder({ extractor: { name: "slow", extract } }),
    });
    await slow.admit(COMMENT);
    expect(await contested(slow)).toEqual([1, 1]);
  });

  it("when both sides come in one batch", async () => {
    const window = await openWindow(createMemoryLog(), "w", { finder: claimFinder() });
    await window.batch([CONFIG, COMMENT].map((span) => ({ command: "admitSpan", ...span })));
    expect(await contested(window)).toEqual([1, 1]);
  });
});

it("what was retracted does not stand in the way of what stands", async () => {
  const window = await openWindow(createMemoryLog(), "w", { finder: claimFinder() });
  const config = (i: number) => ({ ...CONFIG, spanId: `s${i}`, content: `retry_budget = ${i}\n` });
  const uri = (i: number) => ({ uri: `file:///${i}/a.toml`, digest: "0".repeat(64) });
  for (let i = 20; i < 80; i += 1) {
    const { claimId = "" } = await window.admit({ ...config(i), source: uri(i) });
    if (i < 79) await window.retract(claimId, "old");
  }
  await window.admit({
    origin: "user",
    content: "The retry budget is 999 now, the file is stale.",
  });
  const claims = await window.claims();
  const open = claims.filter(({ conflicts }) => conflicts.length > 0);
  expect(open.map(({ statement }) => statement)).toContain("retry_budget = 79");
});

describe("an extractor that costs something", () => {
  it("is not asked again for a command that has its answer", async () => {
    const asked: string[] = [];
    const extractor = {
      name: "counting",
      extract: ({ id }: { id: string }) => {
        asked.push(id);
        return { claims: [], conflicts: [], leftOut: { claims: 0, conflicts: 0 } };
      },
    };
    const window = await openWindow(createMemoryLog(), "w", { finder: claimFinder({ extractor }) });
    const first = await window.admit({ ...COMMENT, commandId: "once" });
    expect(await window.admit({ ...COMMENT, commandId: "once" })).toEqual(first);
    expect(asked).toEqual(["comment"]);
  });
});

describe("whatever an extractor of the host's own gives", () => {
  const quote = COMMENT.content;
  const none = { conflicts: [], leftOut: { claims: 0, conflicts: 0 } };
  const circular: Record<string, unknown> = {};
  circular.self = circular;

  it.each([
    ["nothing", undefined],
    ["no claims", { ...none, claims: null }],
    ["no conflicts", { claims: [{ statement: "so", quote }] }],
    ["a claim that is none", { ...none, claims: [null] }],
    ["a statement that is not text", { ...none, claims: [{ statement: 5, quote }] }],
    [
      "a key that is not text",
      { ...none, claims: [{ statement: "so", key: {}, value: 7, quote }] },
    ],
    ["no JSON", { ...none, claims: [{ statement: "so", key: "k", value: circular, quote }] }],
    ["a long statement", { ...none, claims: [{ statement: "x".repeat(2_001), quote }] }],
  ])("the span is admitted, without a claim: %s", async (_, given) => {
    const extractor = { name: "own", extract: () => given as never };
    const window = await openWindow(createMemoryLog(), "w", { finder: claimFinder({ extractor }) });
    expect(await window.admit(COMMENT)).toMatchObject({ events: ["SpanAdmitted"] });
    expect(await window.claims()).toEqual([]);
  });

  it("a conflict with what is not asserted is not one with another claim", async () => {
    const [edited, a, b] = ["f was edited", "one", "two"];
    const claims = [{ statement: edited, scope: "f" }, { statement: a }, { statement: b }];
    const given = {
      claims: claims.map((claim) => ({ ...claim, quote })),
      conflicts: [{ a: 0, b: 2, note: "edited" }],
      leftOut: none.leftOut,
    };
    const extractor = { name: "own", extract: () => given };
    const window = await openWindow(createMemoryLog(), "w", { finder: claimFinder({ extractor }) });
    await window.admit(COMMENT);
    expect(await contested(window)).toEqual([0, 0]);
  });
});

describe("many files that changed, in one batch", () => {
  it("are read from the store together", async () => {
    const log = createMemoryLog();
    const name = (i: number) => ({ spanId: `s${i}`, uri: `file:///${i}.md` });
    const sources = Array.from({ length: 64 }, (_, i) => name(i));
    const admissions = sources.map(({ spanId, uri }) => {
      const source = { uri, digest: contentDigest("before") };
      return {
        command: "admitSpan",
        spanId,
        origin: "tool",
        content: "Forty seats.",
        source,
      } as const;
    });
    await (await openWindow(log, "w", { finder: claimFinder() })).batch(admissions);
    let reads = 0;
    const counting: EventLog = new Proxy(log, {
      get: (target, field) => {
        if (field === "read") reads += 1;
        const value = Reflect.get(target, field);
        return typeof value === "function" ? value.bind(target) : value;
      },
    });
    const window = new Window(counting, "w", { finder: claimFinder() });
    await window.show();
    reads = 0;
    const digest = contentDigest("after");
    await window.batch(sources.map(({ uri }) => ({ command: "observeSource", uri, digest })));
    expect(await contested(window)).toEqual(Array(128).fill(1));
    expect(reads).toBeLessThan(10);
  });
});
