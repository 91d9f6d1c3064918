import type { EventLog, StoredEvent } from "@palimpsest/core";
import { isLogError, openWindow } from "@palimpsest/core";
import {
  openEventStoreDbLog,
  openEventStoreDbReader,
  openProvisioner,
} from "@palimpsest/eventstoredb";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { makeCertificates } from "../support/eventstoredb/certificates.ts";
import { event, events, persist, readWhole } from "../support/eventstoredb/events.ts";
import type { Fault } from "../support/eventstoredb/faults.ts";
import type { SecuredDouble } from "../support/eventstoredb/secured.ts";
import { startSecured } from "../support/eventstoredb/secured.ts";
import { startDouble } from "../support/eventstoredb/server.ts";

/* Faults on demand need the double: these tests run in that one way. */

let target: SecuredDouble;
const logs: EventLog[] = [];
const open = async (options = {}): Promise<EventLog> => {
  const log = await openEventStoreDbLog(target.url("operator"), options);
  logs.push(log);
  return log;
};
const newStream = (): string => `window-${crypto.randomUUID()}`;
beforeAll(async () => {
  target = await startSecured();
});
afterAll(async () => {
  for (const log of logs) await log.close();
  await target.stop();
});

describe("an append whose connection is lost", () => {
  const faults: readonly Pick<Fault, "when" | "how">[] = [
    { when: "before", how: "cut" },
    { when: "after", how: "cut" },
    { when: "before", how: "unavailable" },
    { when: "after", how: "unavailable" },
    { when: "after", how: "cancelled" },
    { when: "before", how: "silence" },
    { when: "after", how: "silence" },
  ];
  it.each(faults)(
    "has an unknown outcome and is stored once when retried: $how $when it",
    async (fault) => {
      const log = await open({ deadline: 1_000 });
      const stream = newStream();
      const [first, second] = [events(2), events(3, 2)];
      await log.append(stream, first, "no-stream");
      target.double.faults.plan({ method: "append", ...fault });
      const lost = log.append(stream, second, 1);
      await expect(lost).rejects.toSatisfy((error) => isLogError(error, "outcome-unknown"));
      const result = await log.append(stream, second, 1);
      expect(result).toEqual({ first: 2, last: 4, repeated: fault.when === "after" });
      const stored = await readWhole(log, stream);
      expect(stored.map(({ id }) => id)).toEqual([...first, ...second].map(({ id }) => id));
    },
  );

  it("is decided again by the window on what is there, and answered once", async () => {
    const log = await open();
    const window = await openWindow(log, crypto.randomUUID());
    const sent = { commandId: "c", origin: "user", content: "text" } as const;
    const command = { command: "admitSpan", ...sent } as const;
    target.double.faults.plan({ method: "append", when: "after", how: "cut" });
    const answer = await window.execute(command);
    expect(answer).toMatchObject({ outcome: "accepted", revision: 1 });
    expect(await window.execute(command)).toEqual(answer);
    expect(await window.history()).toHaveLength(2);
  });
});

describe("a server that restarts", () => {
  it("costs five subscriptions and three writers no gap, no double and no acknowledgement", async () => {
    const prefix = `window-${crypto.randomUUID()}-`;
    const streams = ["a", "b", "c"].map((name) => prefix + name);
    const subscriber = await open();
    const ending = new AbortController();
    const seen = [
      ...streams.slice(0, 2).map((stream) => ({ stream })),
      ...Array(3).fill({ prefix }),
    ].map((subscribedTo) => {
      const list: StoredEvent[] = [];
      const done = (async () => {
        const options = { signal: ending.signal, pageSize: 7 };
        for await (const message of subscriber.subscribe(subscribedTo, options)) {
          if (message.kind === "events") list.push(...message.events);
        }
      })();
      return { list, done };
    });
    const acknowledged = streams.map((): string[] => []);
    let writing = true;
    const writers = streams.map(async (stream, index) => {
      const log = await open();
      while (writing) {
        const list = events(2);
        await persist(log, stream, list);
        acknowledged[index]?.push(...list.map(({ id }) => id));
      }
    });
    // So much is written before, between and after the restarts, however slow the machine is.
    const tenMore = async () => {
      const count = () => acknowledged.flat().length;
      await expect.poll(count, { timeout: 60_000 }).toBeGreaterThan(count() + 10);
    };
    for (let restart = 0; restart < 3; restart += 1) {
      await tenMore();
      await target.double.restart(100);
    }
    await tenMore();
    writing = false;
    await Promise.all(writers);
    const stored = await Promise.all(streams.map((stream) => readWhole(subscriber, stream)));
    stored.forEach((list, index) => {
      expect(list.map(({ id }) => id)).toEqual(acknowledged[index]);
    });
    const total = stored.flat().length;
    await expect
      .poll(() => seen.slice(2).map(({ list }) => list.length))
      .toEqual([total, total, total]);
    await expect.poll(() => seen[0]?.list.length).toBe(stored[0]?.length);
    await expect.poll(() => seen[1]?.list.length).toBe(stored[1]?.length);
    ending.abort();
    await Promise.all(seen.map(({ done }) => done));
    expect(seen[0]?.list).toEqual(stored[0]);
    expect(seen[1]?.list).toEqual(stored[1]);
    for (const { list } of seen.slice(2)) {
      streams.forEach((stream, index) => {
        expect(list.filter((one) => one.stream === stream)).toEqual(stored[index]);
      });
    }
    expect(total).toBeGreaterThan(30);
  });

  it("is waited for by a provisioner that serves", async () => {
    const provisioner = openProvisioner(target.url("operator"));
    const stop = new AbortController();
    const served: string[] = [];
    const serving = provisioner.serve(stop.signal, (window) => served.push(window));
    const host = await openEventStoreDbLog(target.url("host"), { provisionerPatience: 10_000 });
    logs.push(host);
    const id = crypto.randomUUID();
    target.double.faults.plan({ method: "append", when: "after", how: "cut", skip: 2 });
    await openWindow(host, id);
    await expect.poll(() => served).toEqual([id]);
    stop.abort();
    await serving;
    await provisioner.close();
    target.double.faults.clear();
  });

  it.each(["told to stop", "closed"])(
    "is not waited for by a provisioner that is %s, which names no window then",
    async (end) => {
      const provisioner = openProvisioner(target.url("operator"));
      const stop = new AbortController();
      const served: string[] = [];
      const serving = provisioner.serve(stop.signal, (window) => served.push(window));
      const host = await openEventStoreDbLog(target.url("host"), { provisionerPatience: 300 });
      logs.push(host);
      const fault = { method: "append", when: "before", how: "unavailable" } as const;
      target.double.faults.plan({ ...fault, skip: 2, times: 10_000 });
      const stream = newStream();
      const asking = host.append(stream, [event()], "no-stream");
      await expect(asking).rejects.toSatisfy(isLogError);
      if (end === "closed") await provisioner.close();
      else stop.abort();
      await serving;
      target.double.faults.clear();
      await provisioner.close();
      // What was asked for in earlier tests is served as well, if there is time.
      expect(served).not.toContain(stream.slice("window-".length));
    },
  );

  it("is waited for by whoever connects meanwhile", async () => {
    const restarted = target.double.restart(400);
    const log = await open();
    expect(await log.head(newStream())).toBeUndefined();
    await restarted;
  });

  it("is waited for by reads", async () => {
    const log = await open();
    const stream = newStream();
    await log.append(stream, events(3), "no-stream");
    const restarted = target.double.restart(400);
    expect(await readWhole(log, stream)).toHaveLength(3);
    await restarted;
    target.double.faults.plan({ method: "read", when: "before", how: "unavailable", times: 2 });
    expect(await log.head(stream)).toBe(2);
  });
});

