import { EventStoreDBClient, jsonEvent } from "@eventstore/db-client";
import type { EventToAppend, Json } from "@palimpsest/core";
import { isLogError, openWindow } from "@palimpsest/core";
import { openProvisioner } from "@palimpsest/eventstoredb";
import { describe, expect, it, vi } from "vitest";
import { event, events, readWhole } from "../support/eventstoredb/events.ts";
import { ADMIN } from "../support/eventstoredb/server.ts";
import { stillPending, twoServers } from "../support/eventstoredb/two-servers.ts";

/* What the client 6.2.1 does that one would not expect, and that the adapter is safe from it. */

const servers = twoServers();
const newStream = (): string => `window-${crypto.randomUUID()}`;

describe("without TLS", () => {
  it("nothing is guaranteed, for the server ignores access control", async () => {
    const { guarantees } = await servers.open(servers.insecure.url());
    expect(guarantees).toEqual({ appendOnly: "none", writersSeparated: "none" });
  });

  it("the client drops all credentials, and says nothing", async () => {
    for (const [url, sent] of [
      [servers.insecure.url(), 0],
      [servers.secured.double.url(), 1],
    ] as const) {
      const double = sent === 0 ? servers.insecure : servers.secured.double;
      const client = EventStoreDBClient.connectionString(url);
      const before = double.counts.authorized;
      const own = jsonEvent({ type: "A", data: {} });
      await client.appendToStream(newStream(), own, { credentials: ADMIN });
      expect(double.counts.authorized - before).toBe(sent);
      await client.dispose();
    }
  });
});

describe("`tlsVerifyCert=false`", () => {
  it("is ignored by the client, and refused by the adapter, which names what to do", async () => {
    const url = `${servers.secured.url("host").replace(/\?.*/, "")}?tlsVerifyCert=false`;
    const warn = vi.spyOn(console, "warn").mockImplementation(() => undefined);
    const client = EventStoreDBClient.connectionString(url);
    warn.mockRestore();
    const append = client.appendToStream(newStream(), jsonEvent({ type: "A", data: {} }));
    await expect(append).rejects.toThrow("certificate");
    await client.dispose();
    await expect(servers.open(url)).rejects.toThrow("tlsCAFile");
  });
});

describe("the batch path of appends", () => {
  it("is what the client takes without credentials of the call", async () => {
    const client = EventStoreDBClient.connectionString(servers.insecure.url());
    const before = servers.insecure.counts.batchAppends;
    await client.appendToStream(newStream(), jsonEvent({ type: "A", data: {} }));
    expect(servers.insecure.counts.batchAppends).toBe(before + 1);
    const unary = servers.insecure.counts.appends;
    const own = jsonEvent({ type: "A", data: {} });
    await client.appendToStream(newStream(), own, { credentials: ADMIN });
    expect(servers.insecure.counts.appends).toBe(unary + 1);
    expect(servers.insecure.counts.batchAppends).toBe(before + 1);
    await client.dispose();
  });

  it("has no deadline, so that a silent server holds the client and not the adapter", async () => {
    servers.insecure.faults.plan({ method: "batchAppend", when: "before", how: "silence" });
    servers.insecure.faults.plan({ method: "append", when: "before", how: "silence", skip: 0 });
    const client = EventStoreDBClient.connectionString(servers.insecure.url());
    const log = await servers.open(servers.insecure.url(), { deadline: 300 });
    const own = jsonEvent({ type: "A", data: {} });
    const theirs = client.appendToStream(newStream(), own, { deadline: 300 });
    theirs.catch(() => undefined);
    const ours = log.append(newStream(), events(1), "no-stream");
    await expect(ours).rejects.toSatisfy((error) => isLogError(error, "outcome-unknown"));
    expect(await stillPending(theirs, 1_000)).toBe(true);
    servers.insecure.faults.clear();
    await client.dispose();
  });

  it("is never taken by the adapter", async () => {
    for (const double of [servers.insecure, servers.secured.double]) {
      const log = await servers.open(double.url());
      const before = double.counts.batchAppends;
      await log.append(newStream(), events(3), "any");
      expect(double.counts.batchAppends).toBe(before);
    }
  });

  it("has errors that hit another client's append, and not the adapter's", async () => {
    const [one, other] = [0, 1].map(() =>
      EventStoreDBClient.connectionString(servers.insecure.url()),
    );
    const log = await servers.open(servers.insecure.url());
    servers.insecure.faults.plan({ method: "batchAppend", when: "after", how: "silence" });
    servers.insecure.faults.plan({
      method: "batchAppend",
      when: "before",
      how: "unavailable",
      skip: 1,
    });
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
    servers.insecure.faults.clear();
  });
});

