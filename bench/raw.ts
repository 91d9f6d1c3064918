import Database from "better-sqlite3";

/** The columns of one event, its JSON already text. */
export type Values = readonly [
  revision: number,
  id: string,
  type: string,
  data: string,
  metadata: string,
];

/** The least that stores events durably: one plain table, no index, no rule. */
export interface RawStore {
  /** One transaction. */
  append(rows: readonly Values[]): void;
  close(): void;
}

/** What everything here is measured against: better-sqlite3 in WAL mode with full sync. */
export function openRawStore(file: string): RawStore {
  const db = new Database(file);
  db.pragma("journal_mode = WAL");
  db.pragma("synchronous = FULL");
  db.exec(
    "CREATE TABLE events (revision INTEGER, id TEXT, type TEXT, data TEXT, metadata TEXT) STRICT",
  );
  const insert = db.prepare("INSERT INTO events VALUES (?, ?, ?, ?, ?)");
  return {
    append: db.transaction((rows: readonly Values[]) => {
      for (const row of rows) insert.run(...row);
    }),
    close: () => db.close(),
  };
}

interface Storable {
  readonly revision: number;
  readonly id: string;
  readonly type: string;
  readonly data: unknown;
  readonly metadata: unknown;
}

export function valuesOf({ revision, id, type, data, metadata }: Storable): Values {
  return [revision, id, type, JSON.stringify(data), JSON.stringify(metadata)];
}

/** Reads and parses every event of a store of ours, and nothing else; the number of events. */
export function readAndParse(file: string): number {
  const db = new Database(file, { readonly: true });
  const rows = db
    .prepare<[], [number, number, Buffer, string, string, string]>(
      `SELECT revision, last, ids, types, data, metadata FROM chunks
       WHERE stream = 1 ORDER BY chunk`,
    )
    .raw();
  let count = 0;
  for (const [, , , , data, metadata] of rows.iterate()) {
    for (const line of data.split("\n")) if (JSON.parse(line) !== null) count += 1;
    for (const line of metadata.split("\n")) JSON.parse(line);
  }
  db.close();
  return count;
}
