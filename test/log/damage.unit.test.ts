import { chmodSync, copyFileSync, existsSync, mkdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { LogErrorCode, LogReader } from "@palimpsest/core";
import { isLogError } from "@palimpsest/core";
import { openSqliteLog, openSqliteReader } from "@palimpsest/core/sqlite";
import { readAll } from "@palimpsest/core/testing";
import Database from "better-sqlite3";
import { beforeAll, describe, expect, it } from "vitest";
import {
  makeNewer,
  snapshot,
  tamper,
  truncateTo,
  withConnection,
  zeroOut,
} from "../support/log/damage.ts";
import { temporaryFolder } from "../support/log/folder.ts";
import { appendOf } from "../support/log/samples.ts";

const folder = temporaryFolder();
const sound = join(folder, "sound.db");
const STREAM = "window-a";
let folders = 0;

beforeAll(async () => {
  const log = openSqliteLog(sound);
  for (let append = 0; append < 60; append++) {
    await log.append(STREAM, appendOf(append, 3, "x".repeat(700)), "any");
  }
  await log.close();
});

/** A path in a folder of its own. */
function newPath(): string {
  const own = join(folder, String(folders++));
  mkdirSync(own);
  return join(own, "store.db");
}

function copyOfSound(): string {
  const file = newPath();
  copyFileSync(sound, file);
  return file;
}

const openers = { openSqliteLog, openSqliteReader };

/** Both ways to open the file give this error and leave all files in its folder as they were. */
function refuses(file: string, code: LogErrorCode, opening = Object.values(openers)): void {
  const before = snapshot(file);
  for (const open of opening) {
    expect(codeOf(() => open(file))).toBe(code);
    expect(snapshot(file)).toEqual(before);
  }
}

function codeOf(run: () => unknown): string {
  try {
    run();
    return "no error";
  } catch (error) {
    return isLogError(error) ? error.code : `not a LogError: ${String(error)}`;
  }
}

describe("a damaged file is `store-damaged` and left as it was", () => {
  it.each([
    ["text", Buffer.from("certainly no store\n".repeat(2_000))],
    ["a few bytes", Buffer.from("SQLite")],
    ["a page of zeros", Buffer.alloc(16_384)],
    ["random bytes", Buffer.from(Array.from({ length: 40_000 }, (_, i) => (i * 7_919) % 251))],
  ])("%s", (_, bytes) => {
    const file = newPath();
    writeFileSync(file, bytes);
    refuses(file, "store-damaged");
  });

  it("a store that was cut off anywhere", () => {
    const { size } = statSync(sound);
    for (const length of [1, 99, 100, 511, 512, 5_000, 16_384, 16_385, 40_000, size - 1]) {
      const file = copyOfSound();
      truncateTo(file, length);
      refuses(file, "store-damaged");
    }
  });

  it("a store that was cut off beside the empty -wal that a reader left", () => {
    for (const length of [20_000, statSync(sound).size - 1]) {
      const file = copyOfSound();
      truncateTo(file, length);
      writeFileSync(`${file}-wal`, "");
      const before = snapshot(file).get("store.db");
      for (const open of Object.values(openers)) {
        expect(codeOf(() => open(file))).toBe("store-damaged");
        expect(snapshot(file).get("store.db")).toEqual(before);
      }
    }
  });

  it("a store without its tables", () => {
    const file = newPath();
    withConnection(file, (db) => {
      db.pragma(`application_id = ${0x504c4d50}`);
      db.pragma("user_version = 2");
    });
    refuses(file, "store-damaged");
  });

  it("a store with a page of zeros is refused, or read as far as it is sound", async () => {
    const { size } = statSync(sound);
    const whole = await withReader(sound, (log) => readAll(log, STREAM));
    let damaged = 0;
    for (let page = 0; page < size; page += 16_384) {
      const file = copyOfSound();
      zeroOut(file, page, 16_384);
      const before = snapshot(file).get("store.db");
      try {
        expect(await withReader(file, (log) => readAll(log, STREAM))).toEqual(whole);
      } catch (error) {
        damaged++;
        expect(isLogError(error, "store-damaged"), String(error)).toBe(true);
      }
      expect(snapshot(file).get("store.db")).toEqual(before);
    }
    // All but the pages that this read has no need of.
    expect(damaged).toBeGreaterThan(size / 16_384 / 2);
  });
});

async function withReader<Result>(
  file: string,
  use: (log: LogReader) => Promise<Result>,
): Promise<Result> {
  const log = openSqliteReader(file);
  try {
    return await use(log);
  } finally {
    await log.close();
  }
}

describe("another program's file is `store-foreign` and left as it was", () => {
  it.each(["delete", "wal"])("in journal mode %s", (mode) => {
    const file = newPath();
    tamper(
      file,
      `PRAGMA journal_mode = ${mode}; CREATE TABLE notes (text); PRAGMA user_version = 1`,
    );
    refuses(file, "store-foreign");
  });

  it("while that program has it open, with a -wal beside it", () => {
    const file = newPath();
    const db = new Database(file);
    db.exec("PRAGMA journal_mode = WAL; CREATE TABLE notes (text); INSERT INTO notes VALUES ('a')");
    expect(existsSync(`${file}-wal`)).toBe(true);
    const before = snapshot(file);
    for (const open of Object.values(openers))
      expect(codeOf(() => open(file))).toBe("store-foreign");
    const after = snapshot(file);
    for (const name of ["store.db", "store.db-wal"]) expect(after.get(name)).toBe(before.get(name));
    db.exec("INSERT INTO notes VALUES ('b')");
    db.close();
  });
});

describe("other files that are not stores of this version", () => {
  it("a later format is `store-newer`", () => {
    const file = copyOfSound();
    makeNewer(file);
    refuses(file, "store-newer");
  });

  it("a file that may not be written is `store-read-only` for a writer, and readable", async () => {
    const file = copyOfSound();
    chmodSync(file, 0o444);
    refuses(file, "store-read-only", [openSqliteLog]);
    expect(await withReader(file, (log) => log.head(STREAM))).toBe(179);
    chmodSync(file, 0o644);
  });

  it("a missing folder and a folder are `store-unavailable`", () => {
    const missing = join(folder, "nowhere", "store.db");
    for (const open of Object.values(openers)) {
      expect(codeOf(() => open(missing))).toBe("store-unavailable");
      expect(codeOf(() => open(folder))).toBe("store-unavailable");
    }
    expect(existsSync(join(folder, "nowhere"))).toBe(false);
  });

  it("a missing or empty file is `store-unavailable` for a reader, and not created", () => {
    const missing = newPath();
    refuses(missing, "store-unavailable", [openSqliteReader]);
    const empty = newPath();
    writeFileSync(empty, "");
    refuses(empty, "store-unavailable", [openSqliteReader]);
  });

  it("an empty file becomes a store for a writer", async () => {
    const file = newPath();
    writeFileSync(file, "");
    const log = openSqliteLog(file);
    expect(log.guarantees.appendOnly).toBe("store");
    await log.append(STREAM, appendOf(0, 2), "no-stream");
    await log.close();
    expect(await withReader(file, (reader) => reader.head(STREAM))).toBe(1);
  });

  it("creating a store leaves nothing but the store", async () => {
    const file = newPath();
    await openSqliteLog(file).close();
    expect([...snapshot(file).keys()]).toEqual(["store.db"]);
  });

  it("a store that another process keeps locked is `store-unavailable`, then usable", async () => {
    const file = copyOfSound();
    const log = openSqliteLog(file, { busyTimeout: 20 });
    const other = new Database(file);
    other.exec("BEGIN IMMEDIATE");
    await expect(log.append(STREAM, appendOf(60, 1), 179)).rejects.toMatchObject({
      code: "store-unavailable",
    });
    other.exec("ROLLBACK");
    other.close();
    const result = await log.append(STREAM, appendOf(60, 1), 179);
    expect(result).toEqual({ first: 180, last: 180, repeated: false });
    await log.close();
  });
});

it("a store of format 1, which only unreleased versions wrote, is `store-foreign`", () => {
  const file = copyOfSound();
  tamper(file, "PRAGMA user_version = 1");
  refuses(file, "store-foreign");
});

describe("an event that does not decode", () => {
  const id = "x'000102030405060708090a0b0c0d0e0f'";
  const append = (data: string, metadata: string): string =>
    `INSERT INTO chunks (stream, revision, last, ids, types, data, metadata)
     VALUES (1, 180, 180, ${id}, 'SpanAdmitted', ${data}, ${metadata})`;

  it.each([
    ["no JSON", "'{\"a\":'", "'{}'", '5:{"a":{}'],
    ["no JSON in the metadata", "'1'", "'nonsense'", "1:1nonsense"],
    ["nothing", "''", "''", "0:"],
    ["bytes that are not UTF-8", "CAST(x'22ff22' AS TEXT)", "'{}'", '3:"\xff"{}'],
    ["a byte order mark", "CAST(x'efbbbf3122' AS TEXT)", "'{}'", '5:\xef\xbb\xbf1"{}'],
  ])("comes with its bytes: %s", async (_, data, metadata, bytes) => {
    const file = copyOfSound();
    tamper(file, append(data, metadata));
    const [event] = await withReader(file, (log) => readAll(log, STREAM, { from: 180 }));
    expect(event).toMatchObject({
      stream: STREAM,
      revision: 180,
      id: "00010203-0405-0607-0809-0a0b0c0d0e0f",
      type: "SpanAdmitted",
      data: null,
      metadata: null,
    });
    expect(Buffer.from(event?.undecodable ?? []).toString("latin1")).toBe(bytes);
  });

  it("stands in the way of no other event", async () => {
    const file = copyOfSound();
    tamper(file, append("'{'", "'{}'"));
    const log = openSqliteLog(file);
    await log.append(STREAM, appendOf(61, 2), 180);
    const events = await readAll(log, STREAM, { from: 179 });
    expect(events.map((event) => event.undecodable !== undefined)).toEqual([
      false,
      true,
      false,
      false,
    ]);
    await log.close();
  });

  it("is not what a replacement character written on purpose is", async () => {
    const file = copyOfSound();
    const log = openSqliteLog(file);
    await log.append(STREAM, appendOf(60, 1, "\ufffd"), 179);
    const [event] = await readAll(log, STREAM, { from: 180 });
    expect(event?.data).toEqual({ append: 60, text: "\ufffd" });
    expect(event?.undecodable).toBeUndefined();
    await log.close();
  });
});
