import { randomUUID } from "node:crypto";
import { join } from "node:path";
import type { EventToAppend, StoredEvent, SubscriptionMessage } from "@palimpsest/core";
import { isLogError } from "@palimpsest/core";
import { openSqliteLog, openSqliteReader } from "@palimpsest/core/sqlite";
import { readAll } from "@palimpsest/core/testing";
import { describe, expect, it } from "vitest";
import { disarm, tamper, withConnection } from "../support/log/damage.ts";
import { temporaryFolder } from "../support/log/folder.ts";

/* How the SQLite log packs events into rows must not be seen from outside. */

const folder = temporaryFolder();
let files = 0;
const newFile = (): string => join(folder, `${files++}.db`);

function eventOf(n: number, text: string, type = "T"): EventToAppend {
  return { id: randomUUID(), type, data: { n, text }, metadata: { n } };
}

/** Appends of one event, of several in a row, of more than one row, and of more than rows hold. */
const appends: readonly (readonly EventToAppend[])[] = [
  [eventOf(0, "one")],
  [eventOf(1, "two\nlines"), eventOf(2, "\u2028\u0085"), eventOf(3, "\ufffd")],
  [eventOf(4, "x".repeat(20_000)), eventOf(5, "behind it"), eventOf(6, "y".repeat(14_900))],
  [eventOf(7, "", "a\nb"), eventOf(8, ""), eventOf(9, "", "c\n"), eventOf(10, "", "\n")],
  Array.from({ length: 2_500 }, () => ({ id: randomUUID(), type: "T", data: 0, metadata: 0 })),
  Array.from({ length: 40 }, (_, i) => eventOf(2_511 + i, "z".repeat(1_000))),
];
const all = appends.flat();

async function filledStore(): Promise<string> {
  const file = newFile();
  const log = openSqliteLog(file);
  for (const [i, events] of appends.entries()) {
    await log.append("window-a", events, "any");
    await log.append("window-b", [eventOf(i, "between")], "any");
    await log.append("other", [eventOf(i, "of another prefix")], "any");
  }
  await log.close();
  return file;
}

const bare = ({ id, type, data, metadata }: EventToAppend) => ({ id, type, data, metadata });

describe("events in chunks", () => {
  it("are fewer rows than events", async () => {
    const file = await filledStore();
    const rows = withConnection(file, (db) =>
      db.prepare("SELECT count(*) FROM chunks WHERE stream = 1").pluck().get(),
    );
    // 1 + 1 + 2 + 4 + 3 + 3: a row ends at 15,000 units of JSON, at 1,024 events, at such a type.
    expect(rows).toBe(14);
  });

  it("are read back one by one, with any page size and from any revision", async () => {
    const log = openSqliteReader(await filledStore());
    expect((await readAll(log, "window-a")).map(bare)).toEqual(all.map(bare));
    expect(await log.head("window-a")).toBe(all.length - 1);
    for (const [from, to, pageSize] of [
      [0, 12, 1],
      [3, 9, 2],
      [1_030, 1_040, 3],
      [11, 2_540, 1_000],
      [2_520, 9_999, 7],
    ] as const) {
      const pages: (readonly StoredEvent[])[] = [];
      for await (const page of log.read("window-a", { from, to, pageSize })) pages.push(page);
      expect(pages.flat().map(bare)).toEqual(all.slice(from, to + 1).map(bare));
      expect(pages.flat()[0]?.revision).toBe(from);
      for (const page of pages) expect(page.length).toBeLessThanOrEqual(pageSize);
    }
    await log.close();
  });

  it("are each known again by their ids", async () => {
    const log = openSqliteLog(await filledStore());
    expect(await log.append("window-a", all.slice(1_000, 1_040), "any")).toEqual({
      first: 1_000,
      last: 1_039,
      repeated: true,
    });
    await log.close();
  });

  it.each([1, 7, 1_000])(
    "go on from the checkpoint of every message of %i, for a prefix and for a stream",
    async (pageSize) => {
      const log = openSqliteReader(await filledStore());
      for (const target of [{ prefix: "window-" }, { stream: "window-a" }]) {
        const whole = await messagesOf(log, target, pageSize);
        const ids = whole.flatMap(({ events }) => events.map(({ id }) => id));
        expect(ids).toHaveLength("stream" in target ? all.length : all.length + appends.length);
        expect(new Set(ids).size).toBe(ids.length);
        let seen = 0;
        for (const [i, { events, checkpoint }] of whole.entries()) {
          seen += events.length;
          if (i % Math.ceil(whole.length / 40) !== 0) continue;
          const rest = await messagesOf(log, target, 1_000, checkpoint);
          expect(rest.flatMap((one) => one.events.map(({ id }) => id))).toEqual(ids.slice(seen));
        }
      }
      await log.close();
    },
  );
});

