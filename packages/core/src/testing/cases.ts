import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import type { Json } from "../json/json.ts";
import type { LogErrorCode } from "../log/errors.ts";
import { isLogError } from "../log/errors.ts";
import type { EventLog, EventToAppend, LogReader, StoredEvent } from "../log/port.ts";
import { checkWholeStream } from "./whole-stream.ts";

/** What a case of the suite is run with. */
export interface CaseContext {
  readonly log: EventLog;
  /** The name of a stream that nobody used; checked as a whole when the case is over. */
  stream(prefix?: string): string;
  /** A handle on another new store, for a case that closes it. */
  openNew(): Promise<EventLog>;
  /** Further handles on the same store. The suite closes them. */
  openAgain(): Promise<EventLog>;
  openReader(): Promise<LogReader>;
}

export type Case = (context: CaseContext) => Promise<void>;
export type Cases = Readonly<Record<string, Case>>;

export interface CaseStore {
  open(): EventLog | Promise<EventLog>;
  openAgain?(log: EventLog): EventLog | Promise<EventLog>;
  openReader?(log: EventLog): LogReader | Promise<LogReader>;
}

/** Runs one case on a store of its own, then checks every stream it named. */
export async function runCase(store: CaseStore, run: Case): Promise<void> {
  const log = await store.open();
  const handles: LogReader[] = [log];
  const streams: string[] = [];
  const keep = async <Handle extends LogReader>(handle: Handle | Promise<Handle>) => {
    handles.push(await handle);
    return handle;
  };
  try {
    await run({
      log,
      stream(prefix = "window-") {
        const name = prefix + randomUUID();
        streams.push(name);
        return name;
      },
      openNew: () => keep(store.open()),
      openAgain: () => keep(store.openAgain?.(log) ?? missing("openAgain")),
      openReader: () => keep(store.openReader?.(log) ?? missing("openReader")),
    });
    for (const stream of streams) await checkWholeStream(log, stream);
  } finally {
    for (const handle of handles.reverse()) await handle.close();
  }
}

function missing(option: string): never {
  throw new Error(`the suite needs the option ${option}`);
}

/** An event with an id of its own. */
export function event(data: Json = {}, type = "SpanAdmitted"): EventToAppend {
  return { id: randomUUID(), type, data, metadata: { by: "host/suite", schemaVersion: 1 } };
}

/** `count` events whose data count from `start`. */
export function events(count: number, start = 0): EventToAppend[] {
  return Array.from({ length: count }, (_, index) => event({ n: start + index }));
}

export function idsOf(list: readonly { readonly id: string }[]): string[] {
  return list.map((entry) => entry.id);
}

/** What the store must give back for `appended`. */
export function stored(
  stream: string,
  appended: readonly EventToAppend[],
  first = 0,
): StoredEvent[] {
  return appended.map(({ id, type, data, metadata }, index) => {
    return { stream, revision: first + index, id, type, data, metadata };
  });
}

/** Asserts that `call` rejects with the given code of the log port, and gives the error. */
export async function rejects(call: Promise<unknown>, code: LogErrorCode): Promise<Error> {
  try {
    await call;
  } catch (error) {
    assert.ok(isLogError(error, code), `expected ${code}, got ${String(error)}`);
    return error;
  }
  throw new assert.AssertionError({ message: `expected ${code}, but nothing was rejected` });
}
