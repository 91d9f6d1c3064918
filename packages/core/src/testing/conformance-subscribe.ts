import assert from "node:assert/strict";
import type { StoredEvent, SubscriptionMessage, SubscriptionTarget } from "../log/port.ts";
import type { CaseContext, Cases } from "./cases.ts";
import { events, idsOf, stored } from "./cases.ts";
import type { Messages } from "./collect.ts";
import { catchUp, collect, nextMessage, revisionOf } from "./collect.ts";
import { seededRandom } from "./random.ts";

export const subscribeCases: Cases = {
  "catches up, says so, then follows": async ({ log, stream }) => {
    const name = stream();
    const appended = events(5);
    await log.append(name, appended.slice(0, 3), "no-stream");
    const messages = iterate(log.subscribe({ stream: name }));
    assert.deepEqual(await catchUp(messages), stored(name, appended.slice(0, 3)));
    await log.append(name, appended.slice(3), 2);
    assert.deepEqual(await catchUp(messages), stored(name, appended.slice(3), 3));
    await messages.return?.();
  },

  "waits for a stream that does not exist yet": async ({ log, stream }) => {
    const name = stream();
    const messages = iterate(log.subscribe({ stream: name }));
    assert.deepEqual(await catchUp(messages), []);
    const waiting = nextMessage(messages, "the first event");
    await log.append(name, events(1), "no-stream");
    assert.equal((await waiting).kind, "events");
    await messages.return?.();
  },

  "gives the decimal revision for the checkpoint of a stream": async ({ log, stream }) => {
    const name = stream();
    await log.append(name, events(12), "no-stream");
    const messages = iterate(log.subscribe({ stream: name }, { pageSize: 5 }));
    const { checkpoints } = await collect(messages, (seen) => seen.length === 12);
    assert.deepEqual(checkpoints, ["4", "9", "11"]);
    await messages.return?.();
  },

  "gives at most `pageSize` events in a message": async ({ log, stream }) => {
    const name = stream();
    await log.append(name, events(10), "no-stream");
    const messages = iterate(log.subscribe({ stream: name }, { pageSize: 4 }));
    for (const size of [4, 4, 2]) {
      const message = await nextMessage(messages, `${size} events`);
      assert.equal(message.kind === "events" && message.events.length, size);
    }
    await messages.return?.();
  },

  "resumes behind any checkpoint of a stream": async (context) => {
    const name = context.stream();
    await context.log.append(name, events(40), "no-stream");
    await resumesEverywhere(context, { stream: name }, 40);
  },

  "resumes behind any checkpoint of a prefix": async (context) => {
    const prefix = context.stream("prefix-");
    const streams = Array.from({ length: 3 }, () => context.stream(`${prefix}-`));
    for (let round = 0; round < 30; round++) {
      const name = streams[round % 3] ?? prefix;
      await context.log.append(name, events(1 + (round % 2)), "any");
    }
    await resumesEverywhere(context, { prefix: `${prefix}-` }, 45);
  },

  "gives a prefix's streams, and no others, in one order for all": async (context) => {
    const { log, stream } = context;
    const prefix = stream("prefix-");
    const inside = [stream(`${prefix}-`), stream(`${prefix}-`)];
    const outside = [stream("prefix-"), stream(`other-${prefix}-`)];
    const live = iterate(log.subscribe({ prefix: `${prefix}-` }, { pageSize: 3 }));
    const names = [...inside, ...outside];
    for (let round = 0; round < 40; round++) {
      await log.append(names[round % 4] ?? prefix, events(2, round), "any");
    }
    const enough = (seen: readonly StoredEvent[]) => seen.length === 40;
    const first = (await collect(live, enough)).events;
    const second = (await collect(iterate(log.subscribe({ prefix: `${prefix}-` })), enough)).events;
    assert.deepEqual(second, first);
    for (const name of inside) {
      const own = first.filter((event) => event.stream === name);
      assert.deepEqual(own.map(revisionOf), [...Array(20).keys()]);
    }
    await live.return?.();
  },

  "shows a prefix's events in the order in which they were appended": async ({ log, stream }) => {
    const prefix = stream("prefix-");
    const names = [stream(`${prefix}-`), stream(`${prefix}-`)];
    const order: string[] = [];
    for (let round = 0; round < 20; round++) {
      const list = events(2);
      order.push(...idsOf(list));
      await log.append(names[round % 2] ?? prefix, list, "any");
    }
    const messages = iterate(log.subscribe({ prefix: `${prefix}-` }));
    const { events: seen } = await collect(messages, (list) => list.length === 40);
    assert.deepEqual(idsOf(seen), order);
    await messages.return?.();
  },

  "loses and doubles nothing while others append": async (context) => {
    const random = seededRandom(20_261);
    const prefix = context.stream("seam-");
    const names = [context.stream(`${prefix}-`), context.stream(`${prefix}-`)] as const;
    const total = await appendWhile(context, names, 400, random.below, [
      { target: { stream: names[0] }, of: (event) => event.stream === names[0] },
      { target: { prefix: `${prefix}-` }, of: () => true },
    ]);
    assert.ok(total >= 400);
  },

  "says again that it has caught up after it fell behind": async ({ log, stream }) => {
    const name = stream();
    const messages = iterate(log.subscribe({ stream: name }, { pageSize: 2 }));
    assert.deepEqual(await catchUp(messages), []);
    for (let round = 0; round < 3; round++) {
      await log.append(name, events(5), "any");
      assert.equal((await catchUp(messages)).length, 5);
    }
    await messages.return?.();
  },

  "says nothing of the events of others": async ({ log, stream }) => {
    const name = stream();
    const messages = iterate(log.subscribe({ stream: name }));
    await catchUp(messages);
    const waiting = nextMessage(messages, "the first event");
    await log.append(stream(), events(2), "no-stream");
    // The subscription gets the time to be wrong.
    await new Promise((resolve) => setTimeout(resolve, 20));
    await log.append(name, events(1), "no-stream");
    assert.equal((await waiting).kind, "events");
    await messages.return?.();
  },

  "shows a slow subscriber every event": async ({ log, stream }) => {
    const name = stream();
    await log.append(name, events(3), "no-stream");
    const messages = iterate(log.subscribe({ stream: name }, { pageSize: 2 }));
    const seen: StoredEvent[] = [];
    for (let round = 0; seen.length < 21; round++) {
      if (round < 9) await log.append(name, events(2), "any");
      const message = await nextMessage(messages, "a slow subscriber's events");
      if (message.kind === "events") seen.push(...message.events);
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
    assert.deepEqual(seen.map(revisionOf), [...Array(21).keys()]);
    await messages.return?.();
  },
};

function iterate(subscription: AsyncIterable<SubscriptionMessage>): Messages {
  return subscription[Symbol.asyncIterator]();
}

/** From every checkpoint that a subscription gave, another one sees exactly the rest. */
async function resumesEverywhere(
  { log }: CaseContext,
  target: SubscriptionTarget,
  total: number,
): Promise<void> {
  const whole = iterate(log.subscribe(target, { pageSize: 3 }));
  const { events: all, checkpoints } = await collect(whole, (seen) => seen.length === total);
  await whole.return?.();
  for (const [index, after] of checkpoints.entries()) {
    const rest = all.slice((index + 1) * 3);
    const messages = iterate(log.subscribe(target, { after }));
    assert.deepEqual(idsOf(await catchUp(messages)), idsOf(rest), `after checkpoint ${index}`);
    await messages.return?.();
  }
}

interface Watched {
  readonly target: SubscriptionTarget;
  readonly of: (event: { stream: string }) => boolean;
}

/** Appends while subscriptions that began at different moments run; each must see all there is. */
async function appendWhile(
  { log }: CaseContext,
  names: readonly [string, string],
  count: number,
  below: (limit: number) => number,
  watched: readonly Watched[],
): Promise<number> {
  const appended: { stream: string; id: string }[] = [];
  const subscriptions: { messages: Messages; of: Watched["of"] }[] = [];
  const seen: Promise<StoredEvent[]>[] = [];
  const finished = Promise.withResolvers<void>();
  const follow = ({ target, of }: Watched) => {
    const messages = iterate(log.subscribe(target, { pageSize: 1 + below(7) }));
    subscriptions.push({ messages, of });
    seen.push(followUntil(messages, finished.promise, () => appended.filter(of).length));
  };
  for (let round = 0; round < count; round++) {
    if (round % 80 === 0) watched.forEach(follow);
    const stream = names[below(2)] ?? names[0];
    const list = events(1 + below(3));
    await log.append(stream, list, "any");
    appended.push(...list.map(({ id }) => ({ stream, id })));
  }
  finished.resolve();
  for (const [index, { messages, of }] of subscriptions.entries()) {
    assert.deepEqual(idsOf((await seen[index]) ?? []), idsOf(appended.filter(of)));
    await messages.return?.();
  }
  return appended.length;
}

async function followUntil(
  messages: Messages,
  finished: Promise<void>,
  total: () => number,
): Promise<StoredEvent[]> {
  let all = Number.POSITIVE_INFINITY;
  void finished.then(() => {
    all = total();
  });
  return (await collect(messages, (list) => list.length >= all)).events;
}
