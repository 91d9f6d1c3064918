import { describe, expect, it } from "vitest";
import type { Sent } from "../support/scenarios/commands.ts";
import {
  admit,
  batch,
  batchOf,
  callSpan,
  evict,
  propose,
  redo,
  resultSpan,
  rewind,
  rewrite,
  settle,
  undo,
} from "../support/scenarios/commands.ts";
import type { Story } from "../support/scenarios/given.ts";
import { given, HUMAN, MODEL } from "../support/scenarios/given.ts";
import type { StoreKind } from "../support/scenarios/stores.ts";
import { stores } from "../support/scenarios/stores.ts";

const said = (more: Sent = {}) => admit("x", { by: MODEL, origin: "assistant", ...more });
const byModel = { by: MODEL };

/** s1, then the pinned rule. */
async function givenRule(store: StoreKind): Promise<Story> {
  const w = await given(store);
  await w.holds("s1");
  await w.accepts(admit("rule", { origin: "system" }));
  return w;
}

describe.each(stores)("what the model cannot do, on $name", (store) => {
  it.each([
    ["admit as user", said({ origin: "user" })],
    ["admit as system", said({ origin: "system" })],
    ["admit as tool", resultSpan("c", { by: MODEL })],
    ["admit as host", said({ origin: "host" })],
    ["pin", said({ pinned: true })],
    ["unpin", said({ pinned: false })],
    ["seal", said({ sealed: true })],
    ["group", said({ group: "g" })],
    ["observe a source", { command: "observeSource", uri: "u", digest: null, by: MODEL }],
    ["open an epoch", { command: "openEpoch", by: MODEL }],
    ["settle", settle("q1", byModel)],
    ["settle unattended", settle("q1", { unattended: true, ...byModel })],
    ["decline", settle("q1", { decision: "refuse", ...byModel })],
  ])("the model cannot %s", async (_, command) => {
    const w = await given(store);
    await w.accepts(callSpan("c"));
    await w.accepts(propose("q1", [], { by: HUMAN }));
    await w.refuses(command, "permission-denied");
    await w.refuses(batchOf([{ ...command, by: undefined }], byModel), "permission-denied");
    await w.refuses(batchOf([command]), "permission-denied");
    await w.accepts(said());
  });

  it("the model cannot take a pinned span out of view by evict or rewrite", async () => {
    const w = await givenRule(store);
    await w.refuses(evict("e1", ["rule"], byModel), "pinned", { spanId: "rule" });
    await w.refuses(rewrite("e1", ["s1", "rule"], "sum", "x", byModel), "pinned");
    await w.refuses(batch([evict("e1", ["s1", "rule"])], byModel), "pinned");
    expect(await w.live()).toEqual(["s1", "rule"]);
  });

  it("the model cannot rewind past a pinned rule, which the host can", async () => {
    const w = await givenRule(store);
    await w.holds("s2");
    await w.refuses(rewind(1, byModel), "pinned", { spanId: "rule" });
    await w.refuses(rewind(0, { ...byModel, abandonOpenCalls: true }), "pinned");
    await w.accepts(rewind(2, byModel));
    await w.accepts(rewind(1));
    expect(await w.live()).toEqual(["s1"]);
  });

  it("the model cannot take it out by the redo of a rewind", async () => {
    const w = await givenRule(store);
    await w.accepts(rewind(1, { as: "e1" }));
    await w.accepts(undo("e1", { as: "e2", ...byModel }));
    await w.refuses(redo("e1", byModel), "pinned", { spanId: "rule" });
    await w.refuses(undo("e2", byModel), "pinned", { spanId: "rule" });
    await w.accepts(redo("e1"));
  });

  it("the model cannot evict what the host pinned, of whatever origin", async () => {
    const w = await given(store);
    await w.accepts(admit("free", { origin: "system", pinned: false }));
    await w.accepts(admit("kept", { origin: "user", pinned: true }));
    await w.accepts(evict("e1", ["free"], byModel));
    await w.refuses(evict("e2", ["kept"], byModel), "pinned", { spanId: "kept" });
    await w.refuses(evict("e2", ["kept"]), "pinned", { spanId: "kept" });
  });

  it("the model cannot take a pinned span out by a proposal that a person commits", async () => {
    const w = await givenRule(store);
    await w.accepts(propose("q1", ["rule", "s1"], byModel));
    expect(await w.accepts(settle("q1", { by: HUMAN }))).toMatchObject({
      left: ["s1"],
      retained: [{ spanId: "rule", why: "pinned" }],
    });
  });

  it("the model cannot write in the user's name, whatever it replaces", async () => {
    const w = await given(store);
    await w.holds("s1", "s2");
    await w.accepts(rewrite("e1", ["s1"], "p1", "I said so", byModel));
    await w.accepts(rewrite("e2", ["s2"], "p2", "the host did"));
    const origins = (await w.view()).spans.map(({ spanId, origin }) => [spanId, origin]);
    expect(origins).toEqual([
      ["p1", "assistant"],
      ["p2", "host"],
    ]);
  });
});
