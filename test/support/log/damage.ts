/*
 * These helpers damage stores, or go past the library to change what is in them. They are for
 * tests of what the library then says, and for nothing else.
 */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import Database from "better-sqlite3";

/** Runs SQL on the file past the library, as another program could. */
export function tamper(file: string, sql: string): void {
  withConnection(file, (db) => db.exec(sql));
}

/** A connection past the library. */
export function withConnection<Result>(
  file: string,
  use: (db: Database.Database) => Result,
): Result {
  const db = new Database(file);
  try {
    return use(db);
  } finally {
    db.close();
  }
}

/** Removes the triggers, so that the file lets everything be changed. */
export function disarm(file: string): void {
  withConnection(file, (db) => {
    const names = db.prepare<[], string>("SELECT name FROM sqlite_schema WHERE type = 'trigger'");
    for (const name of names.pluck().all()) db.exec(`DROP TRIGGER ${name}`);
  });
}

/** Overwrites part of a file with zero bytes, as a disk may. */
export function zeroOut(file: string, from: number, length: number): void {
  const bytes = readFileSync(file);
  bytes.fill(0, from, from + length);
  writeFileSync(file, bytes);
}

export function truncateTo(file: string, length: number): void {
  writeFileSync(file, readFileSync(file).subarray(0, length));
}

/** Sets the format version in the header, as a later version of the library would. */
export function makeNewer(file: string): void {
  withConnection(file, (db) => db.pragma("user_version = 1000"));
}

/** The bytes of every file in the folder of `file`, by name. */
export function snapshot(file: string): Map<string, string> {
  const folder = dirname(file);
  const names = readdirSync(folder).sort();
  return new Map(names.map((name) => [name, readFileSync(`${folder}/${name}`).toString("base64")]));
}
