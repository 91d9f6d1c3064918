import type { ReadReq } from "@eventstore/db-client/generated/streams_pb.js";
import type { ReadPage, StoredEvent } from "@palimpsest/core/log";
import { PAGE_TEXT_LIMIT, pause } from "@palimpsest/core/log";
import type { Connection, Messages } from "./connection.ts";
import type { Received } from "./decode.ts";
import { receivedIn } from "./decode.ts";
import { kindOf, logErrorOf } from "./failures.ts";
import { lastOf, streamFrom } from "./requests.ts";
import { retryDelay } from "./waiting.ts";

/** One page: events in ascending order, and whether there was more when it was read. */
export interface Page {
  readonly events: readonly StoredEvent[];
  readonly isLast: boolean;
}

/** At most `limit` events of a stream, fewer when they are large. */
export async function readPage(
  connection: Connection,
  stream: string,
  from: number,
  limit: number,
): Promise<Page> {
  const events: StoredEvent[] = [];
  let bytes = 0;
  const request = streamFrom(stream, from, limit);
  await readEach(connection, request, `read ${stream}`, (received) => {
    if (received === undefined) {
      events.length = 0;
      bytes = 0;
      return true;
    }
    events.push(received.event);
    bytes += received.bytes;
    return bytes < PAGE_TEXT_LIMIT;
  });
  return { events, isLast: events.length < limit && bytes < PAGE_TEXT_LIMIT };
}

export async function headOf(connection: Connection, stream: string): Promise<number | undefined> {
  let head: number | undefined;
  await readEach(connection, lastOf(stream), `find the head of ${stream}`, (received) => {
    head = received?.event.revision;
    return true;
  });
  return head;
}

/**
 * Hands each event to `take` until it returns false. A read changes nothing, so while the server is
 * away it is tried again until its deadline: `take` gets undefined at each beginning. A stream that
 * does not exist has no events.
 */
export async function readEach(
  connection: Connection,
  request: ReadReq,
  doing: string,
  take: (received: Received | undefined) => boolean,
): Promise<void> {
  const until = Date.now() + connection.settings.deadline;
  for (let attempt = 0; ; attempt += 1) {
    let messages: Messages | undefined;
    try {
      take(undefined);
      messages = await connection.read(request);
      for await (const message of messages) {
        const received = receivedIn(message);
        if (received !== undefined && !take(received)) return;
      }
      return;
    } catch (error) {
      const kind = kindOf(error);
      if (kind === "not-found") return;
      const delay = retryDelay(attempt);
      const mayPass = kind === "lost" || kind === "not-leader";
      if (!mayPass || Date.now() + delay >= until) throw logErrorOf(error, doing);
      await pause(delay);
    } finally {
      messages?.cancel();
    }
  }
}

/**
 * Reads a stream for the pages of `LogReader.read`. A page that says it is the last is believed,
 * so that no call is made to find nothing.
 */
export function pageReader(read: (from: number, limit: number) => Promise<Page>): ReadPage {
  let isOver = false;
  return async (from, to, limit) => {
    if (isOver) return [];
    const { events, isLast } = await read(from, Math.min(limit, to - from + 1));
    isOver = isLast;
    // Events may be gone from the start of a stream: the server then begins behind `to`.
    return events.filter((event) => event.revision <= to);
  };
}
