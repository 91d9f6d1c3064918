import { join } from "node:path";
import { openSqliteLog } from "@palimpsest/core/sqlite";
import { checkWholeStream } from "@palimpsest/core/testing";
import { describe, expect, it } from "vitest";
import { disarm, withConnection } from "../support/log/damage.ts";
import { temporaryFolder } from "../support/log/folder.ts";
import { appendOf } from "../support/log/samples.ts";

const folder = temporaryFolder();
let files = 0;

const INTO = "INTO chunks (stream, revision, last, ids, types, data, metadata)";
const NEW_ID = "x'000102030405060708090a0b0c0d0e0f'";

/** Past the library: more than one block, two streams, and the last block open. */
async function filledStore(): Promise<string> {
  const file = join(folder, `${files++}.db`);
  const log = openSqliteLog(file);
  for (let append = 0; append < 75; append++) {
    const stream = append % 9 < 3 ? "window-b" : "window-a";
    await log.append(stream, appendOf(append, 1), "any");
  }
  await log.close();
  return file;
}

type Content = Map<string, unknown[]>;

function contentOf(file: string): Content {
  return withConnection(file, (db) => {
    const tables = db.prepare<[], string>("SELECT name FROM sqlite_schema WHERE type = 'table'");
    return new Map(
      tables
        .pluck()
        .all()
        .map((table) => [table, db.prepare(`SELECT * FROM ${table}`).all()]),
    );
  });
}

/** The code with which the file refuses a statement, or "accepted". */
function outcomeOf(file: string, sql: string, recursiveTriggers: boolean): string {
  return withConnection(file, (db) => {
    db.pragma(`recursive_triggers = ${recursiveTriggers ? "ON" : "OFF"}`);
    db.pragma("foreign_keys = OFF");
    try {
      db.exec(sql);
      return "accepted";
    } catch (error) {
      return String(Object(error).code);
    }
  });
}

async function refuses(statements: (content: Content) => readonly string[]): Promise<void> {
  const file = await filledStore();
  const before = contentOf(file);
  for (const sql of statements(before)) {
    for (const recursiveTriggers of [false, true]) {
      expect(outcomeOf(file, sql, recursiveTriggers), sql).toMatch(/^SQLITE_CONSTRAINT/);
      expect(contentOf(file), sql).toEqual(before);
    }
  }
  const log = openSqliteLog(file);
  await log.append("window-a", appendOf(25, 40), 47);
  await checkWholeStream(log, "window-a");
  await checkWholeStream(log, "window-b");
  await log.close();
}

