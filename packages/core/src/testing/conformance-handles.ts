import assert from "node:assert/strict";
import { readerOf, writerOf } from "../log/handles.ts";
import type { GuaranteeLevel, LogReader } from "../log/port.ts";
import type { CaseContext, Cases } from "./cases.ts";
import { events, rejects, stored } from "./cases.ts";
import { catchUp, within } from "./collect.ts";
import { readAll } from "./whole-stream.ts";

const LEVELS: readonly GuaranteeLevel[] = ["store", "process", "none"];

/** Whatever would change or take away an event. */
const FORBIDDEN = ["delete", "remove", "truncate", "update", "overwrite", "replace", "force"];

export const handleCases: Cases = {
  "states its guarantees and its limit": async ({ log }) => {
    assert.ok(LEVELS.includes(log.guarantees.appendOnly));
    assert.ok(LEVELS.includes(log.guarantees.writersSeparated));
    assert.ok(Number.isSafeInteger(log.maxAppendBytes) && log.maxAppendBytes >= 1_000_000);
  },

  "has nothing that changes or takes away an event": async ({ log }) => {
    for (const name of Object.keys(log)) {
      assert.ok(!FORBIDDEN.some((word) => name.toLowerCase().includes(word)), name);
    }
  },

  "a reader has no `append`, and reads": async (context) => {
    const reader = readerOf(context.log);
    await onlyReads(context, reader);
  },

  "a closed reader leaves the log open and ends its own subscriptions": async ({ log, stream }) => {
    const name = stream();
    const reader = readerOf(log);
    const messages = reader.subscribe({ stream: name })[Symbol.asyncIterator]();
    await catchUp(messages);
    const waiting = messages.next();
    await reader.close();
    assert.equal((await within(waiting, "the end")).done, true);
    await rejects(reader.head(name), "log-closed");
    await rejects(readAll(reader, name), "log-closed");
    const late = reader.subscribe({ stream: name })[Symbol.asyncIterator]();
    await rejects(late.next(), "log-closed");
    await log.append(name, events(1), "no-stream");
  },

  "a writer appends to the streams of its prefix": async ({ log, stream }) => {
    const writer = writerOf(log, "verdict-");
    const name = stream("verdict-");
    const appended = events(2);
    await writer.append(name, appended, "no-stream");
    assert.deepEqual(await readAll(log, name), stored(name, appended));
    await writer.close();
    await rejects(writer.append(name, events(1), "any"), "log-closed");
  },

  "a writer refuses the streams of other prefixes": async ({ log, stream }) => {
    const writer = writerOf(log, "verdict-");
    for (const prefix of ["window-", "verdict", "Verdict-", " verdict-"]) {
      const name = stream(prefix);
      await assert.rejects(writer.append(name, events(1), "any"), TypeError);
      assert.equal(await log.head(name), undefined);
    }
    await writer.close();
  },
};

/** For adapters that have a reader of their own. */
export const ownReaderCases: Cases = {
  "has no `append`, and reads": async (context) => {
    // A reader may need a store that something was appended to.
    await context.log.append(context.stream(), events(1), "no-stream");
    await onlyReads(context, await context.openReader());
  },
};

/** For adapters that can have a store open twice. */
export const secondHandleCases: Cases = {
  "shows what the other one appends": async ({ log, stream, openAgain }) => {
    const name = stream();
    const other = await openAgain();
    const messages = log.subscribe({ stream: name })[Symbol.asyncIterator]();
    assert.deepEqual(await catchUp(messages), []);
    for (let round = 0; round < 5; round++) {
      await other.append(name, events(2), "any");
      assert.equal((await catchUp(messages)).length, 2);
    }
    await messages.return?.();
  },

  "sees the same head and the same retry": async ({ log, stream, openAgain }) => {
    const name = stream();
    const other = await openAgain();
    const [first, second] = [events(2), events(1)];
    await log.append(name, first, "no-stream");
    await rejects(other.append(name, second, "no-stream"), "wrong-expected-revision");
    const again = await other.append(name, first, "no-stream");
    assert.deepEqual(again, { first: 0, last: 1, repeated: true });
    await other.append(name, second, 1);
    assert.deepEqual(await readAll(log, name), stored(name, [...first, ...second]));
  },

  "recognises what the other one appended": async ({ log, stream, openAgain }) => {
    const name = stream();
    const other = await openAgain();
    const [a, b, c] = [events(1), events(1), events(1)] as const;
    await log.append(name, a, "any");
    await other.append(name, b, "any");
    const result = { repeated: true, first: 0, last: 1 };
    assert.deepEqual(await log.append(name, [...a, ...b], "any"), result);
    await other.append(name, c, "any");
    await rejects(log.append(name, [...c, ...events(1)], 2), "event-id-conflict");
    await rejects(log.append(name, [...b, ...events(1)], 1), "event-id-conflict");
    assert.deepEqual(await readAll(other, name), stored(name, [...a, ...b, ...c]));
  },

  "takes turns with the other one": async ({ log, stream, openAgain }) => {
    const name = stream();
    const other = await openAgain();
    for (let round = 0; round < 40; round++) {
      const handle = round % 3 === 0 ? other : log;
      const expected = round === 0 ? "no-stream" : 2 * round - 1;
      await handle.append(name, events(2, 2 * round), round % 2 === 0 ? "any" : expected);
    }
    assert.equal(await other.head(name), 79);
  },

  "goes on when the other one is closed": async ({ log, stream, openAgain }) => {
    const name = stream();
    const other = await openAgain();
    await other.append(name, events(1), "no-stream");
    await other.close();
    await log.append(name, events(1), 0);
    assert.equal((await readAll(log, name)).length, 2);
  },
};

async function onlyReads({ log, stream }: CaseContext, reader: LogReader): Promise<void> {
  const name = stream();
  const appended = events(3);
  assert.equal("append" in reader, false);
  await log.append(name, appended, "no-stream");
  assert.deepEqual(await readAll(reader, name), stored(name, appended));
  assert.equal(await reader.head(name), 2);
  const messages = reader.subscribe({ stream: name })[Symbol.asyncIterator]();
  assert.deepEqual(await catchUp(messages), stored(name, appended));
  await log.append(name, events(1), 2);
  assert.equal((await catchUp(messages)).length, 1);
  await messages.return?.();
}
