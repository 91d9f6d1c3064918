import type { StoredEvent, SubscriptionMessage } from "@palimpsest/core";
import { EventNotUnderstoodError, LogError } from "@palimpsest/core";
import type { LiveWindow } from "@palimpsest/projections";
import {
  claims,
  editStatus,
  folded,
  liveWindow,
  ProjectionError,
  policyHistory,
  reads,
  renderedWindow,
  storedEvents,
  tokenBudget,
} from "@palimpsest/projections";
import type { Observable } from "rxjs";
import { map } from "rxjs";
import { beforeAll, describe, expect, it } from "vitest";
import { appendsOf, WINDOW } from "../support/projections/histories.ts";
import { Marbles } from "../support/projections/marbles.ts";
import type { Said, ScriptedLog } from "../support/projections/scripted-log.ts";
import { caughtUp, page, scriptedLog } from "../support/projections/scripted-log.ts";
import { verdict } from "../support/projections/verdicts.ts";
import { admit, evict } from "../support/scenarios/commands.ts";

let opened: StoredEvent[];
let first: StoredEvent[];
let second: StoredEvent[];
let evicted: StoredEvent[];
let broken: StoredEvent;
let said: Readonly<Record<string, Said>>;

beforeAll(async () => {
  const appends = await appendsOf(admit("a"), admit("b"), evict("e", ["a"]));
  [opened, first, second, evicted] = appends as [
    StoredEvent[],
    StoredEvent[],
    StoredEvent[],
    StoredEvent[],
  ];
  broken = { ...(first[0] as StoredEvent), type: "SpanForgotten" };
  said = {
    o: page(opened),
    a: page(first),
    b: page(second),
    e: page(evicted),
    r: page(evicted.slice(0, 1)),
    w: page(evicted.slice(1)),
    m: page([...first, ...second]),
    x: page([broken]),
    c: caughtUp,
    h: page([verdictEvent("holds", 0)]),
    v: page([verdictEvent("violated", 1)]),
    l: new LogError("store-damaged", "the file is damaged"),
  };
});

function verdictEvent(status: string, revision: number): StoredEvent {
  const event = verdict("VerdictIssued", { status, size: 2 });
  return { ...event, stream: `verdict-${WINDOW}`, revision };
}

const revision = { brief: (value: { readonly revision: number }) => value.revision };
const at = { O: 0, A: 1, B: 2, E: 4 };

/** Every public Observable of a window; all of them have the same marbles. */
const observables: readonly [
  string,
  (log: ScriptedLog) => Observable<{ readonly revision: number }>,
][] = [
  ["liveWindow", (log) => liveWindow(log, WINDOW)],
  ["renderedWindow", (log) => renderedWindow(log, WINDOW)],
  ["editStatus", (log) => editStatus(log, WINDOW)],
  ["tokenBudget", (log) => tokenBudget(log, WINDOW)],
  ["reads", (log) => reads(log, WINDOW)],
  ["claims", (log) => claims(log, WINDOW)],
  ["policyHistory", (log) => policyHistory(log, WINDOW)],
  [
    "folded",
    (log) => {
      const last = {
        initial: -1,
        fold: (_: number, events: readonly StoredEvent[]) => events.at(-1)?.revision ?? -1,
      };
      return folded(log, `window-${WINDOW}`, last).pipe(map((number) => ({ revision: number })));
    },
  ],
];

describe.each(observables)("%s, in marbles", (_name, observe) => {
  it("gives its first value once it has caught up, then one for every append", async () => {
    const marbles = new Marbles();
    const log = scriptedLog(() => marbles.hot("-o-a-c-b-e-", said));
    marbles.expect(observe(log), revision, "-----A-B-E-", at);
    await marbles.run(11);
  });

  it("takes a page of several appends apart, and never shows half an append", async () => {
    const marbles = new Marbles();
    const log = scriptedLog(() => marbles.hot("-o-c-m--r--w-", said));
    marbles.expect(observe(log), revision, "---O-(AB)--E-", at);
    await marbles.run(13);
  });

  it("shares one connection; a late subscriber gets the present value at once", async () => {
    const marbles = new Marbles();
    const log = scriptedLog(() => marbles.hot("-o-c-a---b-", said));
    const values = observe(log);
    marbles.expect(values, revision, "---O-A---B-", at);
    marbles.expect(values, { ...revision, subscription: "-------^" }, "-------A-B-", at);
    await marbles.run(11);
    expect(log.resumed).toEqual([undefined]);
  });

  it("goes on for others when one unsubscribes", async () => {
    const marbles = new Marbles();
    const log = scriptedLog(() => marbles.hot("-o-c-a---b-", said));
    const values = observe(log);
    marbles.expect(values, { ...revision, subscription: "^------!" }, "---O-A-----", at);
    marbles.expect(values, revision, "---O-A---B-", at);
    await marbles.run(11);
  });

  it("completes for all when the log is closed", async () => {
    const marbles = new Marbles();
    const log = scriptedLog(() => marbles.hot("-o-c-a-|", said));
    const values = observe(log);
    marbles.expect(values, revision, "---O-A-|", at);
    marbles.expect(values, { ...revision, subscription: "------^" }, "------A|", at);
    await marbles.run(8);
    expect(log.open).toBe(0);
  });

  it("passes an error of the log on to all, after what came before it", async () => {
    const marbles = new Marbles();
    const log = scriptedLog(() => marbles.hot("-o-c-a-l-", said));
    const values = observe(log);
    marbles.expect(values, revision, "---O-A-#-", at, said.l);
    marbles.expect(values, revision, "---O-A-#-", at, said.l);
    await marbles.run(9);
  });
});

