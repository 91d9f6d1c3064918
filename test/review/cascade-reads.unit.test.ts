import type { EventLog } from "@palimpsest/core";
import { createMemoryLog, openWindow } from "@palimpsest/core";
import { expect, it } from "vitest";

/** Counts what is read from the store. */
function countingReads(log: EventLog): { readonly log: EventLog; reads: () => number } {
  let reads = 0;
  const read: EventLog["read"] = (...asked) => {
    reads += 1;
    return log.read(...asked);
  };
  return { log: { ...log, read }, reads: () => reads };
}

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
