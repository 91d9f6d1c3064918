import { Window } from "@palimpsest/core";
import { describe, expect, it } from "vitest";
import type { Sent } from "../support/scenarios/commands.ts";
import {
  admit,
  batch,
  callSpan,
  evict,
  fact,
  propose,
  redo,
  resultSpan,
  retract,
  rewind,
  rewrite,
  settle,
  undo,
} from "../support/scenarios/commands.ts";
import type { Story } from "../support/scenarios/given.ts";
import { given, HUMAN, MODEL } from "../support/scenarios/given.ts";
import { memoryStore, stores } from "../support/scenarios/stores.ts";

const author: Sent = {
  command: "authorPolicy",
  policyId: "p1",
  document: { name: "oldest first", targetTokens: 0, rank: "-span.age" },
};
const givenPolicy = [
  author,
  admit("s1"),
  { command: "openEpoch" },
  admit("s2"),
  { command: "openEpoch", policyId: "p1", by: HUMAN },
];

/** Each command kind that writes, with what it needs before it. */
const kinds: readonly [string, readonly Sent[], Sent][] = [
  ["admitSpan", [], admit("s1", { provider: { a: [1] } })],
  ["admitSpan with a minted id", [], { command: "admitSpan", origin: "user", content: "x" }],
  ["markRead", [admit("s1")], { command: "markRead", spanIds: ["s1"] }],
  ["rewrite", [admit("s1")], rewrite("e1", ["s1"], "s2")],
  ["rewrite with minted ids", [admit("s1")], { command: "rewrite", consumes: ["s1"], content: 1 }],
  ["evict", [admit("s1")], evict("e1", ["s1"])],
  ["undo", [admit("s1"), evict("e1", ["s1"])], undo("e1")],
  ["redo", [admit("s1"), evict("e1", ["s1"]), undo("e1")], redo("e1")],
  ["rewind", [admit("s1")], rewind(0)],
  ["recall", [admit("s1"), evict("e1", ["s1"])], { command: "recall", spanId: "s1" }],
  ["render", [admit("s1")], { command: "render" }],
  [
    "cascade",
    [admit("s1"), rewrite("e1", ["s1"], "s2"), evict("e2", ["s2"])],
    undo("e1", { strategy: "cascade" }),
  ],
  [
    "merge",
    [admit("s1"), rewrite("e1", ["s1"], "s2"), rewrite("e2", ["s2"], "s3")],
    undo("e1", { strategy: "merge", content: "resolved" }),
  ],
  ["assertClaim", [admit("s1")], fact("c1", { carrier: "s1" })],
  ["assertClaim with a minted id", [], { command: "assertClaim", statement: "x" }],
  ["retractClaim", [fact("c1")], retract("c1")],
  ["noteConflict", [fact("c1"), fact("c2")], { command: "noteConflict", a: "c1", b: "c2" }],
  ["authorPolicy", [], author],
  ["openEpoch", [admit("s1")], { command: "openEpoch" }],
  ["proposePruning", [], propose("q1", ["nobody"])],
  ["proposePruning by the active policy", givenPolicy, { command: "proposePruning" }],
  ["a settlement", [admit("s1"), propose("q1", ["s1"])], settle("q1", { by: HUMAN })],
  ["an empty settlement", [propose("q1", [])], settle("q1", { by: HUMAN })],
  [
    "a settlement that a person declines",
    [admit("s1"), propose("q1", ["s1"])],
    settle("q1", { by: HUMAN, decision: "refuse" }),
  ],
  ["observeSource", [], { command: "observeSource", uri: "u", digest: null }],
  ["batch", [admit("s1")], batch([callSpan("c"), resultSpan("c"), evict("e1", ["s1"])])],
  [
    "batch in several names",
    [],
    batch([admit("s1", { by: HUMAN }), { command: "admitSpan", origin: "user", content: "x" }]),
  ],
  [
    "batch by the model, with items of the host",
    [],
    batch([admit("s1", { by: "host/h" })], { by: MODEL }),
  ],
];

