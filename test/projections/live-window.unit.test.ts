import type { WindowView } from "@palimpsest/core";
import { contentDigest } from "@palimpsest/core";
import type { LiveWindow } from "@palimpsest/projections";
import {
  foldWindow,
  liveWindow,
  reads,
  renderedWindow,
  tokenBudget,
} from "@palimpsest/projections";
import { firstValueFrom } from "rxjs";
import { describe, expect, it } from "vitest";
import { record, until } from "../support/projections/recorder.ts";
import { verdict } from "../support/projections/verdicts.ts";
import {
  admit,
  callSpan,
  evict,
  resultSpan,
  rewrite,
  undo,
} from "../support/scenarios/commands.ts";
import type { Story } from "../support/scenarios/given.ts";
import { given } from "../support/scenarios/given.ts";
import { memoryStore, stores } from "../support/scenarios/stores.ts";

/** The live window of a story, once it shows what was written last. */
async function live(story: Story): Promise<LiveWindow> {
  const { values, subscription } = record(liveWindow(story.log, "w"));
  const head = await story.head();
  await until(() => values.at(-1)?.revision === head, `revision ${head}`);
  subscription.unsubscribe();
  return values.at(-1) as LiveWindow;
}

describe.each(stores)("the live window, on $name", (store) => {
  it("is what `show` answers, at every append", async () => {
    const story = await given(store, { budgetTokens: 12 });
    const { values, subscription } = record(liveWindow(story.log, "w"));
    await until(() => values.length === 1, "the first value");
    const shown: WindowView[] = [await story.view()];
    for (const command of [
      admit("a"),
      callSpan("c", { content: { name: "ls", arguments: {} } }),
      resultSpan("c"),
      rewrite("e1", ["result:c"], "short", "…"),
      evict("e2", ["a"]),
      undo("e1"),
      { command: "recall", spanId: "a" },
      { command: "markRead", spanIds: ["call:c"] },
      { command: "render" },
    ]) {
      await story.accepts(command);
      shown.push(await story.view());
    }
    await until(() => values.length === shown.length, "one value for every append");
    expect(values.map(({ view }) => view)).toEqual(shown);
    const last = values.at(-1) as LiveWindow;
    const { tokens, budget, overBudget, spans, gaps, ledger, rendered, epoch } = last;
    expect({ tokens, budget, overBudget, spans, gaps, ledger, rendered, epoch }).toEqual({
      ...shown.at(-1),
      window: undefined,
      revision: undefined,
    });
    expect([last.edits, last.records, last.verified]).toEqual([3, 3, null]);
    subscription.unsubscribe();
  });

  it("sees what another handle on the store appends", async () => {
    const story = await given(store);
    const { values, subscription } = record(liveWindow(story.log, "w"));
    await until(() => values.length === 1, "the first value");
    await story.again().accepts(admit("a"));
    await until(() => values.length === 2, "the append of the other handle");
    expect(values[1]?.changes.entered).toEqual(["a"]);
    subscription.unsubscribe();
  });

  it("is empty, at revision −1, until the window is opened", async () => {
    const story = await given(store);
    const window = await firstValueFrom(liveWindow(story.log, "another"));
    expect(window.revision).toBe(-1);
    expect([window.spans, window.changes.entered, window.tokens]).toEqual([[], [], 0]);
  });

  it("is a value: it shows what it showed, whatever happened since", async () => {
    const story = await given(store);
    await story.holds("a", "b");
    const before = await live(story);
    await story.accepts(evict("e", ["a"]));
    const after = await live(story);
    expect(before.spans.map(({ content }) => content)).toEqual(["text of a", "text of b"]);
    expect(after.spans.map(({ content }) => content)).toEqual(["text of b"]);
    expect(() => {
      (after.spans[0] as { content: unknown }).content = "changed";
    }).not.toThrow(); // a view is the reader's own
    expect((await live(story)).spans[0]?.content).toBe("text of b");
  });

  it("shares content that nobody can change", async () => {
    const story = await given(store);
    await story.accepts(admit("a", { content: { deep: [1] } }));
    const [span] = (await live(story)).spans;
    expect(Object.isFrozen(span?.content)).toBe(true);
  });
});

describe("the live window and its verdicts", () => {
  it("shows the revision a verdict covers, and never one that is not there yet", async () => {
    const story = await given(memoryStore);
    await story.holds("a");
    const { values, subscription } = record(liveWindow(story.log, "w"));
    const say = (status: string, size: number) =>
      story.log.append("verdict-w", [verdict("VerdictIssued", { status, size })], "any");
    await say("holds", 2);
    await until(() => values.at(-1)?.verified === 1, "the verdict");
    expect(values.at(-1)?.changes).toMatchObject({ entered: [], left: [], firstChanged: null });
    expect(values.at(-1)?.ledger.verified).toBe(1);
    await say("violated", 2);
    await until(() => values.at(-1)?.verified === null, "the second verdict");
    await say("holds", 9);
    await until(() => values.at(-1)?.verified === 1, "the third verdict");
    subscription.unsubscribe();
  });
});

describe.each(stores)("the other projections, on $name", (store) => {
  it("renderedWindow gives the bytes that `render` hands out, and their digest", async () => {
    const story = await given(store);
    await story.holds("a", "b");
    await story.accepts(evict("e", ["a"]));
    const rendering = await firstValueFrom(renderedWindow(story.log, "w"));
    const answer = await story.accepts({ command: "render" });
    expect(rendering.text).toBe(answer.rendered);
    const recorded = (await story.history()).at(-1);
    expect(recorded?.data).toMatchObject({ digest: rendering.digest });
    expect(rendering.digest).toBe(contentDigest(rendering.text));
  });

  it("tokenBudget gives a point for every append", async () => {
    const story = await given(store, { budgetTokens: 5 });
    await story.accepts(admit("a", { content: "12345678" }));
    await story.accepts(admit("b", { content: "123456789012" }));
    await story.accepts(rewrite("e", ["b"], "c", "1234"));
    await story.accepts(undo("e"));
    const budget = await firstValueFrom(tokenBudget(story.log, "w"));
    expect(JSON.parse(JSON.stringify(budget))).toEqual({
      revision: 6,
      tokens: 5,
      budget: 5,
      overBudget: false,
      series: [
        { revision: 0, spanTokens: 0 },
        { revision: 1, spanTokens: 2 },
        { revision: 2, spanTokens: 5 },
        { revision: 4, spanTokens: 3 },
        { revision: 6, spanTokens: 5 },
      ],
    });
  });

  it("reads counts what was marked as read or recalled, the most read first", async () => {
    const story = await given(store);
    await story.holds("a", "b", "c");
    await story.accepts({ command: "markRead", spanIds: ["b", "c"] });
    await story.accepts({ command: "markRead", spanIds: ["c"] });
    await story.accepts(evict("e", ["c"]));
    const { spans } = await firstValueFrom(reads(story.log, "w"));
    expect(spans).toEqual([
      { spanId: "c", reads: 2, live: false },
      { spanId: "b", reads: 1, live: true },
    ]);
  });
});

describe("foldWindow", () => {
  it("is empty for no events", () => {
    expect(foldWindow([]).revision).toBe(-1);
  });

  it("refuses events that do not begin at the beginning", async () => {
    const story = await given(stores[0] as (typeof stores)[number]);
    await story.holds("a");
    const events = await story.history();
    expect(() => foldWindow(events.slice(1))).toThrow(/at revision 1 where 0 should be/);
  });
});
