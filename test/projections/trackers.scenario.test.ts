import type { Json, WindowEvent } from "@palimpsest/core";
import { parseRendering } from "@palimpsest/core";
import type { Moment } from "@palimpsest/projections";
import {
  claims,
  editStatus,
  foldWindow,
  liveWindow,
  memorySnapshots,
  policyHistory,
  reads,
  renderedWindow,
  timeTravel,
  tokenBudget,
} from "@palimpsest/projections";
import type { Observable } from "rxjs";
import { describe, expect, it } from "vitest";
import { foreignEvents } from "../support/projections/foreign-writer.ts";
import { assertClaim, idsOf, liveNow, now, standingOf } from "../support/projections/now.ts";
import { until } from "../support/projections/recorder.ts";
import { admit, batch, evict, undo } from "../support/scenarios/commands.ts";
import { given, MODEL } from "../support/scenarios/given.ts";
import { stores } from "../support/scenarios/stores.ts";

describe.each(stores)("public trackers, seen through the projections, on $name", (store) => {
  it("a result that never had a call: every projection stays total", async () => {
    const story = await given(store);
    story.expectsDamage();
    const result: WindowEvent = {
      type: "SpanAdmitted",
      data: {
        spanId: "orphan",
        origin: "tool",
        kind: "tool-result",
        call: "never-made",
        content: "output",
        tokens: 2,
        digest: "0".repeat(64),
      },
    };
    await story.log.append("window-w", foreignEvents("import", [result]), "any");
    const window = await liveNow(story);
    expect(parseRendering(window.rendered).spans).toMatchObject([{ spanId: "orphan" }]);
    const all: Observable<{ readonly revision: number }>[] = [
      editStatus(story.log, "w"),
      tokenBudget(story.log, "w"),
      reads(story.log, "w"),
      claims(story.log, "w"),
      policyHistory(story.log, "w"),
      renderedWindow(story.log, "w"),
    ];
    for (const projection of all) {
      expect(JSON.stringify(await now(story, projection))).toContain('"revision":1');
    }
  });

  it("a replay from a tail: refused, or taken up from a snapshot that fits", async () => {
    const story = await given(store);
    await story.holds(...Array.from({ length: 20 }, (_, i) => `s${i}`));
    const snapshots = memorySnapshots();
    const options = { snapshots, snapshotEvery: 8 };
    const whole = await timeTravel(story.log, "w", options).at(20);
    const tail: typeof story.log = {
      ...story.log,
      read: (stream, { from = 0, ...rest } = {}) =>
        story.log.read(stream, { from: Math.max(10, from), ...rest }),
    };
    await expect(timeTravel(tail, "w").at(20)).rejects.toThrow(/the events between, or a snapshot/);
    const moment: Moment = await timeTravel(tail, "w", options).at(20);
    expect(moment.budget.tokens).toBe(whole.budget.tokens);
  });

  it("nothing to jump to: every edit is an undo point; an open proposal leaves no trace", async () => {
    const story = await given(store);
    await story.holds("a", "b");
    await story.accepts(evict("e1", ["a"]));
    await story.accepts(evict("e2", ["b"]));
    const before = await liveNow(story);
    await story.accepts({ command: "proposePruning", candidates: ["a"], by: MODEL });
    const after = await liveNow(story);
    expect(after.since(before).changes).toMatchObject({ entered: [], left: [], returned: [] });
    expect(after.rendered).toBe(before.rendered);
    const { edits } = await now(story, editStatus(story.log, "w"));
    expect(edits.map(({ effect, blockers }) => [effect, blockers])).toEqual([
      ["applied", []],
      ["applied", []],
    ]);
  });

  it("an edit on a stale list: whoever prunes on seeing an undo prunes what it left", async () => {
    const story = await given(store);
    await story.holds("a", "b");
    await story.accepts(evict("e", ["a"]));
    const seen: string[][] = [];
    const pruner = liveWindow(story.log, "w").subscribe((window) => {
      seen.push(idsOf(window));
      const [back] = window.changes.returned;
      if (back !== undefined) void story.accepts(evict("again", [back, "b"]));
    });
    await story.accepts(undo("e"));
    await until(() => seen.at(-1)?.length === 0, "the prune");
    expect(seen).toEqual([["b"], ["a", "b"], []]);
    pruner.unsubscribe();
  });

  it("side state: every projection rebuilt at a revision belongs to it", async () => {
    const story = await given(store);
    await story.accepts(admit("a"));
    await story.accepts(assertClaim("c", "a"));
    await story.accepts({ command: "markRead", spanIds: ["a"] });
    const then = await story.head();
    await story.accepts(batch([admit("b"), evict("e", ["a"])]));
    await story.accepts({ command: "markRead", spanIds: ["b"] });
    await story.accepts({ command: "retractClaim", claimId: "c", reason: "wrong" });
    const moment = await timeTravel(story.log, "w").at(then);
    expect(idsOf(await moment.window())).toEqual(["a"]);
    expect(standingOf(moment.claims, "c")).toBe("verified");
    expect(moment.reads.spans).toMatchObject([{ spanId: "a", live: true }]);
    expect(moment.edits.edits).toEqual([]);
    expect(moment.budget.series.at(-1)?.revision).toBe(then);
    expect(moment.policies.revision).toBe(then);
  });

  it("cleared without a word: a gap with a pointer, and counted", async () => {
    const story = await given(store);
    await story.holds("a", "b", "c");
    await story.accepts(evict("e", ["b"]));
    const { gaps, ledger, rendered } = await liveNow(story);
    expect(gaps).toEqual([{ after: "a", spans: ["b"], edits: ["e"] }]);
    expect(ledger.outOfView).toBe(1);
    expect(parseRendering(rendered).gaps).toMatchObject([{ after: "a", spans: 1, named: ["e"] }]);
  });

  it("checkpoints that explode: snapshots of 3,000 steps of 1 KB stay small", async () => {
    const story = await given(store);
    const content: Json = "x".repeat(1_024);
    for (let i = 0; i < 30; i += 1) {
      const step = Array.from({ length: 100 }, () => ({
        command: "admitSpan" as const,
        origin: "tool" as const,
        content,
      }));
      await story.accepts(batch(step));
    }
    let bytes = 0;
    const inner = memorySnapshots();
    const snapshots: typeof inner = {
      ...inner,
      save(snapshot, blocks) {
        bytes += snapshot.manifest.length;
        for (const block of blocks.values()) bytes += block.length;
        return inner.save(snapshot, blocks);
      },
    };
    const travel = timeTravel(story.log, "w", { snapshots, snapshotEvery: 256 });
    const { state } = await travel.at(await story.head());
    expect(state.liveCount).toBe(3_000);
    expect(bytes).toBeLessThan(3_000 * 1_024);
  });
});

describe.each(stores)("what an auditor checks, on $name", (store) => {
  it("each rendering that was recorded is what a plain fold up to there gives", async () => {
    const story = await given(store);
    await story.holds("a", "b");
    await story.accepts({ command: "render" });
    await story.accepts(evict("e", ["a"]));
    await story.accepts({ command: "render" });
    const events = await story.history();
    for (const { type, data, revision } of events) {
      if (type !== "WindowRendered") continue;
      const { rendered } = foldWindow(events.slice(0, data.at + 1));
      const moment = await timeTravel(story.log, "w").at(data.at);
      expect((await moment.rendered()).digest).toBe(data.digest);
      expect((await moment.rendered()).text).toBe(rendered);
      expect(revision).toBeGreaterThan(data.at);
    }
  });
});
