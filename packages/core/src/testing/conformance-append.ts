import assert from "node:assert/strict";
import { WrongExpectedRevisionError } from "../log/errors.ts";
import type { EventToAppend, ExpectedRevision } from "../log/port.ts";
import type { CaseContext, Cases } from "./cases.ts";
import { event, events, idsOf, rejects, stored } from "./cases.ts";
import { readAll } from "./whole-stream.ts";

export const appendCases: Cases = {
  "takes `no-stream` for a stream that does not exist": async ({ log, stream }) => {
    const name = stream();
    const result = await log.append(name, events(3), "no-stream");
    assert.deepEqual(result, { first: 0, last: 2, repeated: false });
    assert.equal(await log.head(name), 2);
  },

  "refuses `no-stream` for a stream that exists": async (context) => {
    await refusesOn(context, 2, "no-stream");
  },

  "takes the revision of the head": async ({ log, stream }) => {
    const name = stream();
    await log.append(name, events(2), "no-stream");
    const result = await log.append(name, events(2), 1);
    assert.deepEqual(result, { first: 2, last: 3, repeated: false });
  },

  "refuses a revision before the head": async (context) => {
    await refusesOn(context, 3, 1);
    await refusesOn(context, 1, 7);
  },

  "refuses a revision for a stream that does not exist": async (context) => {
    await refusesOn(context, 0, 0);
  },

  "takes `any` for a stream that exists and for one that does not": async ({ log, stream }) => {
    const name = stream();
    const first = await log.append(name, events(1), "any");
    assert.deepEqual(first, { first: 0, last: 0, repeated: false });
    const second = await log.append(name, events(2), "any");
    assert.deepEqual(second, { first: 1, last: 2, repeated: false });
  },

  "counts the revisions of each stream on its own": async ({ log, stream }) => {
    const [one, other] = [stream(), stream("verdict-")];
    await log.append(one, events(2), "no-stream");
    await log.append(other, events(1), "no-stream");
    assert.deepEqual(await log.append(one, events(1), 1), { first: 2, last: 2, repeated: false });
    assert.equal(await log.head(other), 0);
  },

  "refuses an append without events": async ({ log, stream }) => {
    await rejects(log.append(stream(), [], "any"), "invalid-append");
  },

  "refuses a malformed id, type, value or expectation": async ({ log, stream }) => {
    const name = stream();
    const cyclic: Record<string, unknown> = {};
    cyclic.self = cyclic;
    const broken: object[] = [
      { id: "1" },
      { id: "AAAAAAAA-AAAA-4AAA-8AAA-AAAAAAAAAAAA" },
      { data: undefined },
      { data: cyclic },
      { metadata: () => 1 },
      { type: "" },
      { type: "\uD800" },
    ];
    for (const part of broken) {
      const wrong = { ...event(), ...part } as EventToAppend;
      await rejects(log.append(name, [event(), wrong], "any"), "invalid-append");
    }
    for (const expected of [-1, 0.5, Number.NaN, "none"]) {
      const append = log.append(name, events(1), expected as ExpectedRevision);
      await rejects(append, "invalid-append");
    }
    assert.equal(await log.head(name), undefined);
  },

  "appends all events or none": async ({ log, stream }) => {
    const name = stream();
    const first = events(2);
    await log.append(name, first, "no-stream");
    const [known] = first;
    assert.ok(known);
    const append = log.append(name, [...events(40, 2), known, ...events(1, 42)], 1);
    await rejects(append, "event-id-conflict");
    assert.deepEqual(await readAll(log, name), stored(name, first));
  },

  "leaves no trace of a stream whose first append was refused": async ({ log, stream }) => {
    const name = stream();
    const twice = event();
    await rejects(log.append(name, [twice, event(), twice], "no-stream"), "event-id-conflict");
    assert.equal(await log.head(name), undefined);
    await log.append(name, events(1), "no-stream");
  },

  "refuses more than `maxAppendBytes`, all events together, and writes nothing": async ({
    log,
    stream,
  }) => {
    const name = stream();
    const half = "x".repeat(Math.ceil(log.maxAppendBytes / 2));
    const append = log.append(name, [event(half), event(half)], "no-stream");
    await rejects(append, "append-too-large");
    assert.equal(await log.head(name), undefined);
  },

  "counts `maxAppendBytes` in bytes, not in characters": async ({ log, stream }) => {
    const name = stream();
    const text = "€".repeat(Math.ceil(log.maxAppendBytes / 3));
    await rejects(log.append(name, [event(text)], "no-stream"), "append-too-large");
    assert.equal(await log.head(name), undefined);
  },

  "lets one of several appends with the same expectation win": async ({ log, stream }) => {
    const name = stream();
    await log.append(name, events(1), "no-stream");
    const attempts = Array.from({ length: 8 }, (_, index) => events(2, index));
    const results = await Promise.allSettled(attempts.map((list) => log.append(name, list, 0)));
    const won = results.flatMap((result, index) => (result.status === "fulfilled" ? [index] : []));
    assert.equal(won.length, 1);
    const winner = attempts[won[0] ?? -1] ?? [];
    assert.deepEqual(idsOf(await readAll(log, name, { from: 1 })), idsOf(winner));
  },

  "keeps each of several appends together": async ({ log, stream }) => {
    const name = stream();
    const appends = Array.from({ length: 20 }, (_, index) => events(3, index * 3));
    const results = await Promise.all(appends.map((list) => log.append(name, list, "any")));
    const all = idsOf(await readAll(log, name));
    results.forEach(({ first, last }, index) => {
      assert.deepEqual(all.slice(first, last + 1), idsOf(appends[index] ?? []));
    });
    assert.equal(all.length, 60);
  },
};

/** Appends to a stream of `length` events with an expectation that does not hold. */
async function refusesOn(
  { log, stream }: CaseContext,
  length: number,
  expected: ExpectedRevision,
): Promise<void> {
  const name = stream();
  const before = events(length);
  if (length > 0) await log.append(name, before, "no-stream");
  const error = await rejects(log.append(name, events(2), expected), "wrong-expected-revision");
  assert.ok(error instanceof WrongExpectedRevisionError);
  assert.equal(error.stream, name);
  assert.equal(error.expected, expected);
  assert.equal(error.actual, length === 0 ? undefined : length - 1);
  assert.deepEqual(await readAll(log, name), stored(name, before));
}