describe("`throwOnAppendFailure=false`", () => {
  it("changes nothing for the adapter, where the client calls a refused append done", async () => {
    const url = `${servers.insecure.url()}&throwOnAppendFailure=false`;
    const log = await servers.open(url);
    const stream = newStream();
    await log.append(stream, events(3), "no-stream");
    const append = log.append(stream, events(1), 7);
    await expect(append).rejects.toMatchObject({ code: "wrong-expected-revision" });
    expect(await log.head(stream)).toBe(2);
    const client = EventStoreDBClient.connectionString(url);
    const options = { expectedRevision: 7n, credentials: ADMIN };
    const theirs = client.appendToStream(stream, jsonEvent({ type: "A", data: {} }), options);
    await expect(theirs).resolves.toMatchObject({ success: false });
    await client.dispose();
  });
});

describe("the revision of metadata", () => {
  it("is a position in the client, which no write of metadata could expect", async () => {
    const client = EventStoreDBClient.connectionString(servers.secured.url("operator"));
    const stream = newStream();
    await client.setStreamMetadata(stream, { maxAge: 1 }, { credentials: ADMIN });
    const { metastreamRevision } = await client.getStreamMetadata(stream);
    expect(metastreamRevision).not.toBe(0n);
    await client.dispose();
    const provisioner = openProvisioner(servers.secured.url("operator"));
    const [own] = await provisioner.window(stream.slice("window-".length));
    expect(own).toBe("corrected");
    await provisioner.close();
  });
});

describe("what cannot be written", () => {
  it("is refused at once, where the client would wait for ever", async () => {
    const log = await servers.open(servers.insecure.url());
    const cycle: Record<string, unknown> = {};
    cycle.self = cycle;
    for (const data of [{ n: 1n }, cycle]) {
      const append = log.append(newStream(), [event(data as unknown as Json)], "any");
      await expect(append).rejects.toSatisfy((error) => isLogError(error, "invalid-append"));
    }
  });

  it("is measured as the server does, before it is sent", async () => {
    const log = await servers.open(servers.insecure.url());
    expect(log.maxAppendBytes).toBeLessThan(1024 * 1024);
    const before = servers.insecure.counts.appends;
    const types = Array.from({ length: 30 }, () => event("", "T".repeat(20_000)));
    for (const list of [[event("x".repeat(log.maxAppendBytes))], types]) {
      const append = log.append(newStream(), list, "no-stream");
      await expect(append).rejects.toSatisfy((error) => {
        return isLogError(error, "append-too-large") && /takes at most \d+/.test(error.message);
      });
    }
    expect(servers.insecure.counts.appends).toBe(before);
    const fits = event("x".repeat(log.maxAppendBytes - 100));
    await log.append(newStream(), [fits], "no-stream");
  });

  it("is refused by a window, with what would fit", async () => {
    const log = await servers.open(servers.insecure.url());
    const window = await openWindow(log, crypto.randomUUID());
    const before = servers.insecure.counts.appends;
    const content = "x".repeat(1024 * 1024);
    const answer = await window.execute({ command: "admitSpan", origin: "user", content });
    expect(answer).toMatchObject({
      outcome: "refused",
      refusals: [{ code: "content-too-large", limit: log.maxAppendBytes }],
    });
    expect(servers.insecure.counts.appends).toBe(before);
    const fitting = content.slice(0, log.maxAppendBytes - 2_000);
    expect((await window.admit({ origin: "user", content: fitting })).outcome).toBe("accepted");
  });

  it("is not metadata that JavaScript takes for nothing, which the client drops", async () => {
    const log = await servers.open(servers.insecure.url());
    const list = [null, 0, "", false].map((metadata): EventToAppend => ({ ...event(), metadata }));
    const stream = newStream();
    await log.append(stream, list, "any");
    const read = await readWhole(log, stream);
    expect(read.map(({ metadata }) => metadata)).toEqual([null, 0, "", false]);
  });
});
