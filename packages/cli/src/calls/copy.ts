import type { EventLog, EventToAppend, Json, LogReader, StoredEvent } from "@palimpsest/core";
import {
  canonicalJson,
  isLogError,
  LogError,
  VERDICT_STREAM_PREFIX,
  WINDOW_STREAM_PREFIX,
} from "@palimpsest/core";
import type { Command } from "commander";
import type { GlobalOptions } from "../options.ts";
import { openStore } from "../store.ts";
import { EXIT, print, printJson, say, UsageError } from "../terminal/output.ts";
import { table } from "../terminal/table.ts";
import type { Calls } from "./calls.ts";
import { oneWindow } from "./verifier-options.ts";

interface CopyOptions extends GlobalOptions {
  readonly from: string;
  readonly to: string;
}

export function addCopyCall({ add, finish }: Calls): void {
  add("copy", "copy every window with its verdicts to another store, and compare the two")
    .requiredOption("--from <store>", "where they are; stays as it is")
    .requiredOption("--to <store>", "where they go; run again, it goes on where it stopped")
    .action((options: CopyOptions, command: Command) =>
      finish((o) => copy(o, oneWindow(command)), options),
    );
}

/** What became of a stream. */
interface Copied {
  readonly stream: string;
  /** Events that were in the target before, and are the same. */
  readonly found: number;
  readonly copied: number;
  /** Why the copy is not the original; absent when it is. */
  readonly problem?: string;
}

/** All windows, or the one that was named. */
async function copy(options: CopyOptions, window: string | undefined): Promise<number> {
  if (options.from === options.to) throw new UsageError("--from and --to name the same store");
  const from = await openStore(options.from, "look");
  try {
    const to = await openStore(options.to, "make");
    try {
      const streams = await streamsIn(from, window);
      return await copyAll(from, to, streams, options);
    } finally {
      await to.close();
    }
  } finally {
    await from.close();
  }
}

async function copyAll(
  from: LogReader,
  to: EventLog,
  streams: readonly string[],
  options: CopyOptions,
): Promise<number> {
  const copied: Copied[] = [];
  for (const stream of streams) copied.push(await copyStream(from, to, stream));
  await (options.json ? printJson(copied) : print(reportOf(copied)));
  return copied.some(({ problem }) => problem !== undefined) ? EXIT.refused : EXIT.done;
}

function reportOf(copied: readonly Copied[]): string {
  if (copied.length === 0) return "there was nothing to copy\n";
  return table(
    ["stream", "were there", "copied", "compared event by event"],
    copied.map(({ stream, found, copied: count, problem }) => [
      stream,
      String(found),
      String(count),
      problem ?? "the same",
    ]),
  );
}

/** Names of the streams, in the order in which they began. */
async function streamsIn(log: LogReader, window: string | undefined): Promise<string[]> {
  const streams = new Set<string>();
  for (const prefix of [WINDOW_STREAM_PREFIX, VERDICT_STREAM_PREFIX]) {
    if (window !== undefined) {
      if ((await log.head(prefix + window)) !== undefined) streams.add(prefix + window);
      continue;
    }
    for await (const message of log.subscribe({ prefix })) {
      if (message.kind === "caught-up") break;
      for (const { stream } of message.events) streams.add(stream);
    }
  }
  return [...streams];
}

async function copyStream(from: LogReader, to: EventLog, stream: string): Promise<Copied> {
  const head = (await to.head(stream)) ?? -1;
  const before = await difference(from, to, stream, 0, head);
  if (before !== undefined) return { stream, found: head + 1, copied: 0, problem: before };
  let last = head;
  try {
    for await (const page of from.read(stream, { from: head + 1 })) {
      for (const events of portions(page, to.maxAppendBytes)) {
        const result = await to.append(stream, events, last === -1 ? "no-stream" : last);
        last = result.last;
      }
    }
  } catch (error) {
    if (!isLogError(error)) throw error;
    say(`${stream}, behind revision ${last}: ${error.message}`);
    return { stream, found: head + 1, copied: last - head, problem: error.code };
  }
  const after = await difference(from, to, stream, head + 1, last);
  const result = { stream, found: head + 1, copied: last - head };
  return after === undefined ? result : { ...result, problem: after };
}

/**
 * Appends as large as the target takes them. Where an append ended in the original is written in
 * the events themselves, so a copy may divide it otherwise.
 */
function* portions(
  events: readonly StoredEvent[],
  maxBytes: number,
): Generator<readonly EventToAppend[]> {
  let portion: EventToAppend[] = [];
  let bytes = 0;
  for (const event of events) {
    const { id, type, data, metadata, revision, undecodable } = event;
    if (undecodable !== undefined) {
      throw new LogError("event-undecodable", `revision ${revision} is not JSON in the original`);
    }
    const size =
      Buffer.byteLength(JSON.stringify(data)) + Buffer.byteLength(JSON.stringify(metadata));
    if (portion.length > 0 && (bytes + size > maxBytes || portion.length === 500)) {
      yield portion;
      portion = [];
      bytes = 0;
    }
    portion.push({ id, type, data, metadata });
    bytes += size;
  }
  if (portion.length > 0) yield portion;
}

/** The first difference between the two stores from one revision to another; undefined for none. */
async function difference(
  from: LogReader,
  to: LogReader,
  stream: string,
  first: number,
  last: number,
): Promise<string | undefined> {
  const range = { from: first, to: last };
  const theirs = eventsIn(to.read(stream, range));
  for await (const ours of eventsIn(from.read(stream, range))) {
    const { value } = await theirs.next();
    if (value === undefined || formOf(ours) !== formOf(value)) {
      return `revision ${ours.revision} is another one`;
    }
  }
  const more = await theirs.next();
  return more.value === undefined ? undefined : `revision ${more.value.revision} is in excess`;
}

async function* eventsIn(
  pages: AsyncIterable<readonly StoredEvent[]>,
): AsyncGenerator<StoredEvent, undefined> {
  for await (const page of pages) yield* page;
}

/** All that a store is to give back, as one text; undecodable events are equal to nothing. */
function formOf({ revision, id, type, data, metadata, undecodable }: StoredEvent): string | symbol {
  if (undecodable !== undefined) return Symbol("undecodable");
  const form: Json = { revision, id, type, data, metadata };
  return canonicalJson(form);
}
