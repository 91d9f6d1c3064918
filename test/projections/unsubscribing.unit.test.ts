import type { StoredEvent } from "@palimpsest/core";
import { LogError } from "@palimpsest/core";
import { liveWindow } from "@palimpsest/projections";
import { concat, NEVER, of } from "rxjs";
import { beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { appendsOf, emptyHistory, WINDOW } from "../support/projections/histories.ts";
import { settle } from "../support/projections/marbles.ts";
import { record, until } from "../support/projections/recorder.ts";
import { caughtUp, page, scriptedLog } from "../support/projections/scripted-log.ts";
import { admit } from "../support/scenarios/commands.ts";

let appends: StoredEvent[][];
beforeAll(async () => {
  appends = await appendsOf(admit("a"));
});

describe("unsubscribing", () => {
  /** Listeners on abort signals: how this library waits for the end of anything. */
  function countListeners(): () => number {
    const listening = new Map<AbortSignal, Set<unknown>>();
    const { addEventListener: add, removeEventListener: remove } = AbortSignal.prototype;
    const adding = vi.spyOn(AbortSignal.prototype, "addEventListener");
    const removing = vi.spyOn(AbortSignal.prototype, "removeEventListener");
    adding.mockImplementation(function (this: AbortSignal, ...args: Parameters<typeof add>) {
      listening.set(this, (listening.get(this) ?? new Set()).add(args[1]));
      return Reflect.apply(add, this, args);
    });
    removing.mockImplementation(function (this: AbortSignal, ...args: Parameters<typeof remove>) {
      listening.get(this)?.delete(args[1]);
      return Reflect.apply(remove, this, args);
    });
    onTestFinished(() => {
      vi.restoreAllMocks();
    });
    return () => [...listening.values()].reduce((sum, { size }) => sum + size, 0);
  }

  /** Timers that this library, and nobody else, has set. */
  function countTimers(): () => number {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval"] });
    onTestFinished(() => {
      vi.useRealTimers();
    });
    return () => vi.getTimerCount();
  }

  it("frees the log's subscriptions, listeners and timers once the last one has left", async () => {
    const { log, window } = await emptyHistory();
    const listeners = countListeners();
    const timers = countTimers();
    const before = { listeners: listeners(), timers: timers() };
    const all = Array.from({ length: 10 }, () => record(liveWindow(log, WINDOW)));
    await until(() => all.every(({ values }) => values.length === 1), "the first values");
    await window.admit({ origin: "user", content: "x" });
    expect(listeners()).toBeGreaterThan(before.listeners);
    for (const { subscription } of all) subscription.unsubscribe();
    await settle();
    expect({ listeners: listeners(), timers: timers() }).toEqual(before);
  });

  it("frees the timer of a pause", async () => {
    const log = scriptedLog(() => of(new LogError("store-unavailable", "the connection was lost")));
    const listeners = countListeners();
    const timers = countTimers();
    const before = { listeners: listeners(), timers: timers() };
    const options = { resume: { firstDelay: 60_000 } };
    const { subscription } = record(liveWindow(log, WINDOW, options));
    await settle();
    expect(timers()).toBe(before.timers + 1);
    subscription.unsubscribe();
    await settle();
    expect({ listeners: listeners(), timers: timers() }).toEqual(before);
    expect(log.open).toBe(0);
  });

  it("lets the fold go: whoever comes next begins anew", async () => {
    const script = concat(of(page(appends.flat()), caughtUp), NEVER);
    const log = scriptedLog(() => script);
    const window = liveWindow(log, WINDOW);
    for (let time = 1; time <= 2; time += 1) {
      const { values, subscription } = record(window);
      await until(() => values.length === 1, "the first value");
      subscription.unsubscribe();
      expect(log.resumed.length).toBe(time);
    }
  });
});