describe("the file of a SQLite log", () => {
  it("refuses a chunk that ends before it starts, or holds more than a chunk may", async () => {
    await refuses(() =>
      [26, -1, 27 + 1_024, 1e9].map(
        (last) => `INSERT ${INTO} VALUES (1, 27, ${last}, ${NEW_ID}, 'T', '{}', '{}')`,
      ),
    );
  });

  it("refuses so to a connection that has turned the checks off", async () => {
    await refuses(() =>
      [
        `INSERT ${INTO} VALUES (1, 27, 26, ${NEW_ID}, 'T', '{}', '{}')`,
        `INSERT ${INTO} VALUES (1, 27, 10, ${NEW_ID}, 'T', '{}', '{}')`,
        `INSERT ${INTO} VALUES (1, 27, ${27 + 1_024}, ${NEW_ID}, 'T', '{}', '{}')`,
        `INSERT INTO chunks VALUES (-1, 1, 27, 27, ${NEW_ID}, 'T', '{}', '{}')`,
        "INSERT INTO streams VALUES (-1, 'window-c')",
        `INSERT INTO streams (name) VALUES ('window-c');
         INSERT INTO chunks VALUES (-1, 3, 0, 0, ${NEW_ID}, 'T', '{}', '{}')`,
      ].map((sql) => `PRAGMA ignore_check_constraints = ON; BEGIN; ${sql}; COMMIT`),
    );
  });

  it("takes the next event of a stream from any program", async () => {
    const file = await filledStore();
    const sql = `INSERT ${INTO} VALUES (1, 27, 27, ${NEW_ID}, 'T', '{}', '{}')`;
    expect(outcomeOf(file, sql, false)).toBe("accepted");
    const log = openSqliteLog(file);
    expect((await checkWholeStream(log, "window-b")).length).toBe(28);
    await log.close();
  });

  it("refuses to change any column of any table", async () => {
    await refuses((content) =>
      [...content].flatMap(([table, rows]) =>
        Object.keys(Object(rows[0])).flatMap((column) => [
          `UPDATE ${table} SET ${column} = ${column}`,
          `UPDATE OR REPLACE ${table} SET ${column} = 0`,
          `UPDATE OR IGNORE ${table} SET ${column} = 99`,
        ]),
      ),
    );
  });

  it("refuses to delete from any table", async () => {
    await refuses((content) =>
      [...content.keys()].flatMap((table) => [
        `DELETE FROM ${table}`,
        `DELETE FROM ${table} WHERE stream = 2`,
      ]),
    );
  });

  it("refuses to replace any row by itself", async () => {
    await refuses((content) =>
      [...content.keys()].flatMap((table) => [
        `INSERT OR REPLACE INTO ${table} SELECT * FROM ${table}`,
        `REPLACE INTO ${table} SELECT * FROM ${table} ORDER BY stream DESC LIMIT 1`,
        `INSERT OR IGNORE INTO ${table} SELECT * FROM ${table}`,
      ]),
    );
  });

  it("refuses a revision that is not the next one, however it is inserted", async () => {
    await refuses(() =>
      ["INSERT", "INSERT OR REPLACE", "INSERT OR IGNORE", "INSERT OR FAIL"].flatMap((insert) =>
        [-1, 0, 5, 26, 28, 1_000].map(
          (revision) =>
            `${insert} ${INTO} VALUES (1, ${revision}, ${revision}, ${NEW_ID}, 'T', '{}', '{}')`,
        ),
      ),
    );
  });

  it("refuses every key of a chunk that somebody names", async () => {
    await refuses(() =>
      [-9, -1, 0, 1, 40, 75, 76, 77, 1_000].map(
        (chunk) =>
          `INSERT OR REPLACE INTO chunks
           VALUES (${chunk}, 1, 27, 27, ${NEW_ID}, 'T', '{}', '{}')`,
      ),
    );
  });

  it("refuses an event of no stream, and a stream that exists or has a key of its own", async () => {
    await refuses(() => [
      `INSERT ${INTO} VALUES (3, 0, 0, ${NEW_ID}, 'T', '{}', '{}')`,
      `INSERT ${INTO} VALUES (-1, 0, 0, ${NEW_ID}, 'T', '{}', '{}')`,
      "INSERT OR REPLACE INTO streams (name) VALUES ('window-a')",
      "INSERT OR REPLACE INTO streams VALUES (1, 'window-c')",
      "INSERT INTO streams VALUES (3, 'window-c')",
      "INSERT INTO streams VALUES (-1, 'window-c')",
    ]);
  });

  it("refuses what would make the lookup table wrong", async () => {
    await refuses(() => [
      "INSERT INTO stream_blocks VALUES (1, 27, 3)",
      "INSERT INTO stream_blocks VALUES (1, 5, 0)",
      "INSERT INTO stream_blocks VALUES (3, 0, 0)",
      "INSERT INTO stream_blocks VALUES (1, 0, 0)",
      "INSERT OR REPLACE INTO stream_blocks SELECT stream, revision, block + 1 FROM stream_blocks",
    ]);
  });

  it("stays usable when another program stored an event id twice", async () => {
    const file = await filledStore();
    const copy = `INSERT ${INTO} SELECT stream, 27, 27, ids, types, data, metadata FROM chunks WHERE chunk = 1`;
    expect(outcomeOf(file, copy, false)).toBe("accepted");
    const log = openSqliteLog(file);
    const result = await log.append("window-b", appendOf(25, 2), 27);
    expect(result).toEqual({ first: 28, last: 29, repeated: false });
    await log.close();
  });

  it("is said to be append-only by the store as long as its triggers are there", async () => {
    const file = await filledStore();
    const sound = openSqliteLog(file);
    expect(sound.guarantees).toEqual({ appendOnly: "store", writersSeparated: "process" });
    await sound.close();
    disarm(file);
    const disarmed = openSqliteLog(file);
    expect(disarmed.guarantees).toEqual({ appendOnly: "none", writersSeparated: "process" });
    await disarmed.close();
  });
});
