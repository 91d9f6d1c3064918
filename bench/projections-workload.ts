import type { Json, LogReader, StoredEvent, SubscriptionMessage } from "@palimpsest/core";
import { contentDigest, eventId, utf8Div4 } from "@palimpsest/core";
import type { SmallAppend } from "../test/support/log/fill.ts";
import { fillStore } from "../test/support/log/fill.ts";
import { content } from "./workload.ts";

/*
 * Histories as an agent leaves them: spans come in one by one, and when too many are live the
 * oldest are evicted, some dozens at a time. Events have the form that the library gives them.
 */

export const WINDOW = "w";
export const STREAM = `window-${WINDOW}`;

/** Spans that one edit takes. */
const EVICTED_TOGETHER = 50;
/** Contents are taken from a pool: making them anew would be most of the work. */
const POOL = 997;

interface Append {
  readonly data: readonly (readonly [type: string, data: Json])[];
}

export interface HistoryOptions {
  /** Most live spans; absent: nothing is ever evicted. */
  readonly live?: number;
}

/** A history without end, one append after another. */
export function* appends({
  live = Number.POSITIVE_INFINITY,
}: HistoryOptions = {}): Generator<StoredEvent[]> {
  const pool = Array.from({ length: POOL }, (_, i) => {
    const text = content(i);
    return { content: text, tokens: utf8Div4.count(text), digest: contentDigest(text) };
  });
  let revision = 0;
  const written = ({ data }: Append): StoredEvent[] => {
    const commandId = `command-${revision}`;
    const events = data.map(([type, fields], index) => ({
      stream: STREAM,
      revision: revision + index,
      id: eventId(WINDOW, "host/local", commandId, index),
      type,
      data: fields,
      metadata: metadataOf(commandId, index, data.length),
    }));
    revision += data.length;
    return events;
  };
  yield written({ data: [["WindowOpened", { window: WINDOW, tokenizer: utf8Div4.name }]] });
  const alive: { spanId: string; revision: number; digest: string }[] = [];
  let edits = 0;
  for (let step = 0; ; step += 1) {
    const spanId = `s${step}`;
    const fields = pool[step % POOL] as (typeof pool)[number];
    alive.push({ spanId, revision, digest: fields.digest });
    const admitted = { spanId, origin: "tool", kind: "text", ...fields };
    yield written({ data: [["SpanAdmitted", admitted]] });
    if (alive.length <= live) continue;
    edits += 1;
    const editId = `e${edits}`;
    const consumed = alive.splice(0, EVICTED_TOGETHER);
    yield written({
      data: [
        ["RecoveryRecorded", { editId, ordinal: edits, consumed }],
        ["WindowEdited", { editId, ordinal: edits, verb: "evict" }],
      ],
    });
  }
}

function metadataOf(commandId: string, index: number, count: number): Json {
  return {
    by: "host/local",
    commandId,
    commandDigest: "0".repeat(64),
    index,
    count,
    at: "2025-01-01T00:00:00.000Z",
    schemaVersion: 1,
  };
}

/** The first `count` events of a history, rounded up to whole appends, in pages. */
export function* pages(count: number, options?: HistoryOptions): Generator<StoredEvent[]> {
  let page: StoredEvent[] = [];
  let total = 0;
  for (const append of appends(options)) {
    page.push(...append);
    total += append.length;
    const enough = total >= count;
    if (!enough && page.length < 1_000) continue;
    yield page;
    if (enough) return;
    page = [];
  }
}

/** Writes the first `count` events of a history into a new store; gives the last revision. */
export async function writeHistory(
  file: string,
  count: number,
  options?: HistoryOptions,
): Promise<number> {
  let last = -1;
  const counted = function* (): Generator<SmallAppend> {
    for (const events of appends(options)) {
      yield { stream: STREAM, revision: last + 1, events };
      last += events.length;
      if (last + 1 >= count) return;
    }
  };
  await fillStore(file, counted());
  return last;
}

/** A log that can only be followed: it says `messages`, and its verdict streams are empty. */
export function followedLog(messages: () => AsyncIterable<SubscriptionMessage>): LogReader {
  return {
    guarantees: { appendOnly: "process", writersSeparated: "process" },
    maxAppendBytes: 1,
    async *read() {},
    head: async () => undefined,
    async *subscribe(target, { signal } = {}) {
      if ("stream" in target && target.stream === STREAM) yield* messages();
      else yield { kind: "caught-up" };
      await new Promise<void>((resolve) => {
        signal?.addEventListener("abort", () => resolve(), { once: true });
      });
    },
    close: async () => undefined,
  };
}

export function pageOf(events: readonly StoredEvent[]): SubscriptionMessage {
  return { kind: "events", events, checkpoint: String(events.at(-1)?.revision) };
}
