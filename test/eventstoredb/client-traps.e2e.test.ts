import { binaryEvent, EventStoreDBClient, jsonEvent } from "@eventstore/db-client";
import type { EventLog, EventToAppend, Json } from "@palimpsest/core";
import { isLogError } from "@palimpsest/core";
import { openEventStoreDbLog } from "@palimpsest/core/eventstoredb";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { event, events, readWhole } from "../support/eventstoredb/events.ts";
import type { SecuredDouble } from "../support/eventstoredb/secured.ts";
import { startSecured } from "../support/eventstoredb/secured.ts";
import type { Double } from "../support/eventstoredb/server.ts";
import { ADMIN, startDouble } from "../support/eventstoredb/server.ts";

/* What the client 6.2.1 does that one would not expect, and that the adapter is safe from it. */

let secured: SecuredDouble;
let insecure: Double;
const logs: EventLog[] = [];
const open = async (url: string, options = {}): Promise<EventLog> => {
  const log = await openEventStoreDbLog(url, options);
  logs.push(log);
  return log;
};
const newStream = (): string => `window-${crypto.randomUUID()}`;
beforeAll(async () => {
  secured = await startSecured();
  insecure = await startDouble({ catchesUpOnNothing: false });
});
afterAll(async () => {
  for (const log of logs) await log.close();
  await secured.stop();
  await insecure.stop();
});

describe("without TLS", () => {
  it("nothing is guaranteed, for the server ignores access control", async () => {
    const { guarantees } = await open(insecure.url());
    expect(guarantees).toEqual({ appendOnly: "none", writersSeparated: "none" });
  });

  it("`tlsVerifyCert=false`, which the client ignores, is refused", async () => {
    const opening = open(`esdb://${ADMIN.username}:x@localhost:1?tlsVerifyCert=false`);
    await expect(opening).rejects.toThrow("tlsCAFile");
  });
});

describe("the batch path of appends", () => {
  it("is what the client takes without credentials of the call", async () => {
    const client = EventStoreDBClient.connectionString(insecure.url());
    const before = insecure.counts.batchAppends;
    await client.appendToStream(newStream(), jsonEvent({ type: "A", data: {} }));
    expect(insecure.counts.batchAppends).toBe(before + 1);
    await client.dispose();
  });

  it("is never taken by the adapter", async () => {
    for (const double of [insecure, secured.double]) {
      const log = await open(double.url());
      const before = double.counts.batchAppends;
      await log.append(newStream(), events(3), "any");
      expect(double.counts.batchAppends).toBe(before);
    }
  });

  it("has errors that hit another client's append, and not the adapter's", async () => {
    const [one, other] = [0, 1].map(() => EventStoreDBClient.connectionString(insecure.url()));
    const log = await open(insecure.url());
    insecure.faults.plan({ method: "batchAppend", when: "after", how: "silence" });
    insecure.faults.plan({ method: "batchAppend", when: "before", how: "unavailable", skip: 1 });
    const mine = other?.appendToStream(newStream(), jsonEvent({ type: "A", data: {} }));
    const innocent = expect(mine).rejects.toThrow("not ready");
    await new Promise((resolve) => setTimeout(resolve, 50));
    const theirs = one?.appendToStream(newStream(), jsonEvent({ type: "A", data: {} }));
    const stream = newStream();
    await Promise.all([
      innocent,
      expect(theirs).rejects.toThrow("not ready"),
      log.append(stream, events(2), "any"),
    ]);
    expect(await log.head(stream)).toBe(1);
    insecure.faults.clear();
  });
});

describe("what cannot be written", () => {
  it("is refused at once, where the client would wait for ever", async () => {
    const log = await open(insecure.url());
    const cycle: Record<string, unknown> = {};
    cycle.self = cycle;
    for (const data of [{ n: 1n }, cycle]) {
      const append = log.append(newStream(), [event(data as unknown as Json)], "any");
      await expect(append).rejects.toSatisfy((error) => isLogError(error, "invalid-append"));
    }
  });

  it("is measured as the server does, before it is sent", async () => {
    const log = await open(insecure.url());
    expect(log.maxAppendBytes).toBeLessThan(1024 * 1024);
    const before = insecure.counts.appends;
    const types = Array.from({ length: 30 }, () => event("", "T".repeat(20_000)));
    for (const list of [[event("x".repeat(log.maxAppendBytes))], types]) {
      const append = log.append(newStream(), list, "no-stream");
      await expect(append).rejects.toSatisfy((error) => {
        return isLogError(error, "append-too-large") && /where \d+ is the most/.test(error.message);
      });
    }
    expect(insecure.counts.appends).toBe(before);
    const fits = event("x".repeat(log.maxAppendBytes - 100));
    await log.append(newStream(), [fits], "no-stream");
  });

  it("is not metadata that JavaScript takes for nothing, which the client drops", async () => {
    const log = await open(insecure.url());
    const list = [null, 0, "", false].map((metadata): EventToAppend => ({ ...event(), metadata }));
    const stream = newStream();
    await log.append(stream, list, "any");
    const read = await readWhole(log, stream);
    expect(read.map(({ metadata }) => metadata)).toEqual([null, 0, "", false]);
  });
});

describe("what the client would decode wrongly", () => {
  it("comes as undecodable bytes: no JSON, and no UTF-8", async () => {
    const client = EventStoreDBClient.connectionString(insecure.url());
    const stream = newStream();
    const texts = [Buffer.from("no JSON"), Buffer.from('"\xff"', "latin1"), Buffer.from('"text"')];
    for (const data of texts) {
      const json = { ...binaryEvent({ type: "A", data, metadata: Buffer.from("{}") }) };
      await client.appendToStream(stream, json, { credentials: ADMIN });
    }
    await client.dispose();
    const read = await readWhole(await open(insecure.url()), stream);
    const found = read.map(({ data, undecodable }) => [data, undecodable?.length]);
    expect(found).toEqual([
      [null, "7:no JSON{}".length],
      [null, 2 + 3 + 2],
      ["text", undefined],
    ]);
  });
});

describe("`caughtUp`", () => {
  it("comes from the adapter where the server never says it: of a stream that is not", async () => {
    const log = await open(insecure.url());
    for await (const message of log.subscribe({ stream: newStream() })) {
      expect(message).toEqual({ kind: "caught-up" });
      break;
    }
  });

  it("comes only after everything that was stored, however slow the consumer", async () => {
    const log = await open(secured.double.url());
    const stream = newStream();
    await log.append(stream, events(300), "no-stream");
    let handled = 0;
    for await (const message of log.subscribe({ stream }, { pageSize: 50 })) {
      if (message.kind === "caught-up") break;
      await new Promise((resolve) => setTimeout(resolve, 20));
      handled += message.events.length;
    }
    expect(handled).toBe(300);
  });
});

describe("a read", () => {
  it("has a deadline, which the client's reads have not", async () => {
    const log = await open(insecure.url(), { deadline: 500 });
    insecure.faults.plan({ method: "read", when: "before", how: "silence", times: 20 });
    const started = Date.now();
    const head = log.head(newStream());
    await expect(head).rejects.toSatisfy((error) => isLogError(error, "store-unavailable"));
    expect(Date.now() - started).toBeLessThan(3_000);
    insecure.faults.clear();
  });
});
