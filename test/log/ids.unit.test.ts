import { randomUUID } from "node:crypto";
import { join } from "node:path";
import type { EventLog, EventToAppend } from "@palimpsest/core";
import { isLogError } from "@palimpsest/core";
import { openSqliteLog } from "@palimpsest/core/sqlite";
import { readAll } from "@palimpsest/core/testing";
import { afterEach, describe, expect, it, vi } from "vitest";
import { disarm, tamper, withConnection } from "../support/log/damage.ts";
import { temporaryFolder } from "../support/log/folder.ts";

/* A process that appends keeps hashes of the ids; the store has the last word on which is which. */

const folder = temporaryFolder();
let files = 0;
const newFile = (): string => join(folder, `${files++}.db`);

function event(): EventToAppend {
  return { id: randomUUID(), type: "T", data: { text: "x".repeat(400) }, metadata: {} };
}

afterEach(() => vi.restoreAllMocks());

const hashes = {
  "as they fall": () => {},
  "that are all the same": () => {
    vi.spyOn(crypto, "getRandomValues").mockImplementation((array) => array);
  },
};

describe.each(Object.entries(hashes))("hashes %s", (_name, prepare) => {
  it("let new ids in and tell known ones", async () => {
    prepare();
    const log = openSqliteLog(newFile());
    const appends = Array.from({ length: 40 }, (_, n) =>
      Array.from({ length: 1 + (n % 3) + (n === 20 ? 90 : 0) }, event),
    );
    const results = [];
    for (const events of appends) results.push(await log.append("s", events, "any"));
    const all = appends.flat();
    expect((await readAll(log, "s")).map(({ id }) => id)).toEqual(all.map(({ id }) => id));
    for (const [n, events] of appends.entries()) {
      const earlier = { ...results[n], repeated: true };
      expect(await log.append("s", events, "any")).toEqual(earlier);
    }
    const known = all[50] as EventToAppend;
    for (const events of [
      [event(), known],
      [known, event()],
    ]) {
      const appending = log.append("s", events, all.length - 1);
      await expect(appending).rejects.toSatisfy((error) => isLogError(error, "event-id-conflict"));
    }
    expect(await log.head("s")).toBe(all.length - 1);
    expect(await log.append("s", [event()], all.length - 1)).toMatchObject({ repeated: false });
    await log.close();
  });
});

const NO_CHECKS = "PRAGMA ignore_check_constraints = ON;";
/** Takes the rule away that ids are never NULL, for as long as it takes to break it. */
const nullable = (sql: string): string => {
  const rule = (from: string, to: string) =>
    `PRAGMA writable_schema = ON;
     UPDATE sqlite_schema SET sql = replace(sql, '${from}', '${to}') WHERE name = 'chunks';
     PRAGMA writable_schema = RESET;`;
  return `${rule("ids BLOB NOT NULL", "ids BLOB")} ${sql} ${rule("ids BLOB,", "ids BLOB NOT NULL,")}`;
};

describe("a row whose ids somebody damaged", () => {
  it.each([
    ["emptied", "x''"],
    ["cut off", "x'00ff'"],
    ["made too long", "zeroblob(100)"],
    ["made NULL", "NULL"],
  ])("%s neither stops nor shifts the stream", async (_how, ids) => {
    const file = newFile();
    const log = openSqliteLog(file);
    const [first, damaged, third] = [[event()], [event(), event()], [event()]];
    for (const events of [first, damaged, third]) await log.append("s", events, "any");
    await log.close();
    disarm(file);
    withConnection(file, (db) => {
      db.unsafeMode();
      db.exec(nullable(`${NO_CHECKS} UPDATE chunks SET ids = ${ids} WHERE chunk = 2;`));
    });
    const again = openSqliteLog(file);
    const repeated = { first: 3, last: 3, repeated: true };
    expect(await again.append("s", third, 2)).toEqual(repeated);
    expect(await again.append("s", [event()], 3)).toEqual({ first: 4, last: 4, repeated: false });
    await again.close();
  });

  it("emptied, is not taken for one of the id that is all zeros", async () => {
    const file = newFile();
    const log = openSqliteLog(file);
    for (const events of [[event()], [event(), event()]]) await log.append("s", events, "any");
    await log.close();
    disarm(file);
    tamper(file, "UPDATE chunks SET ids = x'' WHERE chunk = 2");
    const again = openSqliteLog(file);
    const zeros = { ...event(), id: "00000000-0000-0000-0000-000000000000" };
    expect(await again.append("s", [zeros], 2)).toEqual({ first: 3, last: 3, repeated: false });
    await again.close();
  });
});

it("an id that another program wrote 50,000 times is found at once, at the newest place", async () => {
  const file = newFile();
  const log = openSqliteLog(file);
  await log.append("s", [event()], "no-stream");
  await log.close();
  const line = Array.from({ length: 1_000 }, () => "0").join("\n");
  withConnection(file, (db) => {
    const insert = db.prepare(
      "INSERT INTO chunks (stream, revision, last, ids, types, data, metadata) VALUES (1, ?, ?, ?, ?, ?, ?)",
    );
    const ids = Buffer.alloc(16_000, 7);
    const all = db.transaction(() => {
      for (let n = 1; n < 50_000; n += 1_000) insert.run(n, n + 999, ids, line, line, line);
    });
    all();
  });
  const again = openSqliteLog(file);
  expect(await again.append("s", [event()], 50_000)).toMatchObject({ first: 50_001 });
  const known = { ...event(), id: "07070707-0707-0707-0707-070707070707" };
  const earlier = { first: 50_000, last: 50_000, repeated: true };
  expect(await again.append("s", [known], "any")).toEqual(earlier);
  await again.close();
});

it("a store that somebody took the triggers from keeps every append, of two processes too", async () => {
  const file = newFile();
  await openSqliteLog(file).close();
  disarm(file);
  const logs = [openSqliteLog(file), openSqliteLog(file)];
  const sent: EventToAppend[] = [];
  for (let n = 0; n < 300; n += 1) {
    const events = n % 50 === 0 ? Array.from({ length: 40 }, event) : [event()];
    sent.push(...events);
    await logs[n % 3 === 0 ? 1 : 0]?.append("s", events, "any");
  }
  const stored = await readAll(logs[0] as EventLog, "s");
  expect(stored.map(({ id }) => id)).toEqual(sent.map(({ id }) => id));
  expect(stored.map(({ revision }) => revision)).toEqual(sent.map((_, n) => n));
  for (const log of logs) await log.close();
});
