import { expect, it } from "vitest";
import { createFollowers } from "./followers.ts";
import type { StoredEvent } from "./port.ts";
import { subscription } from "./subscription.ts";

/** A feed of `count` events that tells how many follow it and how often it was read. */
function feedOf(count: number) {
  const state = { following: 0, reads: 0, count };
  const followers = createFollowers();
  const feed = {
    pageAfter(_: unknown, cursor: number, limit: number) {
      state.reads++;
      const last = Math.min(cursor + limit, state.count - 1);
      const events = Array.from({ length: last - cursor }, (__, index) => {
        return { revision: cursor + 1 + index } as StoredEvent;
      });
      return { events, cursor: last };
    },
    follow(follower: Parameters<typeof followers.add>[0]) {
      const release = followers.add(follower);
      state.following++;
      let released = false;
      return () => {
        if (!released) state.following--;
        released = true;
        release();
      };
    },
  };
  return { state, followers, feed };
}

const TARGET = { stream: "window-a" };

it("holds nothing before the first message is asked for", async () => {
  const { state, feed } = feedOf(3);
  const messages = subscription(feed, TARGET);
  expect(state).toMatchObject({ following: 0, reads: 0 });
  await messages.return?.();
  expect(await messages.next()).toEqual({ done: true, value: undefined });
  expect(state).toMatchObject({ following: 0, reads: 0 });
});

it("reads a page for each message and no sooner", async () => {
  const { state, feed } = feedOf(10);
  const messages = subscription(feed, TARGET, { pageSize: 2 });
  for (const reads of [1, 2, 3]) {
    await messages.next();
    expect(state.reads).toBe(reads);
  }
  await messages.return?.();
});

it("frees the feed at once when it is aborted between two messages", async () => {
  const { state, feed } = feedOf(10);
  const controller = new AbortController();
  const messages = subscription(feed, TARGET, { signal: controller.signal });
  await messages.next();
  expect(state.following).toBe(1);
  controller.abort();
  expect(state.following).toBe(0);
});

it("frees the feed when it is returned from while it waits", async () => {
  const { state, feed } = feedOf(0);
  const messages = subscription(feed, TARGET);
  await messages.next();
  const waiting = messages.next();
  await messages.return?.();
  expect(await waiting).toEqual({ done: true, value: undefined });
  expect(state.following).toBe(0);
});

it("frees the feed when reading fails, and passes the error on", async () => {
  const { state, feed } = feedOf(0);
  const broken = {
    ...feed,
    pageAfter: () => {
      throw new Error("the disk is gone");
    },
  };
  await expect(subscription(broken, TARGET).next()).rejects.toThrow("the disk is gone");
  expect(state.following).toBe(0);
});

it("reads again after a wake that came while the consumer was busy", async () => {
  const { state, followers, feed } = feedOf(0);
  const messages = subscription(feed, TARGET);
  expect((await messages.next()).value).toEqual({ kind: "caught-up" });
  state.count = 1;
  followers.wakeAll();
  expect((await messages.next()).value).toMatchObject({ kind: "events", checkpoint: "0" });
  await messages.return?.();
});

it("does not read while nothing wakes it", async () => {
  const { state, feed } = feedOf(0);
  const messages = subscription(feed, TARGET);
  await messages.next();
  const waiting = messages.next();
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(state.reads).toBe(1);
  await messages.return?.();
  await waiting;
});
