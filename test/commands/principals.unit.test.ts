import { createMemoryLog, openWindow, Window } from "@palimpsest/core";
import { describe, expect, it } from "vitest";
import type { Sent } from "../support/scenarios/commands.ts";
import {
  admit,
  batch,
  batchOf,
  callSpan,
  decide,
  evict,
  fact,
  observe,
  propose,
  redo,
  resultSpan,
  retract,
  rewind,
  rewrite,
  settle,
  undo,
} from "../support/scenarios/commands.ts";
import { given, HOST, HUMAN, MODEL } from "../support/scenarios/given.ts";
import { memoryStore } from "../support/scenarios/stores.ts";

const POLICY = { name: "oldest first", targetTokens: 0, rank: "-span.age" };

const sentBy = (command: Sent, by: string): Sent => ({ ...command, by });

/** Who the metadata of the events after the opening names, in order. */
async function authors(window: Window): Promise<(string | undefined)[]> {
  return (await window.history()).slice(1).map(({ metadata }) => metadata.by);
}

describe("who a command is by", () => {
  it("is the first that the process vouches for, when it does not say", async () => {
    const window = await openWindow(createMemoryLog(), "w", { principals: [HUMAN, HOST] });
    await window.execute(admit("s1"));
    expect(await authors(window)).toEqual([HUMAN]);
  });

  it("is host/local when the process vouches for nobody in particular", async () => {
    const window = await openWindow(createMemoryLog(), "w");
    await window.execute(admit("s1"));
    await window.execute(admit("s2", { by: "host/local" }));
    expect(await authors(window)).toEqual(["host/local", "host/local"]);
  });

  it("is of the model's party when the name is bare", async () => {
    const w = await given(memoryStore);
    await w.accepts(admit("s1", { by: "m", origin: "assistant" }));
    await w.refuses(admit("s2", { by: "m" }), "permission-denied");
    expect(await authors(w.window)).toEqual([MODEL]);
  });

  it("may be vouched for by a bare name too", async () => {
    const window = new Window(createMemoryLog(), "w", { principals: ["host/h", "gpt"] });
    await window.execute({ command: "openWindow" });
    await window.execute(admit("s1", { by: "model/gpt", origin: "assistant" }));
    expect(await authors(window)).toEqual(["model/gpt"]);
  });

  it.each(["h", "host/other", "human/h", "model/h", "host", "HOST/h", "host/h ", "host/", "/h"])(
    "%j is not vouched for here",
    async (by) => {
      const window = await openWindow(createMemoryLog(), "w", { principals: [HOST] });
      for (const command of [admit("s1"), { command: "show" }, batch([]), { command: "render" }]) {
        expect(await window.executeJson(sentBy(command, by))).toMatchObject({
          refusals: [{ code: "permission-denied" }],
        });
      }
      expect(await authors(window)).toEqual([]);
    },
  );

  it.each(["robot/x", "host/", "host/a b", "host/a/b", "", "host/\n"])(
    "%j is not a principal that a process could vouch for",
    (name) => {
      const open = () => new Window(createMemoryLog(), "w", { principals: [name] });
      expect(open).toThrow(TypeError);
    },
  );

  it("may differ for each command of a batch; the batch says it for the rest", async () => {
    const w = await given(memoryStore);
    await w.accepts(
      batch(
        [
          admit("s1", { by: HUMAN }),
          admit("s2", { origin: "assistant" }),
          admit("s3", { by: HOST }),
        ],
        {
          by: MODEL,
        },
      ),
    );
    expect(await authors(w.window)).toEqual([HUMAN, MODEL, HOST]);
  });

  it("refuses the whole batch when one of it is by somebody else", async () => {
    const w = await given(memoryStore);
    const items = [admit("s1"), admit("s2", { by: "human/else" })];
    const { message } = await w.refuses(batch(items), "permission-denied");
    expect(message).toContain("commands[1]");
    await w.refuses(batch([admit("s1")], { by: "human/else" }), "permission-denied");
  });

  it("decides what the command may do, in a batch of the host as well", async () => {
    const w = await given(memoryStore);
    await w.accepts(admit("rule", { origin: "system" }));
    await w.refuses(batch([rewind(0, { by: MODEL })]), "pinned", { spanId: "rule" });
    await w.accepts(batch([rewind(0, { by: HOST })], { by: MODEL }));
  });
});