/** Whatever came meanwhile: the same command would be refused, or do something else, by now. */
async function moveOn(w: Story): Promise<void> {
  await w.holds("later");
  await w.accepts(rewind(0));
  await w.holds("even.later");
}

describe.each(stores)("a command sent again on $name", (store) => {
  it.each(kinds)(
    "%s gets its first answer, and nothing more is written",
    async (_, before, kind) => {
      const w = await given(store);
      for (const command of before) await w.accepts(command);
      const command = { ...kind, commandId: "once" };
      const other = w.again();
      const first = JSON.stringify(await w.accepts(command));
      const head = await w.head();
      expect(JSON.stringify(await w.send(command))).toBe(first);
      expect(JSON.stringify(await other.send(command))).toBe(first);
      expect(await w.head()).toBe(head);
      await moveOn(w);
      expect(JSON.stringify(await w.send(command))).toBe(first);
      expect(JSON.stringify(await w.again().send(command))).toBe(first);
    },
  );

  it("openWindow gets its first answer, and another openWindow is told", async () => {
    const { log } = await store.open();
    const open = { command: "openWindow", commandId: "once", budgetTokens: 9 } as const;
    const first = await new Window(log, "w").execute(open);
    expect(first).toEqual({
      outcome: "accepted",
      revision: 0,
      events: ["WindowOpened"],
      ids: { commandId: "once", window: "w" },
      tokens: 0,
    });
    const window = new Window(log, "w");
    await window.execute(admit("s1"));
    expect(await window.execute(open)).toEqual(first);
    expect(await window.execute({ ...open, budgetTokens: 8 })).toMatchObject({
      refusals: [{ code: "command-id-reused" }],
    });
  });

  it.each(kinds)("%s with another digest is command-id-reused", async (_, before, kind) => {
    const w = await given(store);
    for (const command of before) await w.accepts(command);
    await w.accepts({ ...kind, commandId: "once" });
    await w.refuses({ ...kind, commandId: "once", via: "other" }, "command-id-reused");
    await w.again().refuses(admit("x", { commandId: "once" }), "command-id-reused");
  });
});

describe.each(stores)("a settlement refused by rule on $name", (store) => {
  const refused = settle("q1", { by: HUMAN, commandId: "once" });

  it("is logged, and sent again it gets its first answer and appends nothing", async () => {
    const w = await given(store);
    await w.holds("s1");
    await w.accepts(propose("q1", ["s1", "nobody"]));
    const first = await w.send(refused);
    expect(first).toEqual({
      outcome: "refused",
      revision: 3,
      events: ["PruningSettled"],
      ids: { commandId: "once", proposalId: "q1" },
      refusals: [
        {
          code: "recovery-region-addressed",
          message: expect.stringContaining('"nobody" is nothing that a pruner may know of'),
          candidate: "nobody",
          what: "nothing that a pruner may know of",
        },
      ],
    });
    for (const other of [w, w.again()]) expect(await other.send(refused)).toEqual(first);
    await moveOn(w);
    const head = await w.head();
    for (const other of [w, w.again()]) expect(await other.send(refused)).toEqual(first);
    expect(await w.head()).toBe(head);
  });

  it("has used its commandId: another command may not have it", async () => {
    const w = await given(store);
    await w.accepts(propose("q1", ["nobody"]));
    expect(await w.send(refused)).toMatchObject({ outcome: "refused", revision: 2 });
    await w.refuses({ ...refused, unattended: true }, "command-id-reused");
    await w.again().refuses(admit("s1", { commandId: "once" }), "command-id-reused");
  });

  it("is not logged in a batch, which is all or nothing; its commandId stays free", async () => {
    const w = await given(store);
    await w.accepts(propose("q1", ["nobody"]));
    const both = batch([admit("s1"), settle("q1", { by: HUMAN })], { commandId: "once" });
    await w.refuses(both, "recovery-region-addressed", { step: 1 });
    await w.accepts(admit("s1", { commandId: "once" }));
  });

  it("refused for who sends it, is not logged; its commandId stays free", async () => {
    const w = await given(store);
    await w.holds("s1");
    await w.accepts(propose("q1", ["s1"]));
    await w.refuses(settle("q1", { commandId: "once" }), "self-commit");
    await w.accepts(refused);
  });
});

