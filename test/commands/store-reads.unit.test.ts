import type { EventLog } from "@palimpsest/core";
import { createMemoryLog, openWindow } from "@palimpsest/core";
import { describe, expect, it } from "vitest";
import type { Sent } from "../support/scenarios/commands.ts";
import {
  admit,
  batch,
  evict,
  fact,
  recall,
  redo,
  rewrite,
  undo,
} from "../support/scenarios/commands.ts";

const COUNT = 50;
const each = <T>(make: (i: number) => T): T[] => Array.from({ length: COUNT }, (_, i) => make(i));

/** Counts what is read from the store. */
function countingReads(log: EventLog): { readonly log: EventLog; reads: () => number } {
  let reads = 0;
  const read: EventLog["read"] = (...asked) => {
    reads += 1;
    return log.read(...asked);
  };
  return { log: { ...log, read }, reads: () => reads };
}

/** Sends appends to a new window, and counts the reads of the store that the last of them took. */
async function readsOfLast(...appends: readonly Sent[]): Promise<number> {
  const { log, reads } = countingReads(createMemoryLog());
  const window = await openWindow(log, "w");
  let before = 0;
  for (const append of appends) {
    before = reads();
    expect(await window.executeJson(append)).toMatchObject({ outcome: "accepted" });
  }
  return reads() - before;
}

const held = batch(each((i) => admit(`s${i}`)));
const evicted = batch(each((i) => evict(`e${i}`, [`s${i}`])));
const rewritten = batch(each((i) => rewrite(`e${i}`, [`s${i}`], `p${i}`, `one\ntwo\n${i}`)));
const again = batch(each((i) => rewrite(`f${i}`, [`p${i}`], `q${i}`, `one\nTWO\n${i}`)));
const undone = batch(each((i) => undo(`e${i}`, { as: `u${i}` })));

describe("a batch asks the store at once for the content that its commands name", () => {
  // One read to catch up with the store, and one for revisions that lie close to each other.
  const ONCE = 2;

  it("what claims are carried by, and cite", async () => {
    const cited = (i: number) => [{ span: `s${COUNT - 1 - i}`, quote: "text" }];
    const claims = each((i) => fact(`c${i}`, { carrier: `s${i}`, because: cited(i) }));
    expect(await readsOfLast(held, batch(claims))).toBe(ONCE);
  });

  it("what recalls repeat", async () => {
    const recalls = each((i) => recall(`s${i}`, `r${i}`));
    expect(await readsOfLast(held, evicted, batch(recalls))).toBe(ONCE);
  });

  it("what undos bring back", async () => {
    expect(await readsOfLast(held, rewritten, undone)).toBe(ONCE);
  });

  it("what redos bring back, and undos of undos", async () => {
    const redone = batch(each((i) => (i % 2 === 0 ? redo(`e${i}`) : undo(`u${i}`))));
    expect(await readsOfLast(held, rewritten, undone, redone)).toBe(ONCE);
  });

  it("what cascades bring back", async () => {
    const cascades = batch(each((i) => undo(`e${i}`, { strategy: "cascade" })));
    expect(await readsOfLast(held, rewritten, again, cascades)).toBe(ONCE);
  });

  it("what merges are made of", async () => {
    const merges = batch(each((i) => undo(`e${i}`, { strategy: "merge", content: `merged ${i}` })));
    expect(await readsOfLast(held, rewritten, again, merges)).toBe(ONCE);
  });

  it("what it takes out of view and brings back itself", async () => {
    const both = each((i) => evict(`e${i}`, [`s${i}`])).flatMap((one, i) => [
      one,
      undo(`e${i}`, { as: `u${i}` }),
    ]);
    expect(await readsOfLast(held, batch(both))).toBe(ONCE);
  });
});

it("a batch that names nothing stored reads none of it", async () => {
  expect(await readsOfLast(held, evicted)).toBe(1);
});

it("a batch reads nothing for what it brings itself", async () => {
  const own = each((i) => admit(`n${i}`)).flatMap((one, i) => [
    one,
    fact(`c${i}`, { carrier: `n${i}` }),
  ]);
  expect(await readsOfLast(held, batch(own))).toBe(1);
});

it("a cascade asks the store for the content of the whole chain at once", async () => {
  const { log, reads } = countingReads(createMemoryLog());
  const window = await openWindow(log, "w");
  await window.admit({ spanId: "p0", origin: "user", content: "the first text" });
  for (let i = 1; i <= 20; i += 1) {
    await window.rewrite([`p${i - 1}`], `text ${i}`, { spanId: `p${i}`, editId: `r${i}` });
  }
  const before = reads();
  await window.undo("r1", { strategy: "cascade" });
  // One to catch up, and one for revisions that lie beside each other.
  expect(reads() - before).toBe(2);
  expect((await window.show()).spans).toMatchObject([{ spanId: "p0", content: "the first text" }]);
});
