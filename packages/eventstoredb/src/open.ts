import type { EventLog, LogReader } from "@palimpsest/core/log";
import { LogError, pagesOf, serializeAppend } from "@palimpsest/core/log";
import { appendTo } from "./append.ts";
import type { Connection } from "./connection.ts";
import { connect } from "./connection.ts";
import { guaranteesOf } from "./guarantees.ts";
import { KnownStreams } from "./ids.ts";
import { headOf, pageReader, readPage } from "./read.ts";
import type { EventStoreDbOptions } from "./settings.ts";
import { settingsOf } from "./settings.ts";
import { checkAppendSize, maxAppendBytesOf } from "./size.ts";
import { subscribe } from "./subscribe.ts";
import { inTurn } from "./turns.ts";
import { operatorsCare, unlessUnprovisioned } from "./unprovisioned.ts";

/**
 * Connects to the server or cluster that an `esdb://` connection string names.
 *
 * Its guarantees are `store` where the server was seen to refuse this very user what nobody may do,
 * and `none` without TLS, where the server ignores access control. Rejects with `store-unavailable`
 * when the server does not answer, its certificate is not accepted or the password is wrong.
 */
export async function openEventStoreDbLog(
  url: string,
  options: EventStoreDbOptions = {},
): Promise<EventLog> {
  const connection = connect(settingsOf(url, options));
  const streams = new KnownStreams();
  const turns = new Map<string, Promise<unknown>>();
  const { maxAppendSize } = connection.settings;
  const reader = await openHandle(connection, streams);
  const isRefusedNothing = reader.log.guarantees.writersSeparated === "none";
  const care =
    connection.settings.secure && isRefusedNothing ? operatorsCare(connection) : undefined;
  return {
    ...reader.log,
    async append(stream, events, expected) {
      reader.use();
      const limit = reader.log.maxAppendBytes;
      const serialized = serializeAppend(stream, events, expected, limit);
      checkAppendSize(serialized, maxAppendSize);
      const request = { stream, events: serialized, expected };
      const append = () => appendTo(connection, streams, request);
      return inTurn(turns, stream, async () => {
        if (!streams.of(stream).fresh) await care?.(stream);
        return unlessUnprovisioned(connection, stream, append);
      });
    },
  };
}

/** A handle that has no `append`; rejects as `openEventStoreDbLog` does. */
export async function openEventStoreDbReader(
  url: string,
  options: EventStoreDbOptions = {},
): Promise<LogReader> {
  return (await openHandle(connect(settingsOf(url, options)))).log;
}

interface Handle {
  readonly log: LogReader;
  /** Throws `log-closed` once the handle was closed. */
  use(): void;
}

async function openHandle(connection: Connection, streams?: KnownStreams): Promise<Handle> {
  const closing = new AbortController();
  const use = (): void => {
    if (closing.signal.aborted) throw new LogError("log-closed", "the handle was closed");
  };
  const guarantees = await guaranteesOf(connection).catch(async (error: unknown) => {
    await connection.close();
    throw error;
  });
  const log: LogReader = {
    guarantees,
    maxAppendBytes: maxAppendBytesOf(connection.settings.maxAppendSize),
    read: (stream, options) =>
      pagesOf(
        pageReader(async (from, limit) => {
          use();
          const page = await readPage(connection, stream, from, limit);
          streams?.learn(stream, page.events);
          return page;
        }),
        options,
      ),
    async head(stream) {
      use();
      return headOf(connection, stream);
    },
    subscribe: (target, options) =>
      subscribe({ connection, use, closing: closing.signal }, target, options),
    async close() {
      if (closing.signal.aborted) return;
      closing.abort();
      await connection.close();
    },
  };
  return { log, use };
}
