import type { AppendResult, ExpectedRevision, SerializedEvent } from "@palimpsest/core/log";
import {
  checkHead,
  DEFAULT_PAGE_SIZE,
  earlierAppend,
  LogError,
  WrongExpectedRevisionError,
} from "@palimpsest/core/log";
import type { Connection } from "./connection.ts";
import { appendErrorOf, currentOf, isUnknown, kindOf } from "./failures.ts";
import type { KnownStream, KnownStreams } from "./ids.ts";
import { readPage } from "./read.ts";

export interface AppendRequest {
  readonly stream: string;
  readonly events: readonly SerializedEvent[];
  readonly expected: ExpectedRevision;
}

/** Races lost by an append that expects nothing, after which it gives up. */
const MOST_RACES = 100;

/**
 * Appends one after another to one stream, with the idempotence that the port promises.
 *
 * Every append goes out with the revision that this handle knows for the head, so the server
 * refuses it unless all ids of the stream were looked at. After an unknown outcome the stream is
 * read again before the next append to it: a retry then finds what it had written.
 *
 * The server says "stored" also when another handle stored the very same ids at that revision just
 * before, without a word of whose events it holds. So `repeated` is unknown, but for random ids.
 */
export async function appendTo(
  connection: Connection,
  streams: KnownStreams,
  request: AppendRequest,
): Promise<AppendResult> {
  const { stream, expected } = request;
  for (let race = 0; race < MOST_RACES; race += 1) {
    if (!streams.of(stream).fresh) await catchUp(connection, streams, stream);
    const known = streams.of(stream);
    const earlier = earlierIn(known, request);
    if (earlier instanceof LogError) {
      // Some of the events are known here; the others may have been appended elsewhere since.
      if (await catchUp(connection, streams, stream)) continue;
      throw earlier;
    }
    if (earlier !== undefined) return earlier;
    // A read on this handle may learn more of the stream while the append is on its way.
    const first = known.next;
    const head = first === 0 ? undefined : first - 1;
    if (expected === "any" || expected === (head ?? "no-stream")) {
      const current = await send(connection, known, first, request);
      if (current === "appended") return appended(streams, request, first);
      if (await catchUp(connection, streams, stream)) continue;
      // The server goes by a revision that cannot be read: part of the stream is gone.
      throw new WrongExpectedRevisionError(stream, expected, current);
    }
    if (!(await catchUp(connection, streams, stream))) checkHead(stream, expected, head);
  }
  throw new LogError(
    "store-unavailable",
    `append to ${stream}: other writers were quicker ${MOST_RACES} times`,
  );
}

/** The earlier result for these events, or the error when only a part of them is there. */
function earlierIn(
  { revisions }: KnownStream,
  { stream, events }: AppendRequest,
): AppendResult | LogError | undefined {
  try {
    return earlierAppend(
      stream,
      events.map(({ id }) => revisions.get(id)),
    );
  } catch (error) {
    if (error instanceof LogError) return error;
    throw error;
  }
}

function appended(
  streams: KnownStreams,
  { stream, events }: AppendRequest,
  first: number,
): AppendResult {
  streams.learn(
    stream,
    events.map(({ id }, index) => ({ id, revision: first + index })),
  );
  const repeated = events.every(({ id }) => RANDOM_ID.test(id)) ? false : "unknown";
  return { first, last: first + events.length - 1, repeated };
}

/** A random id is known to nobody else; one that follows from something may be. */
const RANDOM_ID = /^.{14}4/;

/** Sends once; gives the server's head when that is not where it was expected. */
async function send(
  connection: Connection,
  known: KnownStream,
  first: number,
  { stream, events }: AppendRequest,
): Promise<"appended" | number | undefined> {
  try {
    const last = await connection.append(stream, events, first === 0 ? "no-stream" : first - 1);
    if (last === first + events.length - 1) return "appended";
    throw new LogError("store-damaged", `the server appended to ${stream} at revision ${last}`);
  } catch (error) {
    if (kindOf(error) === "wrong-revision") return currentOf(error);
    if (isUnknown(error)) known.fresh = false;
    throw appendErrorOf(error, stream);
  }
}

/** Reads on from where knowledge of the stream ends; true when there was something new. */
async function catchUp(
  connection: Connection,
  streams: KnownStreams,
  stream: string,
): Promise<boolean> {
  const before = streams.of(stream).next;
  for (;;) {
    const known = streams.of(stream);
    const { events, isLast } = await readPage(connection, stream, known.next, DEFAULT_PAGE_SIZE);
    const [first] = events;
    // Events were taken away from the stream ($maxCount, truncation): go on behind the gap.
    if (first !== undefined && first.revision > known.next) known.next = first.revision;
    streams.learn(stream, events);
    if (!isLast) continue;
    known.fresh = true;
    return known.next > before;
  }
}
