import type { StoredEvent } from "@palimpsest/core";
import { createMemoryLog, LogError, openWindow } from "@palimpsest/core";
import type { LiveWindow, ProjectionOptions } from "@palimpsest/projections";
import { folded, liveWindow, MissingHistoryError, ProjectionError } from "@palimpsest/projections";
import type { Observable } from "rxjs";
import { concat, config, NEVER, of } from "rxjs";
import { beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { rewindEvents } from "../support/projections/foreign-writer.ts";
import { appendsOf, emptyHistory, WINDOW } from "../support/projections/histories.ts";
import { settle } from "../support/projections/marbles.ts";
import { record, until } from "../support/projections/recorder.ts";
import type { Said } from "../support/projections/scripted-log.ts";
import { caughtUp, page, scriptedLog } from "../support/projections/scripted-log.ts";
import { admit, evict, undo } from "../support/scenarios/commands.ts";
import { damagedLog } from "../support/scenarios/damaged-log.ts";

const STREAM = `window-${WINDOW}`;
const lost = () => new LogError("store-unavailable", "the connection was lost");
const revisionOf = ({ revision }: LiveWindow): number => revision;

let appends: StoredEvent[][];
beforeAll(async () => {
  appends = await appendsOf(admit("a"), admit("b"), evict("e", ["a"]), undo("e"));
});

/** A log whose connections say what is listed for them, one after another. */
function connections(...scripts: readonly Observable<Said>[]) {
  let next = 0;
  return scriptedLog(() => scripts[next++] ?? NEVER, appends.flat());
}

const pages = (from: number, to: number): Said[] => appends.slice(from, to).map(page);
const quick = (attempts?: number): ProjectionOptions => ({
  resume: { firstDelay: 1, ...(attempts !== undefined && { attempts }) },
});

describe("a lost connection", () => {
  it("is made again from the last revision; subscribers notice nothing", async () => {
    const log = connections(
      of(...pages(0, 2), caughtUp, lost()),
      of(lost()),
      concat(of(...pages(2, 3), caughtUp), NEVER),
    );
    const { values, ends, subscription } = record(liveWindow(log, WINDOW, quick()));
    await until(() => values.length === 2, "the value after the connection was lost");
    expect(values.map(revisionOf)).toEqual([1, 2]);
    expect(log.resumed).toEqual([undefined, "1", "1"]);
    expect(ends).toEqual([]);
    subscription.unsubscribe();
  });

  it("in the middle of an append is made again from the end of the one before", async () => {
    const [record1, edit1] = appends[3] as [StoredEvent, StoredEvent];
    const log = connections(
      of(...pages(0, 3), caughtUp, page([record1]), lost()),
      concat(of(page([record1, edit1])), NEVER),
    );
    const { values, subscription } = record(liveWindow(log, WINDOW, quick()));
    await until(() => values.length === 2, "the whole append");
    expect(values.map(revisionOf)).toEqual([2, 4]);
    expect(log.resumed).toEqual([undefined, "2"]);
    subscription.unsubscribe();
  });

  it("before the first value is caught up with later", async () => {
    const log = connections(
      of(...pages(0, 2), lost()),
      concat(of(...pages(2, 4), caughtUp), NEVER),
    );
    const { values, subscription } = record(liveWindow(log, WINDOW, quick()));
    await until(() => values.length === 1, "the first value");
    expect(values.map(revisionOf)).toEqual([4]);
    subscription.unsubscribe();
  });

  it("is passed on after as many attempts as were asked for", async () => {
    const log = connections(of(caughtUp, lost()), of(lost()), of(lost()), of(lost()));
    const { values, ends } = record(liveWindow(log, WINDOW, quick(2)));
    await until(() => ends.length === 1, "the error");
    expect(ends[0]).toMatchObject({ code: "store-unavailable" });
    expect(log.resumed.length).toBe(3);
    expect(values.map(revisionOf)).toEqual([-1]);
  });

  it("is waited for with longer and longer pauses", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => {
      vi.useRealTimers();
    });
    const log = connections(of(lost()), of(lost()), of(lost()), of(lost()));
    const options = { resume: { firstDelay: 100, maxDelay: 250 } };
    const { subscription } = record(liveWindow(log, WINDOW, options));
    const attempts: number[] = [];
    for (let time = 0; time < 800; time += 50) {
      await settle();
      attempts.push(log.resumed.length);
      await vi.advanceTimersByTimeAsync(50);
    }
    // At 0, 100, 300, 550 and 800 milliseconds: 100, then 200, then never more than 250.
    expect(attempts).toEqual([1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 3, 4, 4, 4, 4, 4]);
    subscription.unsubscribe();
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe("a reducer that throws", () => {
  const counting = {
    initial: 0,
    fold: (count: number, events: readonly StoredEvent[]) => {
      for (const { type } of events)
        if (type === "WindowEdited") throw new Error("no edits, please");
      return count + events.length;
    },
  };

  it("surfaces with stream, revision and event id, and ends no other projection", async () => {
    const log = connections(concat(of(...pages(0, 2), caughtUp, ...pages(2, 5)), NEVER), NEVER);
    const other = scriptedLog(() => concat(of(...pages(0, 2), caughtUp, ...pages(2, 5)), NEVER));
    const failing = record(folded(log, STREAM, counting));
    const going = record(liveWindow(other, WINDOW));
    await until(() => failing.ends.length === 1, "the error");
    const edit = appends[3]?.[1] as StoredEvent;
    expect(failing.values).toEqual([2, 3]);
    expect(failing.ends[0]).toBeInstanceOf(ProjectionError);
    expect(failing.ends[0]).toMatchObject({
      stream: STREAM,
      revision: 4,
      eventId: edit.id,
      cause: new Error("no edits, please"),
    });
    await until(() => going.values.length === 4, "the others");
    expect(going.values.map(revisionOf)).toEqual([1, 2, 4, 6]);
    going.subscription.unsubscribe();
  });

  it("names the event in a page of many, too, and can be subscribed to again", async () => {
    const script = concat(of(page(appends.flat()), caughtUp), NEVER);
    const log = connections(script, script);
    const projection = folded(log, STREAM, counting);
    for (let attempt = 1; attempt <= 2; attempt += 1) {
      const { ends } = record(projection);
      await until(() => ends.length === 1, "the error");
      expect(ends[0]).toMatchObject({ revision: 4 });
      expect(log.resumed.length).toBe(attempt);
    }
  });
});

describe("a subscriber", () => {
  it("that throws keeps nothing from the others", async () => {
    const reported = vi.fn();
    config.onUnhandledError = reported;
    onTestFinished(() => {
      config.onUnhandledError = null;
    });
    const { log, window } = await emptyHistory();
    const failing = liveWindow(log, WINDOW).subscribe(() => {
      throw new Error("the screen is gone");
    });
    const { values, subscription } = record(liveWindow(log, WINDOW));
    await until(() => values.length === 1, "the first value");
    await window.admit({ origin: "user", content: "x" });
    await until(() => values.length === 2, "the second value");
    await until(() => reported.mock.calls.length === 2, "what the subscriber threw");
    for (const one of [failing, subscription]) one.unsubscribe();
  });

  it("may append: everybody sees the appends in order", async () => {
    const { log, window } = await emptyHistory();
    const left: number[] = [];
    const writer = liveWindow(log, WINDOW).subscribe(({ revision }) => {
      left.push(revision);
      if (revision < 5) void window.admit({ origin: "user", content: `after ${revision}` });
    });
    const { values, subscription } = record(liveWindow(log, WINDOW));
    await until(() => values.at(-1)?.revision === 5, "revision 5");
    expect(left).toEqual([0, 1, 2, 3, 4, 5]);
    expect(values.map(revisionOf)).toEqual([0, 1, 2, 3, 4, 5]);
    for (const one of [writer, subscription]) one.unsubscribe();
  });

  it("may subscribe and unsubscribe others while it is given a value", async () => {
    const { log, window } = await emptyHistory();
    const second = record(liveWindow(log, WINDOW));
    const inner: number[][] = [];
    const { values, subscription } = record(liveWindow(log, WINDOW), ({ revision }) => {
      const late = record(liveWindow(log, WINDOW));
      inner.push(late.values.map(revisionOf));
      late.subscription.unsubscribe();
      if (revision === 1) second.subscription.unsubscribe();
    });
    await until(() => values.length === 1, "the first value");
    for (const content of ["x", "y"]) await window.admit({ origin: "user", content });
    await until(() => values.length === 3, "all values");
    expect(inner).toEqual([[0], [1], [2]]);
    expect(second.values.map(revisionOf)).toEqual([0, 1]);
    subscription.unsubscribe();
  });
});

describe("a stream", () => {
  it("is never folded from its middle", async () => {
    const log = connections(concat(of(...pages(2, 4), caughtUp), NEVER));
    const { values, ends } = record(liveWindow(log, WINDOW));
    await until(() => ends.length === 1, "the refusal");
    expect(ends[0]).toBeInstanceOf(MissingHistoryError);
    expect(ends[0]).toMatchObject({ stream: STREAM, expected: 0, found: 2 });
    expect(values).toEqual([]);
  });

  it("with an event missing is not folded past the gap", async () => {
    const log = connections(concat(of(...pages(0, 1), caughtUp, ...pages(2, 3)), NEVER));
    const { values, ends } = record(liveWindow(log, WINDOW));
    await until(() => ends.length === 1, "the refusal");
    expect(values.map(revisionOf)).toEqual([0]);
    expect(ends[0]).toMatchObject({ expected: 1, found: 2 });
  });
});

describe("content that comes back into view", () => {
  it("is read from the log again, and shown as lost when the log lost it", async () => {
    const inner = createMemoryLog();
    const log = damagedLog(inner);
    const window = await openWindow(log, WINDOW);
    const { values, subscription } = record(liveWindow(log, WINDOW));
    await window.admit({ spanId: "a", origin: "user", content: "the words" });
    await window.evict(["a"], { editId: "e" });
    await window.undo("e");
    await until(() => values.at(-1)?.revision === 5, "the undo");
    expect(values.at(-1)?.spans.map(({ content }) => content)).toEqual(["the words"]);
    await window.redo("e");
    log.lose(1);
    // This library would refuse the undo; another writer might not.
    await inner.append(STREAM, rewindEvents({ to: 1, ordinal: 4 }), "any");
    await until(() => values.at(-1)?.revision === 9, "the rewind");
    const [span] = values.at(-1)?.spans ?? [];
    expect(span?.content).toMatch(/^\[the content of span a is lost/);
    subscription.unsubscribe();
  });
});
