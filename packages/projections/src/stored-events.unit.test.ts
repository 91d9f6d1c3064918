import { randomUUID } from "node:crypto";
import type { EventLog, LogReader, SubscribeOptions, SubscriptionMessage } from "@palimpsest/core";
import { createMemoryLog } from "@palimpsest/core";
import { firstValueFrom, lastValueFrom, map, take, toArray } from "rxjs";
import { describe, expect, it, vi } from "vitest";
import { storedEvents } from "./stored-events.ts";

const stream = "window-w1";
const target = { stream };
const caughtUp: SubscriptionMessage = { kind: "caught-up" };

function append(log: EventLog, ...types: string[]): Promise<unknown> {
  const events = types.map((type) => ({ id: randomUUID(), type, data: {}, metadata: {} }));
  return log.append(stream, events, "any");
}

/** A message in short: the types of its events, or `caught-up`. */
function brief(message: SubscriptionMessage): string {
  return message.kind === "caught-up" ? "caught-up" : message.events.map((e) => e.type).join(" ");
}

function ended(signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) resolve();
    else signal?.addEventListener("abort", () => resolve());
  });
}

/** A log whose subscription yields `messages`, then waits for its signal or throws `error`. */
function fakeLog(messages: readonly SubscriptionMessage[], error?: Error) {
  const freed = vi.fn();
  const subscribe = async function* (_target: unknown, options: SubscribeOptions = {}) {
    try {
      yield* messages;
      if (error !== undefined) throw error;
      await ended(options.signal);
    } finally {
      freed();
    }
  };
  return { log: { subscribe } satisfies Pick<LogReader, "subscribe">, freed };
}

describe("storedEvents", () => {
  it("delivers what is stored, says that it caught up, then follows", async () => {
    const log = createMemoryLog();
    await append(log, "A", "B");
    const seen = lastValueFrom(storedEvents(log, target).pipe(map(brief), take(4), toArray()));
    await new Promise((resolve) => setTimeout(resolve, 5));
    await append(log, "C");
    expect(await seen).toEqual(["A B", "caught-up", "C", "caught-up"]);
  });

  it("resumes after a checkpoint", async () => {
    const log = createMemoryLog();
    await append(log, "A", "B", "C");
    const messages = storedEvents(log, target, { after: "1" });
    expect(brief(await firstValueFrom(messages))).toBe("C");
  });

  it("opens one subscription per subscriber, and none before there is one", () => {
    const { log } = fakeLog([]);
    const subscribe = vi.spyOn(log, "subscribe");
    const messages = storedEvents(log, target);
    expect(subscribe).toHaveBeenCalledTimes(0);
    const both = [messages.subscribe(), messages.subscribe()];
    expect(subscribe).toHaveBeenCalledTimes(2);
    for (const one of both) one.unsubscribe();
  });

  it("frees the subscription when unsubscribed while it waits for an event", async () => {
    const { log, freed } = fakeLog([caughtUp]);
    const seen: SubscriptionMessage[] = [];
    const subscription = storedEvents(log, target).subscribe((message) => seen.push(message));
    await vi.waitFor(() => expect(seen).toEqual([caughtUp]));
    expect(freed).toHaveBeenCalledTimes(0);
    subscription.unsubscribe();
    await vi.waitFor(() => expect(freed).toHaveBeenCalledTimes(1));
  });

  it("delivers nothing more once an observer has unsubscribed in the middle", async () => {
    const { log, freed } = fakeLog([caughtUp, caughtUp, caughtUp]);
    const seen = await lastValueFrom(storedEvents(log, target).pipe(take(2), toArray()));
    expect(seen).toEqual([caughtUp, caughtUp]);
    await vi.waitFor(() => expect(freed).toHaveBeenCalledTimes(1));
  });

  it("passes an error of the log on, after what came before it", async () => {
    const { log, freed } = fakeLog([caughtUp], new Error("connection lost"));
    const seen: unknown[] = [];
    const failure = new Promise((resolve) => {
      storedEvents(log, target).subscribe({ next: (value) => seen.push(value), error: resolve });
    });
    expect(await failure).toEqual(new Error("connection lost"));
    expect(seen).toEqual([caughtUp]);
    expect(freed).toHaveBeenCalledTimes(1);
  });

  it("passes on what the log throws when it is asked", async () => {
    const log = createMemoryLog();
    await log.close();
    await expect(lastValueFrom(storedEvents(log, target))).rejects.toMatchObject({
      code: "log-closed",
    });
  });

  it("completes when the signal it was given ends it", async () => {
    const { log } = fakeLog([caughtUp]);
    const controller = new AbortController();
    const all = lastValueFrom(
      storedEvents(log, target, { signal: controller.signal }).pipe(toArray()),
    );
    controller.abort();
    expect(await all).toEqual([caughtUp]);
  });
});
