import { describe, expect, it } from "vitest";
import {
  batch,
  callSpan,
  evict,
  resultSpan,
  rewind,
  rewrite,
  undo,
} from "../support/scenarios/commands.ts";
import { damagedLog } from "../support/scenarios/damaged-log.ts";
import type { Story } from "../support/scenarios/given.ts";
import { given } from "../support/scenarios/given.ts";
import { stores } from "../support/scenarios/stores.ts";

const RECORDED_EDIT = ["RecoveryRecorded", "WindowEdited"];

const cascade = (editId: string, more = {}) => undo(editId, { strategy: "cascade", ...more });

/** s1 → s2 → s3 → s4 by e1, e2, e3; gives the revisions of s1, s2 and s3. */
async function chain(w: Story): Promise<number[]> {
  await w.holds("s1");
  const born = [await w.head()];
  for (const [editId, from, to] of [
    ["e1", "s1", "s2"],
    ["e2", "s2", "s3"],
    ["e3", "s3", "s4"],
  ] as const) {
    born.push((await w.accepts(rewrite(editId, [from], to))).revision);
  }
  return born;
}

describe.each(stores)("cascade on $name", (store) => {
  it.each([
    ["its event is gone", "lose"],
    ["its content is another", "tamper"],
  ] as const)("a cascade is atomic: the middle content is lost, %s", async (_, how) => {
    const w = await given(store);
    const [, second = 0] = await chain(w);
    const damaged = w.through(damagedLog(w.log));
    await damaged.live();
    if (how === "lose") damaged.log.lose(second);
    else {
      damaged.log.tamper(second, (data) => ({
        ...data,
        creates: { ...(data.creates as object), content: "text of S2" },
      }));
    }
    const refusal = await damaged.refuses(cascade("e1"), "irreversible-edit", { spanId: "s2" });
    expect(JSON.stringify(refusal)).not.toContain("S2");
    await damaged.refuses(batch([cascade("e1")]), "irreversible-edit");
    expect(await w.live()).toEqual(["s4"]);
  });

  it("a cascade is atomic: in one append, record and edit in turn", async () => {
    const w = await given(store);
    await chain(w);
    const answer = await w.accepts(cascade("e1", { as: "last", commandId: "c" }));
    expect(answer).toEqual({
      outcome: "accepted",
      revision: 13,
      events: [...RECORDED_EDIT, ...RECORDED_EDIT, ...RECORDED_EDIT],
      ids: { commandId: "c", editIds: ["e4", "e5", "last"], target: "e1" },
      tokens: 3,
      left: ["s4"],
      returned: ["s1"],
      firstChanged: 1,
    });
    const appended = (await w.history()).filter(({ metadata }) => metadata.commandId === "c");
    expect(appended.map(({ data }) => (data as { editId: string }).editId)).toEqual([
      "e4",
      "e4",
      "e5",
      "e5",
      "last",
      "last",
    ]);
  });

  it("a cascade is atomic: the id for the edit asked about is not given to another", async () => {
    const w = await given(store);
    await chain(w);
    const { ids } = await w.accepts(cascade("e1", { as: "e4" }));
    expect(ids.editIds).toHaveLength(3);
    expect(new Set(ids.editIds).size).toBe(3);
    expect(ids.editIds?.at(-1)).toBe("e4");
  });

  it("a cascade is atomic: a batch that fails after it takes it back too", async () => {
    const w = await given(store);
    await chain(w);
    await w.refuses(batch([cascade("e1"), evict("e9", ["s4"])]), "span-not-live", { step: 1 });
    expect(await w.live()).toEqual(["s4"]);
  });

  it("the collateral of a cascade: what the later edit took besides comes back too", async () => {
    const w = await given(store);
    await w.holds("s1", "x");
    await w.accepts(rewrite("e1", ["s1"], "s2"));
    await w.accepts(rewrite("e2", ["s2", "x"], "s3"));
    await w.refuses(undo("e1"), "stale-edit", { plan: { collateral: ["x"] } });
    await w.accepts(cascade("e1"));
    expect(await w.live()).toEqual(["s1", "x"]);
  });

  it("the collateral of a cascade: the plan says so before, and the answer after", async () => {
    const w = await given(store);
    await w.holds("s1", "x", "y");
    await w.accepts(rewrite("e1", ["s1"], "s2"));
    await w.accepts(evict("e2", ["s2", "y"]));
    const head = await w.head();
    const plan = await w.window.plan({ command: "undo", editId: "e1", strategy: "cascade" });
    expect(plan).toEqual({
      order: ["e2", "e1"],
      leave: [],
      return: ["s1", "y"],
      tokens: { before: 3, after: 9 },
      collateral: ["y"],
    });
    expect(await w.head()).toBe(head);
    const { left, returned } = await w.again().accepts(cascade("e1"));
    expect({ left, returned }).toEqual({ left: [], returned: ["s1", "y"] });
    expect(await w.live()).toEqual(["s1", "x", "y"]);
  });

  it("a cascade ignores rewound dependents: only what is in force is undone", async () => {
    const w = await given(store);
    await w.holds("s1");
    const { revision } = await w.accepts(rewrite("e1", ["s1"], "s2"));
    await w.accepts(rewrite("e2", ["s2"], "s3"));
    await w.accepts(rewind(revision, { as: "e3" }));
    await w.accepts(rewrite("e4", ["s2"], "s4"));
    await w.accepts(cascade("e1"));
    const edits = (await w.history()).flatMap(({ type, data }) =>
      type === "WindowEdited" ? [[data.verb, data.target]] : [],
    );
    expect(edits.slice(4)).toEqual([
      ["undo", "e4"],
      ["undo", "e1"],
    ]);
    expect(await w.live()).toEqual(["s1"]);
  });

  it("a cascade ignores rewound dependents: what was undone before is not undone again", async () => {
    const w = await given(store);
    await w.holds("s1");
    await w.accepts(rewrite("e1", ["s1"], "s2"));
    await w.accepts(rewrite("e2", ["s2"], "s3"));
    await w.accepts(undo("e2"));
    await w.accepts(evict("e4", ["s2"]));
    const { ids } = await w.again().accepts(cascade("e1"));
    expect(ids.editIds).toEqual(["e5", "e6"]);
    expect(await w.live()).toEqual(["s1"]);
  });

  it("a cascade ignores rewound dependents: with none left, it is a plain undo", async () => {
    const w = await given(store);
    await w.holds("s1");
    const { revision } = await w.accepts(rewrite("e1", ["s1"], "s2"));
    await w.accepts(rewrite("e2", ["s2"], "s3"));
    await w.accepts(rewind(revision));
    const { events } = await w.accepts(cascade("e1"));
    expect(events).toEqual(RECORDED_EDIT);
    expect(await w.live()).toEqual(["s1"]);
  });

  it("a cascade too large names a revision that a rewind may go to", async () => {
    const w = await given(store);
    await w.holds("s0");
    await w.accepts(callSpan("c"));
    const steps = Array.from({ length: 257 }, (_, i) => rewrite(`e${i}`, [`s${i}`], `s${i + 1}`));
    await w.accepts(batch(steps));
    await w.accepts(resultSpan("c"));
    await w.refuses(cascade("e0"), "cascade-too-large", { edits: 257, rewindTo: 1 });
    await w.accepts(rewind(1));
    expect(await w.live()).toEqual(["s0"]);
  });
});
