import type { Window } from "@palimpsest/core";
import { createMemoryLog, openWindow, policyFunction } from "@palimpsest/core";
import { describe, expect, it } from "vitest";
import { stores } from "../support/scenarios/stores.ts";

const content = (i: number) => `line ${i} `.repeat(40);

async function admitted(window: Window, count: number): Promise<Window> {
  for (let i = 0; i < count; i += 1) await window.admit({ origin: "tool", content: content(i) });
  return window;
}

/** Party and name of whoever proposed and settled. */
async function hands(window: Window): Promise<string[]> {
  return (await window.history())
    .filter(({ type }) => type.startsWith("Pruning"))
    .map(({ type, metadata }) => `${type} ${metadata.by}`);
}

describe.each(stores)("window.prune() on $name", (store) => {
  it("needs a window and its spans: one principal proposes, another commits", async () => {
    const { log } = await store.open();
    const window = await admitted(await openWindow(log, "w", { budgetTokens: 2_000 }), 40);
    const before = await window.show();
    const answer = await window.prune();
    expect(answer).toMatchObject({ outcome: "accepted", settlement: "committed", retained: [] });
    const { tokens, ledger } = await window.show();
    expect(tokens).toBeLessThanOrEqual(1_200);
    expect(before.tokens).toBeGreaterThan(2_000);
    expect(ledger).toMatchObject({ edits: 1, records: 1 });
    expect(await hands(window)).toEqual([
      "PruningProposed host/pruner",
      "PruningSettled host/committer",
    ]);
  });

  it("a second pass loses nothing: without new input there is nothing to do", async () => {
    const { log } = await store.open();
    const window = await admitted(await openWindow(log, "w", { budgetTokens: 2_000 }), 40);
    await window.prune();
    const { rendered, revision } = await window.show();
    expect(await window.prune()).toEqual({ outcome: "nothing-to-do" });
    expect(await window.show()).toMatchObject({ rendered, revision });
  });

  it("takes the active policy, whoever wrote it", async () => {
    const { log } = await store.open();
    const principals = ["host/h", "model/m"];
    const window = await admitted(await openWindow(log, "w", { principals }), 6);
    const document = { name: "all but two", targetTokens: 0, keep: "span.age < 2", rank: "1" };
    await window.authorPolicy(document, { by: "model/m" });
    await window.openEpoch();
    await window.admit({ origin: "user", content: "go on" });
    await window.openEpoch({ policyId: "p1" });
    const answer = await window.prune();
    expect(answer).toMatchObject({ settlement: "committed", left: ["s1", "s2", "s3", "s4", "s5"] });
    expect((await window.history()).at(-4)?.data).toMatchObject({ policyId: "p1" });
  });

  it("takes a host's function, named in the stream, and its edits are provisional", async () => {
    const { log } = await store.open();
    const window = await admitted(await openWindow(log, "w"), 3);
    const first = policyFunction("the first", (_facts, spans) =>
      spans.slice(0, 1).map((s) => s.id),
    );
    expect(await window.prune({ policy: first })).toMatchObject({ left: ["s1"] });
    expect(await window.policies()).toMatchObject([{ by: "host/pruner", active: false }]);
    expect((await window.status())[0]).toMatchObject({ recovery: "proven", word: "provisional" });
  });

  it("keeps what evidence needs in sight, or refuses, as asked", async () => {
    const { log } = await store.open();
    const window = await admitted(await openWindow(log, "w", { budgetTokens: 1_000 }), 12);
    await window.assert({ statement: "it matters", carrier: "s1", evidence: true });
    await expect(window.prune({ targetTokens: 0, onEvidence: "refuse" })).rejects.toMatchObject({
      code: "provenance-orphan",
    });
    expect(await window.prune({ targetTokens: 0, unattended: true })).toMatchObject({
      retained: [{ spanId: "s1", why: "evidence" }],
    });
    expect((await window.show()).spans[0]?.spanId).toBe("s1");
  });
});

it("a recall counts as one read of what it repeats, source or not", async () => {
  const window = await openWindow(createMemoryLog(), "w");
  const source = { uri: "file:///a", digest: "0".repeat(64) };
  await window.admit({ spanId: "a", origin: "tool", content: "text of a", source });
  await window.admit({ spanId: "b", origin: "tool", content: "text of b" });
  await window.evict(["a", "b"], { editId: "e" });
  await window.recall("a");
  await window.recall("b");
  await window.undo("e");
  let seen: unknown;
  const select = (spans: readonly { readonly id: string; readonly reads: number }[]) => {
    seen = spans.flatMap(({ id, reads }) => (id === "a" || id === "b" ? [[id, reads]] : []));
    return [];
  };
  await window.prune({ policy: policyFunction("looking", (_, spans) => select(spans)) });
  expect(seen).toEqual([
    ["a", 1],
    ["b", 1],
  ]);
});
