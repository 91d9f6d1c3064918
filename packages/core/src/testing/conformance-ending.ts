import assert from "node:assert/strict";
import type { Cases } from "./cases.ts";
import { events, rejects } from "./cases.ts";
import { catchUp, within } from "./collect.ts";
import { readAll } from "./whole-stream.ts";

export const endingCases: Cases = {
  "a signal that is aborted already gives nothing": async ({ log, stream }) => {
    const name = stream();
    await log.append(name, events(1), "no-stream");
    const options = { signal: AbortSignal.abort() };
    for await (const _ of log.subscribe({ stream: name }, options)) assert.fail("a message");
  },

  "a signal ends a subscription that waits, without an error": async ({ log, stream }) => {
    const controller = new AbortController();
    const { signal } = controller;
    const messages = log.subscribe({ stream: stream() }, { signal })[Symbol.asyncIterator]();
    await catchUp(messages);
    const waiting = messages.next();
    controller.abort();
    assert.equal((await within(waiting, "the end")).done, true);
    assert.equal((await messages.next()).done, true);
  },

  "a signal ends a subscription between two messages": async ({ log, stream }) => {
    const name = stream();
    await log.append(name, events(5), "no-stream");
    const controller = new AbortController();
    let messages = 0;
    const options = { signal: controller.signal, pageSize: 1 };
    for await (const _ of log.subscribe({ stream: name }, options)) {
      if (++messages === 2) controller.abort();
    }
    assert.equal(messages, 2);
  },

  "leaving the loop ends it": async ({ log, stream }) => {
    const name = stream();
    await log.append(name, events(5), "no-stream");
    const subscription = log.subscribe({ stream: name }, { pageSize: 1 });
    for await (const message of subscription) if (message.kind === "events") break;
    assert.equal((await subscription[Symbol.asyncIterator]().next()).done, true);
  },

  "`return` ends it while it waits": async ({ log, stream }) => {
    const messages = log.subscribe({ stream: stream() })[Symbol.asyncIterator]();
    await catchUp(messages);
    const waiting = messages.next();
    const returned = messages.return?.();
    assert.ok(returned, "a subscription can be returned from");
    assert.equal((await within(returned, "the return")).done, true);
    assert.equal((await within(waiting, "the end")).done, true);
  },

  "`return` before the first message ends it": async ({ log, stream }) => {
    const messages = log.subscribe({ stream: stream() })[Symbol.asyncIterator]();
    await messages.return?.();
    assert.equal((await messages.next()).done, true);
  },

  "the end of one leaves the others alone": async ({ log, stream }) => {
    const name = stream();
    const [one, other] = [name, name].map((target) =>
      log.subscribe({ stream: target })[Symbol.asyncIterator](),
    );
    assert.ok(one && other);
    await catchUp(one);
    await catchUp(other);
    await one.return?.();
    await log.append(name, events(1), "no-stream");
    assert.equal((await catchUp(other)).length, 1);
    await other.return?.();
  },

  "`close` ends those that are open": async ({ openNew }) => {
    const log = await openNew();
    const messages = log.subscribe({ prefix: "window-" })[Symbol.asyncIterator]();
    await catchUp(messages);
    const waiting = messages.next();
    await log.close();
    assert.equal((await within(waiting, "the end")).done, true);
  },

  "later calls on a closed handle reject with `log-closed`": async ({ stream, openNew }) => {
    const name = stream();
    const log = await openNew();
    const [messages, pages] = [log.subscribe({ stream: name }), log.read(name)];
    await log.close();
    await rejects(log.append(name, events(1), "any"), "log-closed");
    await rejects(log.head(name), "log-closed");
    await rejects(readAll(log, name), "log-closed");
    await rejects(pages[Symbol.asyncIterator]().next(), "log-closed");
    await rejects(messages[Symbol.asyncIterator]().next(), "log-closed");
    await rejects(log.subscribe({ prefix: "x" })[Symbol.asyncIterator]().next(), "log-closed");
    await log.close();
  },

  "a checkpoint of another kind is refused": async ({ log, stream }) => {
    const iterating = async () => {
      for await (const _ of log.subscribe({ stream: stream() }, { after: "no checkpoint" })) break;
    };
    await assert.rejects(iterating, TypeError);
  },
};
