import { randomUUID } from "node:crypto";
import type { Credentials } from "@eventstore/db-client";
import { EventStoreDBClient, jsonEvent, START } from "@eventstore/db-client";
import type { EventLog, EventToAppend } from "@palimpsest/core";
import { eventId } from "@palimpsest/core";
import { openEventStoreDbLog } from "@palimpsest/eventstoredb";
import { startSecured } from "../test/support/eventstoredb/secured.ts";
import { ADMIN } from "../test/support/eventstoredb/server.ts";
import type { Figure, Result } from "./figure.ts";
import { costResult, missingResult, speedResult } from "./figure.ts";
import type { Side } from "./measure.ts";
import { runInTurn, timed } from "./measure.ts";

/*
 * The adapter against its own client, both on one server in one run. Without a server named by
 * PALIMPSEST_TEST_ESDB the server is the protocol double in this very process: the ratios then
 * say what the adapter adds, and the times say nothing of EventStoreDB.
 */

const APPENDS = 200;
const EVENTS = 5_000;
const REPEATS = { warmUp: 2, pairs: 9 };

/** As long as the events of a window: an edit of a few spans. */
const DATA = { editId: "e", verb: "rewrite", content: "x".repeat(600) };
const METADATA = { by: "host/bench", commandId: "c", index: 0, count: 1, schemaVersion: 1 };

interface Server {
  readonly url: string;
  readonly credentials: Credentials;
  readonly note: string;
  stop(): Promise<void>;
}

async function serverToMeasure(): Promise<Server | undefined> {
  const named = process.env.PALIMPSEST_TEST_ESDB;
  if (named === undefined) {
    const secured = await startSecured();
    return {
      url: secured.url("operator"),
      credentials: ADMIN,
      note: "on the protocol double in this process, no real server",
      stop: () => secured.stop(),
    };
  }
  const [, username, password] = /^[^:]+:\/\/([^:]+):([^@]+)@/.exec(named) ?? [];
  if (username === undefined || password === undefined) return undefined;
  const credentials = {
    username: decodeURIComponent(username),
    password: decodeURIComponent(password),
  };
  const note = "on the server of PALIMPSEST_TEST_ESDB";
  return { url: named, credentials, note, stop: async () => undefined };
}

export const eventStoreDbFigures: readonly Figure[] = [
  {
    name: "EventStoreDB append",
    measure: () => onServer("EventStoreDB append", "µs", measureAppends),
  },
  {
    name: "EventStoreDB subscription",
    measure: () => onServer("EventStoreDB subscription", "µs", measureSubscriptions),
  },
];

type Measure = (log: EventLog, client: EventStoreDBClient, server: Server) => Promise<Result>;

async function onServer(name: string, unit: string, measure: Measure): Promise<Result> {
  const server = await serverToMeasure();
  if (server === undefined) return missingResult(name, unit, "the connection names no user");
  const client = EventStoreDBClient.connectionString(server.url);
  const log = await openEventStoreDbLog(server.url);
  try {
    return await measure(log, client, server);
  } finally {
    await log.close();
    await client.dispose();
    await server.stop();
  }
}

/** One event an append, with an id as windows make them and the revision the one before left. */
const measureAppends: Measure = async (log, client, { credentials, note }) => {
  const [ownStream, theirStream] = [`window-${randomUUID()}`, `raw-${randomUUID()}`];
  let [own, their] = [-1, -1];
  const ours: Side = () =>
    timed(async () => {
      for (let n = 0; n < APPENDS; n += 1, own += 1) {
        const id = eventId("bench", "host/bench", randomUUID(), 0);
        await log.append(ownStream, [event(id)], own === -1 ? "no-stream" : own);
      }
    });
  const theirs: Side = () =>
    timed(async () => {
      for (let n = 0; n < APPENDS; n += 1, their += 1) {
        const expectedRevision = their === -1 ? "no_stream" : BigInt(their);
        const raw = jsonEvent({ type: "WindowEdited", data: DATA, metadata: METADATA });
        await client.appendToStream(theirStream, raw, { expectedRevision, credentials });
      }
    });
  const pairs = await runInTurn(ours, theirs, REPEATS);
  return costResult(pairs, {
    name: "EventStoreDB append",
    unit: "µs",
    per: APPENDS,
    target: 1.3,
    note: `against the client's own unary append, ${note}`,
  });
};

/** From the first event of a stream to the last that is stored. */
const measureSubscriptions: Measure = async (log, client, { credentials, note }) => {
  const stream = `window-${randomUUID()}`;
  for (let n = 0; n < EVENTS; n += 500) {
    await log.append(
      stream,
      Array.from({ length: 500 }, () => event(randomUUID())),
      "any",
    );
  }
  const ours: Side = () =>
    timed(async () => {
      let seen = 0;
      for await (const message of log.subscribe({ stream })) {
        if (message.kind === "events") seen += message.events.length;
        if (seen === EVENTS) break;
      }
    });
  const theirs: Side = () =>
    timed(async () => {
      let seen = 0;
      const subscription = client.subscribeToStream(stream, { fromRevision: START, credentials });
      for await (const _ of subscription) if (++seen === EVENTS) break;
      await subscription.unsubscribe();
    });
  const pairs = await runInTurn(ours, theirs, REPEATS);
  return speedResult(pairs, {
    name: "EventStoreDB subscription",
    unit: "µs",
    per: EVENTS,
    target: 0.8,
    note: `against the client's own subscription, ${note}`,
  });
};

function event(id: string): EventToAppend {
  return { id, type: "WindowEdited", data: DATA, metadata: METADATA };
}
