import { binaryEvent, EventStoreDBClient } from "@eventstore/db-client";
import { isLogError } from "@palimpsest/core";
import { describe, expect, it } from "vitest";
import { events, persist, readWhole } from "../support/eventstoredb/events.ts";
import { ADMIN, startDouble } from "../support/eventstoredb/server.ts";
import { stillPending, twoServers } from "../support/eventstoredb/two-servers.ts";

/* What the client 6.2.1 does on reading and following, and that the adapter is safe from it. */

const servers = twoServers();
const newStream = (): string => `window-${crypto.randomUUID()}`;

describe("what the client would decode wrongly", () => {
  it("comes as undecodable bytes: no JSON, and no UTF-8", async () => {
    const client = EventStoreDBClient.connectionString(servers.insecure.url());
    const stream = newStream();
    const texts = [Buffer.from("no JSON"), Buffer.from('"\xff"', "latin1"), Buffer.from('"text"')];
    for (const data of texts) {
      const json = { ...binaryEvent({ type: "A", data, metadata: Buffer.from("{}") }) };
      await client.appendToStream(stream, json, { credentials: ADMIN });
    }
    await client.dispose();
    const read = await readWhole(await servers.open(servers.insecure.url()), stream);
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
    const log = await servers.open(servers.insecure.url());
    for await (const message of log.subscribe({ stream: newStream() })) {
      expect(message).toEqual({ kind: "caught-up" });
      break;
    }
  });

  it("comes again when the server said that the subscription had fallen behind", async () => {
    const log = await servers.open(servers.secured.double.url());
    const stream = newStream();
    await log.append(stream, events(2), "no-stream");
    const messages = log.subscribe({ stream })[Symbol.asyncIterator]();
    const kinds: string[] = [];
    const take = async (): Promise<void> => {
      kinds.push((await messages.next()).value?.kind ?? "end");
    };
    for (let n = 0; n < 2; n += 1) await take();
    servers.secured.double.faults.plan({ method: "subscribe", when: "after", how: "fall-behind" });
    await log.append(stream, events(2), 1);
    for (let n = 0; n < 2; n += 1) await take();
    expect(kinds).toEqual(["events", "caught-up", "events", "caught-up"]);
    await messages.return?.();
  });

  it("comes only after everything that was stored, however slow the consumer", async () => {
    const log = await servers.open(servers.secured.double.url());
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

describe("a subscription to a prefix", () => {
  it("is filtered by the server: what others write is never sent", async () => {
    const log = await servers.open(servers.secured.double.url());
    const prefix = `window-${crypto.randomUUID()}-`;
    await log.append(`${prefix}a`, events(2), "no-stream");
    for (let n = 0; n < 3; n += 1) await log.append(newStream(), events(500), "no-stream");
    await log.append(`${prefix}b`, events(1), "no-stream");
    const before = servers.secured.double.counts.sent;
    let seen = 0;
    for await (const message of log.subscribe({ prefix })) {
      if (message.kind === "caught-up") break;
      seen += message.events.length;
    }
    expect(seen).toBe(3);
    // Three events, and a checkpoint for each 512 events that the server looked through.
    expect(servers.secured.double.counts.sent - before).toBeLessThan(20);
  });
});

describe("a subscription", () => {
  it("of the client ends with an error when the server restarts; the adapter's goes on", async () => {
    const double = await startDouble();
    const client = EventStoreDBClient.connectionString(double.url());
    const log = await servers.open(double.url());
    const stream = newStream();
    await log.append(stream, events(1), "no-stream");
    const theirs = client.subscribeToStream(stream);
    const ended = new Promise((resolve) => theirs.once("error", resolve));
    const ours = log.subscribe({ stream })[Symbol.asyncIterator]();
    expect((await ours.next()).value).toMatchObject({ kind: "events" });
    expect((await ours.next()).value).toEqual({ kind: "caught-up" });
    await new Promise((resolve) => theirs.once("data", resolve));
    const next = ours.next();
    await double.restart(100);
    expect(await ended).toBeInstanceOf(Error);
    await persist(log, stream, events(1));
    expect((await next).value).toMatchObject({ kind: "events", events: [{ revision: 1 }] });
    await ours.return?.();
    await client.dispose();
    await log.close();
    await double.stop();
  });
});

describe("a read", () => {
  it("of the client ignores its deadline", async () => {
    const client = EventStoreDBClient.connectionString(servers.insecure.url());
    servers.insecure.faults.plan({ method: "read", when: "before", how: "silence", times: 1 });
    const reading = client.readStream(newStream(), { deadline: 200 })[Symbol.asyncIterator]();
    const first = reading.next();
    first.catch(() => undefined);
    expect(await stillPending(first, 800)).toBe(true);
    servers.insecure.faults.clear();
    await client.dispose();
  });

  it("has a deadline, which the client's reads have not", async () => {
    const log = await servers.open(servers.insecure.url(), { deadline: 500 });
    const patient = await servers.open(servers.insecure.url(), { deadline: 60_000 });
    servers.insecure.faults.plan({ method: "read", when: "before", how: "silence", times: 20 });
    const late = patient.head(newStream()).catch(() => undefined);
    const head = log.head(newStream());
    await expect(Promise.race([late, head])).rejects.toSatisfy((error) =>
      isLogError(error, "store-unavailable"),
    );
    servers.insecure.faults.clear();
  });
});
