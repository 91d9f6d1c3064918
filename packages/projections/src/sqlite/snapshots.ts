import { checkNodeVersion } from "@palimpsest/core/sqlite";
import Database from "better-sqlite3";
import type { Snapshot, SnapshotStore } from "../travel/snapshots.ts";

/** A snapshot store that holds a file open. */
export interface SqliteSnapshots extends SnapshotStore {
  close(): void;
}

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS snapshots (
    window TEXT NOT NULL,
    revision INTEGER NOT NULL,
    event_id TEXT NOT NULL,
    manifest TEXT NOT NULL,
    digest TEXT NOT NULL,
    PRIMARY KEY (window, revision)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS blocks (digest TEXT PRIMARY KEY, body TEXT NOT NULL) STRICT;
`;

/** "PALS": says that the file is one of these, and not somebody's log. */
const APPLICATION_ID = 0x50414c53;

/**
 * Snapshots in an SQLite file of their own, which may be deleted at any time. Throws for a file
 * that is something else, a log above all: snapshots stay apart from what is true. Throws on a Node
 * that the driver cannot serve as `openSqliteLog` does.
 */
export function openSqliteSnapshots(file: string): SqliteSnapshots {
  checkNodeVersion();
  const db = new Database(file);
  try {
    prepareFile(db, file);
  } catch (error) {
    db.close();
    throw error;
  }
  const latest = db.prepare<[string, number], Row>(
    `SELECT window, revision, event_id AS eventId, manifest, digest FROM snapshots
     WHERE window = ? AND revision <= ? ORDER BY revision DESC LIMIT 1`,
  );
  const body = db.prepare<[string], string>("SELECT body FROM blocks WHERE digest = ?").pluck();
  const addBlock = db.prepare("INSERT OR IGNORE INTO blocks VALUES (?, ?)");
  const addSnapshot = db.prepare("INSERT OR REPLACE INTO snapshots VALUES (?, ?, ?, ?, ?)");
  return {
    latest: (window, revision) => latest.get(window, revision),
    blocks: (digests) =>
      new Map(
        digests.flatMap((digest) => {
          const text = body.get(digest);
          return text === undefined ? [] : [[digest, text] as const];
        }),
      ),
    save: db.transaction((snapshot: Snapshot, blocks: ReadonlyMap<string, string>) => {
      for (const [digest, text] of blocks) addBlock.run(digest, text);
      const { window, revision, eventId, manifest, digest } = snapshot;
      addSnapshot.run(window, revision, eventId, manifest, digest);
    }),
    close: () => {
      db.close();
    },
  };
}

type Row = Snapshot;

function prepareFile(db: Database.Database, file: string): void {
  const id = db.pragma("application_id", { simple: true });
  const empty = db.prepare("SELECT 1 FROM sqlite_schema").get() === undefined;
  if (id !== APPLICATION_ID && !empty) {
    throw new TypeError(`${file} is not empty and not a store of snapshots: name another file`);
  }
  db.pragma(`application_id = ${APPLICATION_ID}`);
  // A snapshot that is lost in a crash is folded again, so nothing waits for the disk.
  db.pragma("journal_mode = WAL");
  db.pragma("synchronous = OFF");
  db.exec(SCHEMA);
}
