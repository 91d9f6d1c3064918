import type { EventToAppend, Json } from "@palimpsest/core";
import { contentDigest, eventId, utf8Div4 } from "@palimpsest/core";
import { openSqliteLog } from "@palimpsest/core/sqlite";
import Database from "better-sqlite3";

/* A store of very many tiny windows: every tenth one holds an edit, so there is work for probes. */

/** The windows and how many events they have. */
export function* tinyWindows(count: number): Generator<[window: string, size: number]> {
  for (let i = 0; i < count; i += 1) yield [`w${i}`, i % 10 === 0 ? 4 : 2];
}

/**
 * Writes the rows as the store would have, in large transactions: an append of its own for each
 * window would take longer than all the rest.
 */
export async function writeTinyWindows(file: string, count: number): Promise<void> {
  await openSqliteLog(file).close();
  const db = new Database(file);
  db.pragma("synchronous = OFF");
  const addStream = db.prepare<[string]>("INSERT INTO streams (name) VALUES (?)");
  const addEvent = db.prepare<[number, number, Buffer, string, string, string]>(
    "INSERT INTO events (stream, revision, id, type, data, metadata) VALUES (?, ?, ?, ?, ?, ?)",
  );
  let inTransaction = 0;
  for (const [window, size] of tinyWindows(count)) {
    if (inTransaction === 0) db.exec("BEGIN");
    const stream = Number(addStream.run(`window-${window}`).lastInsertRowid);
    for (const [revision, { id, type, data, metadata }] of eventsOf(window, size).entries()) {
      const bytes = Buffer.from(id.replaceAll("-", ""), "hex");
      addEvent.run(stream, revision, bytes, type, JSON.stringify(data), JSON.stringify(metadata));
    }
    inTransaction = (inTransaction + 1) % 1_000;
    if (inTransaction === 0) db.exec("COMMIT");
  }
  if (inTransaction > 0) db.exec("COMMIT");
  db.close();
}

/** Opened with a span, in one append; of four events, the span is evicted in another one. */
function eventsOf(window: string, size: number): EventToAppend[] {
  const text = `content of ${window}`;
  const digest = contentDigest(text);
  const span = { spanId: "s", origin: "tool", kind: "text", content: text };
  const edit = { editId: "e", ordinal: 1 };
  const opened: [string, Json][] = [
    ["WindowOpened", { window, tokenizer: utf8Div4.name }],
    ["SpanAdmitted", { ...span, tokens: utf8Div4.count(text), digest }],
  ];
  const evicted: [string, Json][] = [
    ["RecoveryRecorded", { ...edit, consumed: [{ spanId: "s", revision: 1, digest }] }],
    ["WindowEdited", { ...edit, verb: "evict" }],
  ];
  const appends = size > 2 ? [opened, evicted] : [opened];
  return appends.flatMap((events, at) =>
    events.map((event, index) => eventOf(window, at, event, index)),
  );
}

function eventOf(
  window: string,
  append: number,
  [type, data]: [string, Json],
  index: number,
): EventToAppend {
  const commandId = `c${append}`;
  const command = { commandId, commandDigest: contentDigest(commandId), index, count: 2 };
  const at = new Date(1_700_000_000_000).toISOString();
  const metadata = { by: "host/h", ...command, at, schemaVersion: 1 };
  return { id: eventId(window, "host/h", commandId, index), type, data, metadata };
}
