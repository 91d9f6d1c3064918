import { describe, expect, it } from "vitest";
import {
  admit,
  callSpan,
  evict,
  fact,
  resultSpan,
  retract,
  rewind,
  rewrite,
  undo,
} from "../support/scenarios/commands.ts";
import { given } from "../support/scenarios/given.ts";
import { stores } from "../support/scenarios/stores.ts";

describe.each(stores)("what a rewind leaves alone, on $name", (store) => {
  it("a rewind keeps the ledgers: ordinals and records only grow", async () => {
    const w = await given(store);
    await w.holds("s1");
    await w.accepts(rewrite("e1", ["s1"], "s2"));
    await w.accepts(evict("e2", ["s2"]));
    const { epoch } = await w.view();
    await w.accepts(rewind(0));
    expect(await w.view()).toMatchObject({ epoch, ledger: { edits: 3, records: 3 } });
    expect((await w.statuses()).map(({ ordinal }) => ordinal)).toEqual([1, 2, 3]);
  });

  it("a rewind keeps the ledgers: an undo of the rewind takes none back either", async () => {
    const w = await given(store);
    await w.holds("s1");
    await w.accepts(rewind(0, { as: "e1" }));
    await w.accepts(undo("e1"));
    expect((await w.again().view()).ledger).toMatchObject({ edits: 2, records: 2 });
  });

  it("a rewind keeps the ledgers: the epoch stays, and what was retracted stays so", async () => {
    const w = await given(store);
    await w.holds("s1");
    await w.accepts(fact("c1", { carrier: "s1" }));
    await w.accepts({ command: "openEpoch" });
    await w.holds("s2");
    await w.accepts(retract("c1"));
    await w.accepts({ command: "openEpoch" });
    await w.accepts(rewind(1, { as: "e1" }));
    expect((await w.view()).epoch).toBe(3);
    expect(await w.standings()).toEqual({ c1: "retracted" });
    await w.accepts(undo("e1"));
    await w.accepts(rewind(0));
    expect((await w.again().view()).epoch).toBe(3);
    await w.refuses(fact("c1"), "claim-retracted");
  });

  it("a rewind keeps the ledgers: ids stay taken, calls stay made, commands stay known", async () => {
    const w = await given(store);
    const first = await w.accepts(admit("s1", { commandId: "c1" }));
    await w.accepts(callSpan("c"));
    await w.accepts(resultSpan("c"));
    await w.accepts(evict("e1", ["s1"]));
    await w.accepts(rewind(0));
    await w.refuses(admit("s1"), "id-taken", { spanId: "s1" });
    await w.refuses(callSpan("c", { spanId: "again" }), "id-taken", { call: "c" });
    await w.refuses(rewind(1, { as: "e1" }), "id-taken", { editId: "e1" });
    expect(await w.send(admit("s1", { commandId: "c1" }))).toEqual(first);
    await w.refuses(admit("s9", { commandId: "c1" }), "command-id-reused");
  });
});
