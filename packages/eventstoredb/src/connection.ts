import type { Readable } from "node:stream";
import type { BaseOptions } from "@eventstore/db-client";
import { EventStoreDBClient } from "@eventstore/db-client";
import { StreamsClient } from "@eventstore/db-client/generated/streams_grpc_pb.js";
import type { ReadReq, ReadResp } from "@eventstore/db-client/generated/streams_pb.js";
import type { SerializedEvent } from "@palimpsest/core/log";
import { LogError, pause } from "@palimpsest/core/log";
import type { ServiceClass } from "./client.ts";
import { innerOf } from "./client.ts";
import { kindOf } from "./failures.ts";
import type { CallArguments, SentExpectation } from "./send.ts";
import { sendAppend } from "./send.ts";
import type { Settings } from "./settings.ts";
import { retryDelay } from "./waiting.ts";

/**
 * The messages of one read or subscription, raw; a Readable of objects. Whoever has enough cancels:
 * to destroy it would leave the call open on the server.
 */
export type Messages = Omit<Readable, "read"> &
  AsyncIterable<ReadResp> & { read(): ReadResp | null; cancel(): void };

export interface Connection {
  readonly settings: Settings;
  /** Appends on the unary path and gives the revision of the last event. */
  append(
    stream: string,
    events: readonly SerializedEvent[],
    expected: SentExpectation,
  ): Promise<number>;
  /** Reads with a deadline, from the node that leads. */
  read(request: ReadReq): Promise<Messages>;
  /** Subscribes: no deadline, and any node will do. */
  follow(request: ReadReq): Promise<Messages>;
  /** Another service of the server: `action` gets its client and the arguments of a call. */
  call<Service, Result>(
    service: ServiceClass<Service>,
    action: (client: Service, args: CallArguments) => Promise<Result>,
  ): Promise<Result>;
  serverVersion(): Promise<string>;
  close(): Promise<void>;
}

/** An election may name one node after another. */
const MOST_LEADERS = 5;

/** How much longer than the client's own deadline an answer is waited for. */
const GRACE = 1_000;

/** Throws `store-unavailable` for settings that cannot work; does not connect yet. */
export function connect(settings: Settings): Connection {
  if (settings.secure && settings.credentials === undefined) {
    const message = "a secured server needs a user and a password in the connection string";
    throw new LogError("store-unavailable", message);
  }
  const client = clientOf(settings);
  const inner = innerOf(client);
  const { deadline } = settings;
  const identity = settings.credentials === undefined ? {} : { credentials: settings.credentials };
  const base = { ...identity, deadline, requiresLeader: true };
  const open = (request: ReadReq, options: BaseOptions, until: Date | number) =>
    inner.stream(StreamsClient, (streams) =>
      streams.read(request, ...inner.callArguments(options, { deadline: until })),
    ) as Promise<Messages>;
  return {
    settings,
    async append(stream, events, expected) {
      return onLeader(() =>
        within(
          inner.call(StreamsClient, (streams) =>
            sendAppend(streams, inner.callArguments(base), stream, events, expected),
          ),
          deadline + GRACE,
        ),
      );
    },
    read: (request) => open(request, base, new Date(Date.now() + deadline)),
    follow: (request) => open(request, identity, Number.POSITIVE_INFINITY),
    call: (service, action) =>
      onLeader(() =>
        within(
          inner.call(service, (found) => action(found, inner.callArguments(base))),
          deadline + GRACE,
        ),
      ),
    serverVersion: () => within(inner.serverVersion(), deadline + GRACE),
    async close() {
      await client.dispose();
      // The client leaves its channel open, which keeps a process from ending.
      const channel = await inner.getChannel().catch(() => undefined);
      channel?.close();
    },
  };
}

function clientOf({ url }: Settings): EventStoreDBClient {
  try {
    return EventStoreDBClient.connectionString(url);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    // Without the cause: the client's error carries the whole string, with the password.
    throw new LogError("store-unavailable", `the connection string cannot be used: ${why}`);
  }
}

/** After a node refused because another one leads, the client's next call goes to that one. */
async function onLeader<Result>(call: () => Promise<Result>): Promise<Result> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await call();
    } catch (error) {
      if (kindOf(error) !== "not-leader" || attempt === MOST_LEADERS) throw error;
      await pause(retryDelay(attempt));
    }
  }
}

/** The client has promises that never settle, say when the server falls silent. */
async function within<Result>(promise: Promise<Result>, milliseconds: number): Promise<Result> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error("no answer in time")), milliseconds);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
