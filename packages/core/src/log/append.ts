import { utf8Length } from "#platform";
import type { Json } from "../json/json.ts";
import { LogError, WrongExpectedRevisionError } from "./errors.ts";
import type { AppendResult, EventToAppend, ExpectedRevision } from "./port.ts";
import { isUuid } from "./uuid.ts";

/** 64 MiB: the limit of the adapters that have none of their own. */
export const DEFAULT_MAX_APPEND_BYTES = 64 * 1024 * 1024;

/** An event as it goes into a store: checked, and its JSON turned into text. */
export interface SerializedEvent {
  /** A UUID in lower case. */
  readonly id: string;
  readonly type: string;
  /** JSON text, without a line feed. */
  readonly data: string;
  /** JSON text, without a line feed. */
  readonly metadata: string;
}

/**
 * Checks an append and turns its JSON into text, before any store is touched.
 *
 * Throws `invalid-append` (no events, an id that is not a UUID, a value that is not JSON, an
 * expectation that nobody can have), `event-id-conflict` (one id twice in the append) or
 * `append-too-large`.
 */
export function serializeAppend(
  stream: string,
  events: readonly EventToAppend[],
  expected: ExpectedRevision,
  maxAppendBytes: number,
): SerializedEvent[] {
  checkName(stream, "the stream name");
  checkExpected(expected);
  if (events.length === 0)
    throw new LogError("invalid-append", "an append needs at least one event");
  const serialized: SerializedEvent[] = [];
  let units = 0;
  for (const event of events) {
    const id = checkId(event.id);
    const type = checkName(event.type, "the event type");
    const data = serialize(event.data, "data");
    const metadata = serialize(event.metadata, "metadata");
    units += data.length + metadata.length;
    serialized.push({ id, type, data, metadata });
  }
  checkIdsDiffer(serialized);
  // Counting UTF-8 bytes costs a pass over the text, so it is done only where it can matter.
  if (units * 3 > maxAppendBytes) checkSize(serialized, maxAppendBytes);
  return serialized;
}

/**
 * What the ids of an append say about it, given the revision at which the stream holds each of
 * them: the earlier result when all are there one after another, undefined when none is.
 * Throws `event-id-conflict` otherwise.
 */
export function earlierAppend(
  stream: string,
  revisions: readonly (number | undefined)[],
): AppendResult | undefined {
  if (revisions.every((revision) => revision === undefined)) return undefined;
  const first = revisions[0];
  if (first === undefined || revisions.some((revision, index) => revision !== first + index)) {
    throw new LogError(
      "event-id-conflict",
      `stream ${JSON.stringify(stream)} holds only some of these events, or in another order`,
    );
  }
  return { first, last: first + revisions.length - 1, repeated: true };
}

/** Throws `wrong-expected-revision` unless a stream whose head is `head` is what was expected. */
export function checkHead(
  stream: string,
  expected: ExpectedRevision,
  head: number | undefined,
): void {
  if (expected === "any" || expected === (head ?? "no-stream")) return;
  throw new WrongExpectedRevisionError(stream, expected, head);
}

/** A lone surrogate has no UTF-8 form: a store would silently put another character there. */
function checkName(name: string, what: string): string {
  if (typeof name === "string" && name !== "" && name.isWellFormed()) return name;
  throw new LogError("invalid-append", `${what} must be text, not ${shown(name)}`);
}

function checkExpected(expected: ExpectedRevision): void {
  if (expected === "any" || expected === "no-stream") return;
  if (Number.isSafeInteger(expected) && expected >= 0) return;
  throw new LogError(
    "invalid-append",
    `the expected revision must be a whole number, "no-stream" or "any", not ${String(expected)}`,
  );
}

function checkId(id: string): string {
  if (isUuid(id)) return id;
  throw new LogError(
    "invalid-append",
    `an event id must be a UUID in lower case, not ${shown(id)}`,
  );
}

/** What is not even text may be of any kind, in spite of its type. */
function shown(text: string): string {
  return typeof text === "string" ? JSON.stringify(text) : `a ${typeof text}`;
}

function checkIdsDiffer(events: readonly SerializedEvent[]): void {
  // Two are compared faster than a set of them is made, and most appends are of two.
  const isEachOnce =
    events.length <= 2
      ? events[0]?.id !== events[1]?.id
      : new Set(events.map(({ id }) => id)).size === events.length;
  if (isEachOnce) return;
  throw new LogError("event-id-conflict", "the append names one event id twice");
}

function serialize(value: Json, what: string): string {
  let text: string | undefined;
  try {
    text = JSON.stringify(value);
  } catch (cause) {
    throw new LogError("invalid-append", `${what} cannot be written as JSON`, { cause });
  }
  if (text === undefined) throw new LogError("invalid-append", `${what} is not a JSON value`);
  return text;
}

function checkSize(events: readonly SerializedEvent[], maxAppendBytes: number): void {
  let bytes = 0;
  for (const event of events) bytes += utf8Length(event.data) + utf8Length(event.metadata);
  if (bytes <= maxAppendBytes) return;
  throw new LogError(
    "append-too-large",
    `the append has ${bytes} bytes, and this log takes at most ${maxAppendBytes}`,
  );
}
