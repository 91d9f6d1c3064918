import { claimFinder } from "@palimpsest/claims";
import type { Json, Window } from "@palimpsest/core";
import { contentDigest, openWindow } from "@palimpsest/core";
import { describe, expect, it } from "vitest";
import { memoryStore, stores } from "../support/scenarios/stores.ts";

const uri = "file:///repo/site/hall.html";
const digest = (text: string) => contentDigest(text);

/** Claims in open conflict, as the ledger of the window shows them. */
async function contested(window: Window) {
  const { ledger } = await window.show();
  return ledger.claims.map(({ statement, standing }) => [statement, standing]);
}

const read = (content: string, spanId = "s1") =>
  ({ spanId, origin: "tool", content, source: { uri, digest: digest(content) } }) as const;

const WAS = "The pool holds forty seats.\nDoors close late.";
const LINE = `${uri} as it was read: The pool holds forty seats.`;
const CHANGED = `${uri} was changed since it was read in s1`;

describe.each(stores)("a source that is observed to be another, on $name", (store) => {
  it("is in conflict with what was read of it, until it is what it was", async () => {
    const window = await openWindow((await store.open()).log, "w", { finder: claimFinder() });
    await window.admit(read(WAS));
    expect((await window.claims()).length).toBe(0);
    const answer = await window.observe(uri, digest("other"));
    expect(answer).toMatchObject({
      events: ["SourceObserved", "ClaimAsserted", "ClaimAsserted", "ConflictNoted"],
    });
    expect(await contested(window)).toEqual([
      [LINE, "unverified"],
      [CHANGED, "verified"],
    ]);
    await window.observe(uri, digest(WAS));
    expect(await contested(window)).toEqual([
      [LINE, "verified"],
      [CHANGED, "unverified"],
    ]);
    expect(await window.observe(uri, digest(WAS))).toEqual({ outcome: "nothing-to-do" });
  });

  it("that is gone, and of a span that is out of view, too", async () => {
    const window = await openWindow((await store.open()).log, "w", { finder: claimFinder() });
    await window.admit(read(WAS));
    await window.evict(["s1"]);
    await window.observe(uri, null);
    expect(await contested(window)).toEqual([
      [LINE, "unverified"],
      [`${uri} is gone since it was read in s1`, "unverified"],
    ]);
  });

  it("contests the lines that the model has used since", async () => {
    const window = await openWindow((await store.open()).log, "w", { finder: claimFinder() });
    const lines = Array.from({ length: 30 }, (_, i) => `Row ${i} of the hall is for guests.`);
    await window.admit(read([...lines, "The balcony opens at noon."].join("\n")));
    const content = "So the balcony opens at noon.";
    await window.admit({ spanId: "a1", origin: "assistant", content });
    await window.observe(uri, digest("other"));
    expect((await contested(window))[0]?.[0]).toBe(
      `${uri} as it was read: The balcony opens at noon.`,
    );
  });

  it("says nothing when told not to, or when a command says no more than it says", async () => {
    const silent = await openWindow((await store.open()).log, "w");
    await silent.admit(read(WAS));
    await silent.observe(uri, digest("other"));
    expect(await silent.claims()).toEqual([]);
    const window = await openWindow((await store.open()).log, "w", { finder: claimFinder() });
    await window.admit(read(WAS));
    await window.execute({ command: "observeSource", uri, digest: digest("other") });
    expect(await window.claims()).toEqual([]);
  });
});

const path = "/repo/src/seats.py";
const code = "     1→def seats():\n     2→    return rows * 40\n";
const call = (spanId: string, content: Json) =>
  ({
    command: "admitSpan",
    origin: "assistant",
    kind: "tool-call",
    call: spanId,
    spanId,
    content,
  }) as const;
const result = (id: string, content: string, status: "ok" | "error" = "ok") =>
  ({
    command: "admitSpan",
    origin: "tool",
    kind: "tool-result",
    call: id,
    spanId: `${id}r`,
    content,
    tool: { name: "swap", status },
  }) as const;

describe("a call that edits what was read", () => {
  const edit = { target: path, from: "return rows * 40", into: "return rows * 30" };

  it.each(["in one append", "in several"])("is in conflict with the line: %s", async (how) => {
    const window = await openWindow((await memoryStore.open()).log, "w", { finder: claimFinder() });
    const commands = [
      call("c1", { arguments: { target: path } }),
      result("c1", code),
      call("c2", { arguments: edit }),
      result("c2", "done"),
    ];
    if (how === "in one append") await window.batch(commands);
    else for (const { command: _, ...span } of commands) await window.admit(span);
    const { ledger } = await window.show();
    expect(ledger.claims.map(({ statement, quote }) => [statement, quote])).toEqual([
      [`${path} as it was read: return rows * 40`, "     2→    return rows * 40"],
      [`${path} was edited`, expect.stringContaining("return rows * 30")],
    ]);
  });

  it("says nothing of a call that failed", async () => {
    const window = await openWindow((await memoryStore.open()).log, "w", { finder: claimFinder() });
    await window.batch([call("c1", { arguments: { target: path } }), result("c1", code)]);
    await window.batch([call("c2", { arguments: edit }), result("c2", "no match", "error")]);
    expect(await window.claims()).toEqual([]);
  });

  it("takes two lines of a file, however often it is edited", async () => {
    const window = await openWindow((await memoryStore.open()).log, "w", { finder: claimFinder() });
    const lines = Array.from({ length: 9 }, (_, i) => `seat_${i}(${i}) # reserved`);
    await window.batch([call("c", { arguments: { target: path } }), result("c", lines.join("\n"))]);
    for (const [i, line] of lines.entries()) {
      const swap = { target: path, from: line, into: line.replace("reserved", "free") };
      await window.batch([call(`e${i}`, { arguments: swap }), result(`e${i}`, "done")]);
    }
    expect((await window.show()).ledger.claims).toHaveLength(3);
  });
});
