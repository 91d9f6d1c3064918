import type { EventToAppend, Json } from "@palimpsest/core";
import { contentDigest, eventId, utf8Div4 } from "@palimpsest/core";
import type { SmallAppend } from "../log/fill.ts";
import { fillStore } from "../log/fill.ts";

/* A store of very many tiny windows: every tenth one holds an edit, so there is work for probes. */

/** The windows and how many events they have. */
export function* tinyWindows(count: number): Generator<[window: string, size: number]> {
  for (let i = 0; i < count; i += 1) yield [`w${i}`, i % 10 === 0 ? 4 : 2];
}

export async function writeTinyWindows(file: string, count: number): Promise<void> {
  await fillStore(file, appendsOf(count));
}

function* appendsOf(count: number): Generator<SmallAppend> {
  for (const [window, size] of tinyWindows(count)) {
    const stream = `window-${window}`;
    let revision = 0;
    for (const events of eventsOf(window, size)) {
      yield { stream, revision, events };
      revision += events.length;
    }
  }
}

/** Opened with a span, in one append; of four events, the span is evicted in another one. */
function eventsOf(window: string, size: number): EventToAppend[][] {
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
  return appends.map((events, at) =>
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