describe.each(observables.filter(([name]) => name !== "folded"))(
  "%s, in marbles",
  (_n, observe) => {
    it("says at which event it cannot go on, to everybody", async () => {
      const marbles = new Marbles();
      const log = scriptedLog(() => marbles.hot("-o-c---x-", said));
      const values = observe(log);
      const cause = new EventNotUnderstoodError(broken, 'unknown type "SpanForgotten"');
      const error = new ProjectionError(broken, cause);
      marbles.expect(values, revision, "---O---#-", at, error);
      marbles.expect(values, revision, "---O---#-", at, error);
      await marbles.run(9);
    });
  },
);

describe("all projections of a window", () => {
  it("share one connection and one fold", async () => {
    const marbles = new Marbles();
    const log = scriptedLog(() => marbles.hot("-o-c-a-", said));
    for (const [name, observe] of observables) {
      if (name !== "folded") marbles.expect(observe(log), revision, "---O-A-", at);
    }
    await marbles.run(7);
    expect(log.resumed).toEqual([undefined]);
  });
});

describe("liveWindow, in marbles", () => {
  it("counts the changes of each subscriber from what that one was given", async () => {
    const marbles = new Marbles();
    const log = scriptedLog(() => marbles.hot("-o-a-c-b-e-", said));
    const brief = ({ changes: { entered, left } }: LiveWindow) => `+${entered} -${left}`;
    const values = { f: "+a -", n: "+b -", x: "+ -a", y: "+a,b -" };
    marbles.expect(liveWindow(log, WINDOW), { brief }, "-----f-n-x-", values);
    marbles.expect(
      liveWindow(log, WINDOW),
      { brief, subscription: "--------^" },
      "--------yx-",
      values,
    );
    await marbles.run(11);
  });
});

describe("verdicts, in marbles", () => {
  const judged = (marbles: Marbles) =>
    scriptedLog(() => marbles.hot("-o-c-a-----", said), [], marbles.hot("c------h-v-", said));

  it("give a window one more value each, with no changes", async () => {
    const marbles = new Marbles();
    const brief = ({ verified, changes: { entered } }: LiveWindow) => `${verified} +${entered}`;
    const values = { O: "null +", A: "null +a", H: "1 +", V: "null +" };
    marbles.expect(liveWindow(judged(marbles), WINDOW), { brief }, "---O-A-H-V-", values);
    await marbles.run(11);
  });

  it("give editStatus one more value each, and nothing to what does not read them", async () => {
    const marbles = new Marbles();
    const log = judged(marbles);
    marbles.expect(editStatus(log, WINDOW), revision, "---O-A-A-A-", at);
    marbles.expect(claims(log, WINDOW), revision, "---O-A-----", at);
    await marbles.run(11);
  });
});

describe("storedEvents, in marbles", () => {
  const events = (log: ScriptedLog) => storedEvents(log, { stream: `window-${WINDOW}` });
  const inShort = { brief: (message: SubscriptionMessage) => message };

  it("gives the log's messages in order, and completes when the log is closed", async () => {
    const marbles = new Marbles();
    const log = scriptedLog(() => marbles.hot("-o-c-a-m-|", said));
    marbles.expect(events(log), inShort, "-o-c-a-m-|", said);
    await marbles.run(10);
  });

  it("passes an error of the log on, after what came before it", async () => {
    const marbles = new Marbles();
    const log = scriptedLog(() => marbles.hot("-o-l-a-", said));
    marbles.expect(events(log), inShort, "-o-#", said, said.l);
    await marbles.run(7);
    expect(log.open).toBe(0);
  });

  it("shares nothing: every subscriber has a subscription of its own", async () => {
    const marbles = new Marbles();
    const connection = marbles.hot("-o-c-a-b-", said);
    const log = scriptedLog(() => connection);
    const messages = events(log);
    marbles.expect(messages, { ...inShort, subscription: "^----!" }, "-o-c-----", said);
    marbles.expect(messages, { ...inShort, subscription: "----^" }, "-----a-b-", said);
    await marbles.run(9);
    expect(log.resumed.length).toBe(2);
  });
});