type Events = Extract<SubscriptionMessage, { kind: "events" }>;

async function messagesOf(
  log: ReturnType<typeof openSqliteReader>,
  target: { prefix: string } | { stream: string },
  pageSize: number,
  after?: string,
): Promise<Events[]> {
  const messages: Events[] = [];
  const options = { pageSize, ...(after !== undefined && { after }) };
  for await (const message of log.subscribe(target, options)) {
    if (message.kind === "caught-up") break;
    messages.push(message);
  }
  return messages;
}

describe("a chunk of three events that somebody damaged", () => {
  async function damagedStore(sql: string): Promise<string> {
    const file = newFile();
    const log = openSqliteLog(file);
    await log.append("s", [eventOf(0, "a"), eventOf(1, "b"), eventOf(2, "c")], "no-stream");
    await log.close();
    disarm(file);
    tamper(file, sql);
    return file;
  }
  async function damaged(sql: string): Promise<StoredEvent[]> {
    const reader = openSqliteReader(await damagedStore(sql));
    const events = await readAll(reader, "s");
    await reader.close();
    return events;
  }
  const bytesOf = (event: StoredEvent | undefined) =>
    Buffer.from(event?.undecodable ?? []).toString("latin1");

  it("loses the one event whose line it is", async () => {
    const events = await damaged(`UPDATE chunks SET data = replace(data, '"b"', 'b')`);
    expect(events.map(({ data }) => data)).toEqual([
      { n: 0, text: "a" },
      null,
      { n: 2, text: "c" },
    ]);
    expect(bytesOf(events[1])).toBe('16:{"n":1,"text":b}{"n":1}');
  });

  it("loses the one event whose bytes are not UTF-8", async () => {
    const events = await damaged(
      `UPDATE chunks SET metadata = CAST(x'7b7d0a22ff220a7b7d' AS TEXT)`,
    );
    expect(events.map(({ undecodable }) => undecodable === undefined)).toEqual([true, false, true]);
    expect(bytesOf(events[1])).toBe('18:{"n":1,"text":"b"}"\xff"');
  });

  it("comes with all its bytes once when the lines are not as many as events", async () => {
    for (const column of ["data", "metadata", "types"]) {
      const events = await damaged(`UPDATE chunks SET ${column} = '{}'`);
      expect(events.map(({ data, metadata }) => [data, metadata])).toEqual([
        [null, null],
        [null, null],
        [null, null],
      ]);
      expect(events.map(({ revision }) => revision)).toEqual([0, 1, 2]);
      expect(bytesOf(events[0])).toContain("{");
      expect(events.slice(1).map(bytesOf)).toEqual(["0:", "0:"]);
    }
  });

  it("takes no more memory than its bytes when it says that it holds very many", async () => {
    const megabytes = 4;
    const events = await damaged(
      `UPDATE chunks SET last = 1023, data = hex(zeroblob(${megabytes} * 512 * 1024))`,
    );
    expect(events).toHaveLength(1_024);
    const bytes = events.reduce((sum, { undecodable }) => sum + (undecodable?.length ?? 0), 0);
    expect(bytes).toBeLessThan(megabytes * 1.1 * 1024 * 1024);
  });

  const endingAt = (last: number) =>
    damagedStore(`PRAGMA ignore_check_constraints = ON; UPDATE chunks SET last = ${last}`);
  const isDamage = (error: unknown) => isLogError(error, "store-damaged");

  it.each([1_024, 1e12])("is refused when it says that it ends at %i", async (last) => {
    const log = openSqliteLog(await endingAt(last));
    await expect(readAll(log, "s")).rejects.toSatisfy(isDamage);
    await expect(log.append("s", [eventOf(3, "d")], "any")).rejects.toSatisfy(isDamage);
    await log.close();
  });

  it.each([-1, -5_000, 1_024, 1e12])("is refused among others when it ends at %i", async (last) => {
    const log = openSqliteLog(await endingAt(last));
    await expect(messagesOf(log, { prefix: "" }, 9)).rejects.toSatisfy(isDamage);
    await log.close();
  });

  it("is read on when ids are missing: they are not UUIDs then", async () => {
    const events = await damaged("UPDATE chunks SET ids = x'00'");
    expect(events.map(({ data }) => data)).toEqual([
      { n: 0, text: "a" },
      { n: 1, text: "b" },
      { n: 2, text: "c" },
    ]);
    for (const { id } of events) expect(id).not.toMatch(/^[0-9a-f-]{36}$/);
  });
});
