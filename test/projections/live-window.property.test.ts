import type { EventLog, LogReader, SubscriptionMessage } from "@palimpsest/core";
import { createMemoryLog, LogError } from "@palimpsest/core";
import type { LiveWindow } from "@palimpsest/projections";
import { foldWindow, liveWindow, paced } from "@palimpsest/projections";
import fc from "fast-check";
import type { Subscription } from "rxjs";
import { describe, expect, it } from "vitest";
import type { Op } from "../support/projections/histories.ts";
import { arbitraryOp, emptyHistory, perform, WINDOW } from "../support/projections/histories.ts";
import { settle } from "../support/projections/marbles.ts";
import { until } from "../support/projections/recorder.ts";

const numRuns = process.env.PALIMPSEST_LONG === undefined ? 60 : 200;

/** What happens next: a command, somebody comes or goes, time passes, the connection is lost. */
type Step =
  | { readonly do: "command"; readonly op: Op }
  /** `lag`: turns of the event loop that it takes over a window; 0: none. */
  | { readonly do: "subscribe"; readonly lag: number }
  | { readonly do: "unsubscribe"; readonly pick: number }
  | { readonly do: "settle" }
  | { readonly do: "lose" };

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 8, arbitrary: fc.record({ do: fc.constant("command" as const), op: arbitraryOp }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant("subscribe" as const), lag: fc.nat(6) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant("unsubscribe" as const), pick: fc.nat(9) }),
  },
  { weight: 2, arbitrary: fc.constant({ do: "settle" as const }) },
  { weight: 1, arbitrary: fc.constant({ do: "lose" as const }) },
);

/** A log whose subscriptions all break when `lose` is called. */
function breakableLog(log: EventLog): LogReader & { lose(): void } {
  let breaks = 0;
  return {
    ...log,
    async *subscribe(target, options): AsyncGenerator<SubscriptionMessage> {
      const begun = breaks;
      for await (const message of log.subscribe(target, options)) {
        if (breaks !== begun) throw new LogError("outcome-unknown", "the connection was lost");
        yield message;
      }
    },
    lose: () => {
      breaks += 1;
    },
  };
}

/** A subscriber that knows the live spans from `changes` alone. */
class Subscriber {
  readonly live = new Set<string>();
  readonly subscription: Subscription;
  last: LiveWindow | undefined;

  constructor(log: LogReader, lag: number) {
    const windows = liveWindow(log, WINDOW, OPTIONS);
    this.subscription =
      lag === 0
        ? windows.subscribe((window) => this.#take(window))
        : windows.pipe(paced((window) => settle(lag).then(() => this.#take(window)))).subscribe();
  }

  #take(window: LiveWindow): void {
    const { since, entered, left, returned } = window.changes;
    expect(since).toBe(this.last?.revision ?? -1);
    for (const id of left) expect(this.live.delete(id)).toBe(true);
    for (const id of [...entered, ...returned]) {
      expect(this.live.has(id)).toBe(false);
      this.live.add(id);
    }
    this.last = window;
  }
}

const OPTIONS = { resume: { firstDelay: 1 } };

async function run(steps: readonly Step[]): Promise<void> {
  const { log, window } = await emptyHistory(createMemoryLog());
  const breakable = breakableLog(log);
  const subscribers = [new Subscriber(breakable, 0)];
  for (const [i, one] of steps.entries()) {
    if (one.do === "command") await perform(window, one.op, i);
    if (one.do === "subscribe") subscribers.push(new Subscriber(breakable, one.lag));
    if (one.do === "unsubscribe" && subscribers.length > 1) {
      const [gone] = subscribers.splice(one.pick % subscribers.length, 1);
      gone?.subscription.unsubscribe();
    }
    if (one.do === "settle") await settle(1);
    if (one.do === "lose") breakable.lose();
  }
  const head = (await log.head(`window-${WINDOW}`)) ?? -1;
  // A connection is found to be lost when the log says something: this is the last event.
  await window.admit({ spanId: "last", origin: "user", content: "the end" });
  const done = () => subscribers.every(({ last }) => last?.revision === head + 1);
  await until(done, "all subscribers to be at rest");
  const plain = foldWindow(await window.history());
  for (const { last, live, subscription } of subscribers) {
    expect(last?.view).toEqual(plain.view);
    expect([...live].sort()).toEqual(plain.spans.map(({ spanId }) => spanId).sort());
    subscription.unsubscribe();
  }
}

describe("for random histories and random subscribers", () => {
  it("what a subscriber holds at rest is a plain fold of the log; no change was left out", async () => {
    await fc.assert(fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 80 }), run), {
      numRuns,
    });
  });
});
