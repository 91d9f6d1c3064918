import { contentDigest } from "@palimpsest/core";
import { describe, expect, it } from "vitest";
import { evict, redo, rewind, rewrite, undo } from "../support/scenarios/commands.ts";
import type { DamagedLog } from "../support/scenarios/damaged-log.ts";
import { damagedLog } from "../support/scenarios/damaged-log.ts";
import type { Story } from "../support/scenarios/given.ts";
import { given } from "../support/scenarios/given.ts";
import type { StoreKind } from "../support/scenarios/stores.ts";
import { stores } from "../support/scenarios/stores.ts";

const EVIL = "something nobody ever said";

type Damaged = Story & { readonly log: DamagedLog };

/** s1 and s2, of which e1 evicted s1, read through a log that can be damaged from now on. */
async function givenEvicted(store: StoreKind): Promise<Damaged> {
  const w = await given(store);
  await w.holds("s1", "s2");
  await w.accepts(evict("e1", ["s1"]));
  const damaged = w.through(damagedLog(w.log));
  await damaged.live();
  return damaged;
}

async function expectIrreversible(w: Damaged): Promise<void> {
  const refusal = await w.refuses(undo("e1"), "irreversible-edit", { spanId: "s1" });
  expect(JSON.stringify(refusal)).not.toContain(EVIL);
  expect(await w.statuses()).toMatchObject([{ recovery: "lost", word: "irreversible" }]);
  expect(await w.send({ command: "probe", editId: "e1" })).toMatchObject({
    outcome: "accepted",
    events: [],
    recovery: "lost",
    lost: [{ spanId: "s1" }],
  });
  await expect(w.window.undo("e1")).rejects.toMatchObject({
    name: "IrreversibleEditError",
    code: "irreversible-edit",
  });
  expect(await w.live()).toEqual(["s2"]);
}

describe.each(stores)("lost and tampered content on $name", (store) => {
  it("tampered content: undo is irreversible-edit and never gives the text", async () => {
    const w = await givenEvicted(store);
    w.log.tamper(1, (data) => ({ ...data, content: EVIL }));
    await expectIrreversible(w);
  });

  it("tampered content: the same after a restart", async () => {
    const w = await givenEvicted(store);
    w.log.tamper(1, (data) => ({ ...data, content: EVIL }));
    await expectIrreversible(w.through(w.log));
  });

  it("tampered content: with its own digest, it is not the recorded one", async () => {
    const w = await givenEvicted(store);
    w.log.tamper(1, (data) => ({ ...data, content: EVIL, digest: contentDigest(EVIL) }));
    await expectIrreversible(w);
    // Read anew, the span is not the one that the record names: e1 is not closed.
    const again = w.through(w.log);
    await again.refuses(undo("e1"), "irreversible-edit", { editId: "e1", recovery: "missing" });
    expect(await again.statuses()).toMatchObject([{ recovery: "missing", word: "irreversible" }]);
  });

  it("tampered content: every verb that would bring it back refuses", async () => {
    const w = await given(store);
    await w.holds("s1");
    await w.accepts(rewrite("e1", ["s1"], "s2"));
    await w.accepts(rewrite("e2", ["s2"], "s3"));
    const damaged = w.through(damagedLog(w.log));
    await damaged.live();
    damaged.log.tamper(1, (data) => ({ ...data, content: EVIL }));
    for (const command of [
      undo("e1", { strategy: "cascade" }),
      undo("e1", { strategy: "merge" }),
      rewind(1),
      { command: "recall", spanId: "s1" },
    ]) {
      const refusal = await damaged.refuses(command, "irreversible-edit", { spanId: "s1" });
      expect(JSON.stringify(refusal)).not.toContain(EVIL);
    }
    await damaged.accepts(undo("e2"));
    expect(await damaged.live()).toEqual(["s2"]);
  });

  it("lost content: the store returns nothing for the revision", async () => {
    const w = await givenEvicted(store);
    w.log.lose(1);
    await expectIrreversible(w);
  });

  it("lost content: the event is there without its content, also after a restart", async () => {
    const w = await givenEvicted(store);
    w.log.tamper(1, ({ content, ...data }) => data);
    await expectIrreversible(w);
    await expectIrreversible(w.through(w.log));
  });

  it("lost content: an edit whose content is there can be undone beside it", async () => {
    const w = await givenEvicted(store);
    await w.accepts(evict("e2", ["s2"]));
    w.log.lose(1);
    expect((await w.statuses()).map(({ word }) => word)).toEqual(["irreversible", "reversible"]);
    await w.refuses(rewind(2), "irreversible-edit", { spanId: "s1" });
    await w.accepts(undo("e2"));
    expect(await w.live()).toEqual(["s2"]);
  });

  it("lost content: a redo of a rewrite needs the text it wrote", async () => {
    const w = await given(store);
    await w.holds("s1");
    const { revision } = await w.accepts(rewrite("e1", ["s1"], "s2"));
    await w.accepts(undo("e1"));
    const damaged = w.through(damagedLog(w.log));
    await damaged.live();
    damaged.log.lose(revision);
    await damaged.refuses(redo("e1"), "irreversible-edit", { spanId: "s2" });
    expect(await damaged.live()).toEqual(["s1"]);
  });

  it("lost content: once the store gives it again, the edit is reversible again", async () => {
    const w = await givenEvicted(store);
    w.log.lose(1);
    expect(await w.word("e1")).toBe("irreversible");
    w.log.repair();
    expect(await w.word("e1")).toBe("reversible");
    await w.accepts(undo("e1"));
    expect(await w.live()).toEqual(["s1", "s2"]);
  });
});

describe.each(stores)("tampered content in view on $name", (store) => {
  it("is shown as lost, and never as it reads now", async () => {
    const w = await given(store);
    w.expectsDamage();
    await w.holds("s1", "s2");
    const damaged = damagedLog(w.log);
    damaged.tamper(2, (data) => ({ ...data, content: EVIL }));
    const again = w.through(damaged);
    const { spans, rendered } = await again.view();
    expect(spans.map(({ spanId, content }) => [spanId, content])).toEqual([
      ["s1", "text of s1"],
      ["s2", expect.stringContaining("is lost")],
    ]);
    expect(rendered).not.toContain(EVIL);
  });
});
