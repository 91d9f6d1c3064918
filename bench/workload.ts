import { randomUUID } from "node:crypto";
import type { BatchItem, EventToAppend, Json, RecordedWindowEvent, Window } from "@palimpsest/core";
import { contentDigest, createMemoryLog, eventId, openWindow, utf8Div4 } from "@palimpsest/core";
import { seededRandom } from "@palimpsest/core/testing";

/*
 * What is written and read: the same bytes in every run. Contents are text of the kind that agents
 * see, words and numbers in lines, so that JSON has to escape something.
 */

export const KIB = 1_024;

const WORDS =
  "the window holds a span that an edit took out of view and a record says where it lies".split(
    " ",
  );
const LINE = 72;

/** Text of exactly 1 KiB, another one for each `n`. */
export function content(n: number): string {
  const { next } = seededRandom(n + 1);
  let text = `step ${n}: `;
  let line = text.length;
  while (text.length < KIB) {
    const word = next() < 0.2 ? String(Math.floor(next() * 1e6)) : WORDS[Math.floor(next() * 18)];
    const break_ = line > LINE ? "\n" : " ";
    text += word + break_;
    line = break_ === "\n" ? 0 : line + String(word).length + 1;
  }
  return text.slice(0, KIB);
}

/** Commands that admit 1 KiB each. */
export function admissions(count: number, from = 0): BatchItem[] {
  return Array.from({ length: count }, (_, i) => ({
    command: "admitSpan",
    origin: "tool",
    content: content(from + i),
  }));
}

/** Most commands of a batch that fills a window. */
const BATCH = 1_000;

/** Admits so many spans of 1 KiB each to a window. */
export async function fill(window: Window, spans: number): Promise<void> {
  for (let from = 0; from < spans; from += BATCH) {
    await window.batch(admissions(Math.min(BATCH, spans - from), from));
  }
}

/** An event as the library would have written it. */
export type WrittenEvent = RecordedWindowEvent & EventToAppend;

/**
 * The events of a window into which `spans` spans of 1 KiB were admitted, each by a command of its
 * own: what replays see. The state keeps one entry per command, so this is the dearest history.
 */
export function* history(window: string, spans: number): Generator<WrittenEvent> {
  const by = "host/local";
  const write = (revision: number, type: string, data: Json): WrittenEvent => {
    const commandId = uuidOf(revision);
    const metadata = {
      by,
      commandId,
      commandDigest: contentDigest(commandId),
      index: 0,
      count: 1,
      at: new Date(1_700_000_000_000 + revision).toISOString(),
      schemaVersion: 1,
    };
    const id = eventId(window, by, commandId, 0);
    return { id, type, data, metadata, revision } as unknown as WrittenEvent;
  };
  yield write(0, "WindowOpened", { window, tokenizer: utf8Div4.name });
  for (let revision = 1; revision <= spans; revision += 1) {
    const text = content(revision);
    yield write(revision, "SpanAdmitted", {
      spanId: `s${revision}`,
      origin: "tool",
      kind: "text",
      content: text,
      tokens: utf8Div4.count(text),
      digest: contentDigest(text),
    });
  }
}

function uuidOf(n: number): string {
  return `00000000-0000-4000-8000-${n.toString(16).padStart(12, "0")}`;
}

/**
 * The appends that `count` edits write, record and edit in each, by the library itself; their
 * revisions count from 0, as if the window had begun with them.
 */
export async function editAppends(count: number): Promise<WrittenEvent[][]> {
  const spans = 100;
  const window = await openWindow(createMemoryLog(), "w");
  await window.batch(admissions(spans));
  for (let i = 0; i < count; i += 2) {
    const editId = randomUUID();
    await window.evict([`s${1 + (i % spans)}`], { editId });
    await window.undo(editId);
  }
  const appends: WrittenEvent[][] = [];
  for (const event of (await window.history()) as WrittenEvent[]) {
    if (event.metadata.index === 0) appends.push([]);
    appends.at(-1)?.push({ ...event, revision: event.revision - spans - 1 });
  }
  return appends.slice(2);
}
