import { createMemoryLog, parseRendering, Window } from "@palimpsest/core";
import { verifyWindow } from "@palimpsest/verifier";
import { describe, expect, it } from "vitest";
import { admit, evict, fact, retract, undo } from "../support/scenarios/commands.ts";
import type { Story } from "../support/scenarios/given.ts";
import { given } from "../support/scenarios/given.ts";
import { memoryStore, stores } from "../support/scenarios/stores.ts";
import { sha256 } from "../support/sha256.ts";
import type { Events } from "../support/verifier/damage.ts";
import { edit, admit as forgedSpan, withAppend } from "../support/verifier/damage.ts";
import { storeOf } from "../support/verifier/store.ts";

/* The ledger tells the model nothing that is not so, and both renderings tell the same. */

/** The claim lines, which are those of the verifier. */
async function linesOf(w: Story): Promise<string[]> {
  await w.accepts({ command: "render" });
  await w.holdsUp();
  return w.claimLines();
}

const port = (claimId: string, value: number, more = {}) =>
  fact(claimId, { key: "port", value, evidence: true, ...more });

const portLine = (id: string, value: number) =>
  `::claim ${id} fact unverified by host/h "statement of ${id}" key "port" value ${value}`;

const historyLine = (survivor: string, other: string) =>
  `::history ${survivor} was contested by ${other} "statement of ${other}"; ` +
  'retracted by host/h: "it was wrong"';

describe.each(stores)("a closed conflict on $name", (store) => {
  it("is none with a claim that was retracted before the other was asserted", async () => {
    const w = await given(store);
    await w.accepts(port("c1", 1));
    for (const [before, value] of [
      ["c1", 2],
      ["c2", 3],
      ["c3", 4],
    ] as const) {
      await w.accepts(retract(before));
      await w.accepts(port(`c${value}`, value, { supersedes: before }));
    }
    expect(await linesOf(w)).toEqual([portLine("c4", 4)]);
    expect(await w.again().claimLines()).toEqual([portLine("c4", 4)]);
  });

  it("is one with every claim that stood beside it, asserted earlier or later", async () => {
    const w = await given(store);
    await w.accepts(port("c1", 1));
    await w.accepts(port("c2", 2));
    await w.accepts(retract("c1"));
    await w.accepts(port("c3", 3));
    await w.accepts(retract("c3"));
    const lines = [portLine("c2", 2), historyLine("c2", "c1"), historyLine("c2", "c3")];
    expect(await linesOf(w)).toEqual(lines);
    expect(await w.again().claimLines()).toEqual(lines);
  });

  it("counts from the first assertion of the survivor", async () => {
    const w = await given(store);
    await w.accepts(port("c2", 2));
    await w.accepts(port("c1", 1));
    await w.accepts(retract("c1"));
    await w.accepts(port("c2", 2));
    expect(await linesOf(w)).toEqual([portLine("c2", 2), historyLine("c2", "c1")]);
  });

  it("is one that somebody noted, whichever side is retracted", async () => {
    for (const [gone, left] of [
      ["a", "b"],
      ["b", "a"],
    ] as const) {
      const w = await given(store);
      await w.accepts(fact("a", { evidence: true }));
      await w.accepts(fact("b", { evidence: true }));
      await w.accepts({ command: "noteConflict", a: "a", b: "b" });
      await w.accepts(retract(gone));
      expect((await linesOf(w)).slice(1)).toEqual([historyLine(left, gone)]);
    }
  });
});

describe.each(stores)("what a ledger line says to recall on $name", (store) => {
  async function givenCarriers(...carriers: readonly [string, boolean][]): Promise<Story> {
    const w = await given(store);
    for (const [spanId, sealed] of carriers) {
      await w.accepts(admit(spanId, { content: "A is B", sealed }));
      await w.accepts(fact("c", { carrier: spanId, evidence: true }));
    }
    const consumes = carriers.map(([spanId]) => spanId);
    await w.accepts(evict("e", consumes));
    return w;
  }

  const recallLine = (carrier: string) =>
    `::claim c fact verified by host/h "statement of c" quote "A is B" recall ${carrier}`;

  it("is the first carrier that is not sealed", async () => {
    const w = await givenCarriers(["s1", true], ["s2", true], ["s3", false], ["s4", false]);
    expect(await linesOf(w)).toEqual([recallLine("s3")]);
    expect((await w.view()).ledger.claims).toMatchObject([{ claimId: "c", recall: "s3" }]);
    await w.refuses({ command: "recall", spanId: "s1" }, "bond-broken");
    await w.accepts({ command: "recall", spanId: "s3" });
    expect(await linesOf(w)).toEqual([]);
  });

  it("is the first one when all are sealed: an undo brings it back", async () => {
    const w = await givenCarriers(["s1", true], ["s2", true]);
    expect(await linesOf(w)).toEqual([recallLine("s1")]);
    await w.accepts(undo("e"));
    expect(await linesOf(w)).toEqual([]);
  });
});

describe("the ledger line at a recovery record", () => {
  /** The head line of both renderings at a revision. */
  async function headAt(events: Events, at: number): Promise<string> {
    const log = createMemoryLog();
    await log.append("window-w", events, "no-stream");
    const { rendered } = await new Window(log, "w").show(at);
    const outside = { digest: sha256(rendered), at };
    const { findings } = await verifyWindow(log, "w", { rendered: outside });
    expect(findings.filter(({ code }) => code === "shown-outside")).toEqual([]);
    expect(parseRendering(rendered).ledger.alarm).toBe(rendered.includes("ALARM"));
    return rendered.split("\n").find((line) => line.startsWith("::ledger ")) ?? "";
  }

  const head = (edits: number, records: number, outOfView = 0) =>
    `::ledger edits ${edits}, records ${records}, ${outOfView} spans out of view`;
  const ALARM = "; ALARM: edits and records differ";

  async function givenSpan(): Promise<Events> {
    const w = await given(memoryStore);
    await w.holds("s1");
    return (await storeOf(w.log)).window;
  }

  it("gives no alarm: its edit comes next", async () => {
    const before = await givenSpan();
    const events = withAppend(before, ...edit(before, { verb: "evict" }, ["s1"]));
    expect(await headAt(events, 2)).toBe(head(0, 1));
    expect(await headAt(events, 3)).toBe(head(1, 1, 1));
  });

  it("gives the alarm once something else has come", async () => {
    const before = await givenSpan();
    const [record] = edit(before, { verb: "evict" }, ["s1"]);
    const events = withAppend(withAppend(before, record), forgedSpan("s2"));
    expect(await headAt(events, 3)).toBe(head(0, 1) + ALARM);
  });

  it("gives the alarm at a record when an earlier one has no edit", async () => {
    const before = await givenSpan();
    const [record, made] = edit(before, { verb: "evict" }, ["s1"]);
    const events = withAppend(withAppend(before, record), record, made);
    expect(await headAt(events, 3)).toBe(head(0, 2) + ALARM);
    expect(await headAt(events, 4)).toBe(head(1, 2, 1) + ALARM);
  });

  it("gives the alarm for an edit without a record", async () => {
    const before = await givenSpan();
    const [, made] = edit(before, { verb: "evict" }, ["s1"]);
    expect(await headAt(withAppend(before, made), 2)).toBe(head(1, 0) + ALARM);
  });
});