describe("what is the same command", () => {
  it("does not depend on the order of keys, nor on fields that are undefined", async () => {
    const w = await given(memoryStore);
    const first = await w.accepts({
      command: "admitSpan",
      commandId: "c",
      spanId: "s1",
      origin: "user",
      content: { a: 1, b: 2 },
    });
    const again = await w.send({
      content: { b: 2, a: 1, c: undefined },
      via: undefined,
      origin: "user",
      spanId: "s1",
      commandId: "c",
      command: "admitSpan",
    });
    expect(again).toEqual(first);
  });

  it("depends on every value in it", async () => {
    const w = await given(memoryStore);
    await w.accepts(admit("s1", { commandId: "c", content: [1, 2] }));
    await w.refuses(admit("s1", { commandId: "c", content: [2, 1] }), "command-id-reused");
    await w.refuses(admit("s1", { commandId: "c", content: ["1", "2"] }), "command-id-reused");
    await w.refuses(
      admit("s1", { commandId: "c", content: [1, 2], expectedRevision: "any" }),
      "command-id-reused",
    );
  });

  it("is known before any rule runs, expectedRevision included", async () => {
    const w = await given(memoryStore);
    const bound = admit("s1", { commandId: "c", expectedRevision: 0 });
    const first = await w.accepts(bound);
    await w.holds("s2");
    expect(await w.send(bound)).toEqual(first);
  });
});

describe("what is not remembered", () => {
  it("a refusal: the same command is decided anew", async () => {
    const w = await given(memoryStore);
    const command = evict("e1", ["s1"], { commandId: "c" });
    await w.refuses(command, "unknown-span");
    await w.holds("s1");
    await w.accepts(command);
  });

  it("nothing to do: the same command is decided anew", async () => {
    const w = await given(memoryStore);
    const command = rewind(0, { commandId: "c" });
    await w.leaves(command);
    await w.holds("s1");
    await w.accepts(command);
    expect(await w.live()).toEqual([]);
  });

  it("nor is the commandId of either: another command may have it", async () => {
    const w = await given(memoryStore);
    await w.refuses(evict("e1", ["s1"], { commandId: "c" }), "unknown-span");
    await w.leaves(rewind(0, { commandId: "c" }));
    await w.accepts(admit("s1", { commandId: "c" }));
  });
});

describe.each(stores)("two sends at once on $name", (store) => {
  const once = batch([admit("a"), admit("b")], { commandId: "once" });

  it("through one handle are one append", async () => {
    const w = await given(store);
    const answers = await Promise.all([w.send(once), w.send(once), w.send(once)]);
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect(await w.head()).toBe(2);
  });

  it("through two handles are one append", async () => {
    const w = await given(store);
    const other = w.again();
    await other.live();
    const answers = await Promise.all([
      w.send(once),
      other.send(once),
      w.send(once),
      other.send(once),
    ]);
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect(await w.head()).toBe(2);
  });

  it("one of two commands is done and the other told, however many events each has", async () => {
    for (const more of [[], [admit("c")], [admit("c"), admit("d")]]) {
      const w = await given(store);
      const other = w.again();
      await other.live();
      const longer = batch([admit("a"), admit("x"), ...more], { commandId: "once" });
      const answers = await Promise.all([w.send(once), other.send(longer)]);
      expect(answers.map(({ outcome }) => outcome).sort()).toEqual(["accepted", "refused"]);
      expect(answers.find(({ outcome }) => outcome === "refused")).toMatchObject({
        refusals: [{ code: "command-id-reused" }],
      });
    }
  });
});
