import assert from "node:assert/strict";
import type { Json } from "../json/json.ts";
import type { CaseContext, Cases } from "./cases.ts";
import { event, stored } from "./cases.ts";
import { readAll } from "./whole-stream.ts";

export const contentCases: Cases = {
  "keeps every kind of JSON value": async (context) => {
    const values = ["null", "true", "0", "-1.5e300", "9007199254740991", '""', "[]", "{}"];
    await keeps(context, [...values, '[[],{"":[null]},"a"]', "5e-324"]);
  },

  "keeps keys that mean something to JavaScript": async (context) => {
    await keeps(context, [
      '{"__proto__":{"polluted":true},"constructor":{"prototype":1},"toString":null}',
      '{"hasOwnProperty":1,"length":-1,"then":"x","toJSON":"y","10":1,"2":2}',
    ]);
    assert.equal("polluted" in {}, false);
  },

  "keeps NUL, control characters and terminal escapes": async (context) => {
    await keeps(context, [
      JSON.stringify("a\0b\0"),
      JSON.stringify({ "\0": "\0" }),
      JSON.stringify("\u001b[2J\u001b]0;title\u0007\b\r\n\t\u007f\u009b31m"),
      JSON.stringify(Array.from({ length: 32 }, (_, code) => String.fromCharCode(code)).join("")),
    ]);
  },

  "keeps Unicode as it came": async (context) => {
    await keeps(context, [
      JSON.stringify("\u202etxt.exe\u202c \u2066bidi\u2069 \u200b\u200d\ufeff"),
      JSON.stringify("e\u0301 is not \u00e9; \u{1f469}\u200d\u{1f680} \u{10ffff} \ufffd \uffff"),
      JSON.stringify("\u2028\u2029"),
    ]);
  },

  "keeps a text of 5 MB, and several in one append": async (context) => {
    // `keeps` stores each text twice, in data and in metadata; a store says what it can take.
    const room = Math.floor((context.log.maxAppendBytes - 4_000) / 2);
    const text = (bytes: number) =>
      JSON.stringify("0123456789abcdef".repeat(Math.floor(bytes / 16)));
    await keeps(context, [text(Math.min(5_242_880, room))]);
    const third = text(Math.min(5_242_880, Math.floor(room / 3)));
    await keeps(context, [third, third, "1", third]);
  },

  "keeps nesting 64 deep": async (context) => {
    await keeps(context, [
      "[".repeat(64) + "]".repeat(64),
      `${'{"a":'.repeat(63)}1${"}".repeat(63)}`,
    ]);
  },

  "keeps event types as they came": async ({ log, stream }) => {
    const name = stream();
    const appended = ["__proto__", "a b", "Ünï\u202ecode", "'; DROP TABLE events; --"].map((type) =>
      event({}, type),
    );
    await log.append(name, appended, "no-stream");
    assert.deepEqual(await readAll(log, name), stored(name, appended));
  },

  "lets nobody change an event through what was handed to `append`": async ({ log, stream }) => {
    const name = stream();
    const data = { list: [1, 2], text: "as it was" };
    const metadata = { by: "host/suite" };
    const appended = [{ ...event(), data, metadata }];
    const before = stored(name, structuredClone(appended));
    const append = log.append(name, appended, "no-stream");
    scribble(data);
    scribble(metadata);
    appended.length = 0;
    await append;
    assert.deepEqual(await readAll(log, name), before);
  },

  "lets nobody change an event through what `read` gave": async ({ log, stream }) => {
    const name = stream();
    const appended = [event({ list: [1, { deep: true }], text: "as it was" })];
    await log.append(name, appended, "no-stream");
    for (const read of await readAll(log, name)) scribble(read);
    assert.deepEqual(await readAll(log, name), stored(name, appended));
  },
};

/** Appends events whose data and metadata are these JSON texts, and reads the same texts. */
async function keeps({ log, stream }: CaseContext, texts: readonly string[]): Promise<void> {
  const name = stream();
  const appended = texts.map((text) => ({
    ...event(JSON.parse(text) as Json),
    metadata: { again: JSON.parse(text) as Json },
  }));
  await log.append(name, appended, "no-stream");
  const read = await readAll(log, name);
  assert.equal(read.length, texts.length);
  read.forEach((entry, index) => {
    const same = JSON.stringify(entry.data) === JSON.stringify(appended[index]?.data);
    // A failing comparison of 5 MB is not worth printing.
    assert.ok(same, `data ${index} came back changed`);
    const again = JSON.stringify(entry.metadata) === JSON.stringify(appended[index]?.metadata);
    assert.ok(again, `metadata ${index} came back changed`);
    assert.equal(entry.undecodable, undefined);
  });
}

/** Overwrites whatever can be overwritten; a frozen object may throw or ignore it. */
function scribble(value: unknown): void {
  if (typeof value !== "object" || value === null) return;
  for (const [key, part] of Object.entries(value)) {
    scribble(part);
    Reflect.set(value, key, "scribbled over");
  }
  Reflect.set(value, "added", true);
}