describe("a verifier", () => {
  const VERIFIER = "verifier/v";

  it.each([
    admit("s2"),
    batch([admit("s2")]),
    { command: "markRead", spanIds: ["s1"] },
    rewrite("e9", ["s1"], "p"),
    evict("e9", ["s1"]),
    undo("e1"),
    redo("e1"),
    rewind(0),
    { command: "recall", spanId: "gone" },
    { command: "render" },
    { command: "assertClaim", statement: "x" },
    { command: "observeSource", uri: "u", digest: null },
    { command: "retractClaim", claimId: "c1", reason: "x" },
    { command: "noteConflict", a: "c1", b: "c2" },
    { command: "authorPolicy", document: POLICY },
    { command: "openEpoch" },
    propose("q1", ["s1"]),
    settle("q1"),
  ])("does not $command", async (command) => {
    const principals = [HOST, VERIFIER];
    const w = await given(memoryStore, { principals });
    await w.holds("s1", "gone");
    await w.accepts(evict("e1", ["gone"]));
    await w.refuses(sentBy(command, VERIFIER), "permission-denied");
  });

  it("does not open a window", async () => {
    const window = new Window(createMemoryLog(), "w", { principals: [VERIFIER] });
    expect(await window.execute({ command: "openWindow" })).toMatchObject({
      refusals: [{ code: "permission-denied" }],
    });
  });

  it("reads everything", async () => {
    const w = await given(memoryStore);
    await w.holds("s1");
    await w.accepts(evict("e1", ["s1"]));
    const v = w.again({ principals: [VERIFIER] });
    expect(await v.live()).toEqual([]);
    expect(await v.word("e1")).toBe("reversible");
    expect(await v.history()).toHaveLength(4);
    expect(await v.window.probe("e1")).toMatchObject({ recovery: "proven" });
    expect(await v.window.claims()).toEqual([]);
    expect(await v.send({ command: "policies" })).toEqual([]);
  });
});

describe("the model's party", () => {
  it("sends every command that is not held back from it", async () => {
    const w = await given(memoryStore, { principals: [MODEL] });
    const m = w.again({ principals: [MODEL] });
    await m.accepts(admit("s1", { origin: "assistant", kind: "reasoning" }));
    await m.accepts(fact("c1", { carrier: "s1", evidence: true }));
    await m.accepts(fact("c2"));
    await m.accepts(decide("d1", ["c1"]));
    await m.accepts({ command: "noteConflict", a: "c1", b: "c2" });
    await m.accepts(retract("c2"));
    await m.accepts({ command: "authorPolicy", document: POLICY });
    await m.accepts(propose("q1", ["s1"], { rationale: "too much" }));
    await m.accepts(callSpan("c", { provider: { id: 1 }, message: { id: "m", index: 0 } }));
    await m.accepts({ command: "markRead", spanIds: ["s1"] });
    await m.accepts(rewrite("e1", ["s1"], "s2"));
    await m.accepts(undo("e1"));
    await m.accepts(redo("e1"));
    await m.accepts(evict("e4", ["s2"]));
    await m.accepts({ command: "recall", spanId: "s2", as: "s3" });
    await m.accepts(rewind(0, { abandonOpenCalls: true }));
    await m.accepts({ command: "render" });
    expect(new Set(await authors(w.window))).toEqual(new Set([MODEL]));
  });

  it.each([
    ["observe a source", observe("u", null)],
    ["open an epoch", { command: "openEpoch" }],
    ["open an epoch on a policy", { command: "openEpoch", policyId: "p1" }],
    ["settle", settle("q1")],
    ["settle unattended", settle("q1", { unattended: true })],
    ["refuse a proposal", settle("q1", { decision: "refuse" })],
  ])("may not %s, in a batch of the host either", async (_, command) => {
    const w = await given(memoryStore);
    await w.holds("s1");
    await w.accepts({ command: "authorPolicy", policyId: "p1", document: POLICY });
    await w.accepts(propose("q1", ["s1"]));
    await w.refuses(sentBy(command, MODEL), "permission-denied");
    await w.refuses(sentBy(command, "m"), "permission-denied");
    await w.refuses(batchOf([sentBy(command, MODEL)]), "permission-denied");
    await w.refuses(batchOf([command], { by: MODEL }), "permission-denied");
    expect(await w.live()).toEqual(["s1"]);
  });

  it("may not do in a tool call's name what it may not do in its own", async () => {
    const w = await given(memoryStore);
    await w.accepts(admit("rule", { origin: "system" }));
    await w.accepts(callSpan("c"));
    await w.refuses(evict("e1", ["rule"], { by: MODEL, via: "c" }), "pinned");
    await w.refuses(rewind(0, { by: MODEL, via: "c" }), "pinned");
    await w.refuses(resultSpan("c", { by: MODEL, via: "c" }), "permission-denied");
  });

  it("undoes a rewind beside a span that was pinned since, which stays", async () => {
    const w = await given(memoryStore);
    await w.holds("s1");
    await w.accepts(rewind(0, { as: "e1" }));
    await w.accepts(admit("rule", { origin: "system" }));
    await w.accepts(undo("e1", { by: MODEL, strategy: "cascade" }));
    expect(await w.live()).toEqual(["s1", "rule"]);
  });
});