describe("a subscription", () => {
  it.each<Fault["how"]>(["half-close", "cancelled", "unavailable"])(
    "goes on where it was when the server ends it: %s",
    async (how) => {
      const log = await open();
      const stream = newStream();
      await log.append(stream, events(20), "no-stream");
      target.double.faults.plan({ method: "subscribe", when: "after", how, skip: 9, times: 1 });
      const revisions: number[] = [];
      for await (const message of log.subscribe({ stream }, { pageSize: 4 })) {
        if (message.kind === "events") revisions.push(...message.events.map((e) => e.revision));
        else if (revisions.length === 20) break;
      }
      expect(revisions).toEqual([...Array(20).keys()]);
      target.double.faults.clear();
    },
  );

  it("leaves nothing open on the server when it is ended", async () => {
    const log = await open();
    const before = target.double.counts.subscriptions;
    for (const subscribedTo of [{ stream: newStream() }, { prefix: "window-" }]) {
      for await (const message of log.subscribe(subscribedTo)) {
        if (message.kind === "caught-up") break;
      }
    }
    await expect.poll(() => target.double.counts.subscriptions).toBe(before);
  });

  it("holds back the server when its consumer is slow", async () => {
    const log = await open();
    const stream = newStream();
    const text = "x".repeat(10_000);
    for (let n = 0; n < 40; n += 1) {
      await log.append(
        stream,
        Array.from({ length: 50 }, () => event({ text })),
        "any",
      );
    }
    const before = target.double.counts.sent;
    const messages = log.subscribe({ stream }, { pageSize: 10 })[Symbol.asyncIterator]();
    await messages.next();
    await new Promise((resolve) => setTimeout(resolve, 500));
    // Only what fits into the windows and buffers of one HTTP/2 stream has left the server, of 20
    // MB.
    expect(target.double.counts.sent - before).toBeLessThan(200);
    let seen = 10;
    while (seen < 2_000) {
      const { value } = await messages.next();
      if (value?.kind === "events") seen += value.events.length;
    }
    await messages.return?.();
  });
});

describe("a change of leader", () => {
  it("is followed by reads and appends", async () => {
    const { certificates, double: leader } = target;
    const shared = { certificates, database: leader.database, users: leader.users };
    const follower = await startDouble(shared);
    follower.follow({ host: "localhost", port: leader.port });
    const log = await openEventStoreDbLog(follower.url());
    const stream = newStream();
    await log.append(stream, events(2), "no-stream");
    expect(await log.head(stream)).toBe(1);
    await log.close();
    await follower.stop();
  });
});

describe("who cannot connect", () => {
  it("hears that user or password is wrong", async () => {
    const url = target.double.url({ username: "host", password: "not this" });
    await expect(openEventStoreDbLog(url)).rejects.toSatisfy((error) => {
      return isLogError(error, "access-denied") && error.message.includes("password");
    });
  });

  it("hears that the certificate has expired, or that nobody vouches for it", async () => {
    const expired = await makeCertificates({ expiresInDays: -1 });
    const stale = await startDouble({ certificates: expired });
    for (const url of [stale.url(), target.url("host").replace(/tlsCAFile=.*/, "")]) {
      const opening = openEventStoreDbReader(url.replace(/\?$/, ""), { deadline: 2_000 });
      await expect(opening).rejects.toSatisfy((error) => {
        return isLogError(error, "store-unavailable") && error.message.includes("certificate");
      });
    }
    await stale.stop();
    expired.remove();
  });

  it("hears that nobody answers", async () => {
    const gone = await startDouble();
    await gone.stop();
    const opening = openEventStoreDbLog(gone.url(), { deadline: 500 });
    await expect(opening).rejects.toSatisfy((error) => isLogError(error, "store-unavailable"));
  });
});
