/**
 * The file format. These names and statements are stored in the file and compared when it is
 * opened, so a change to any of them is a new FORMAT_VERSION.
 * docs/decisions/log-sqlite-layout.md has the measurements behind it.
 */

/** "PLMP", in the header of the file: tells our files from those of other programs. */
export const APPLICATION_ID = 0x504c4d50;

export const FORMAT_VERSION = 1;

/** Two events of 1 KB fit a page of 4 KiB with a quarter of it left over; here eleven do. */
export const PAGE_SIZE = 16_384;

/** So many pages of the write-ahead log, 4 MiB, are left to be moved into the file. */
export const CHECKPOINT_PAGES = 256;

/**
 * So many consecutive positions are a block, and `stream_blocks` has one row for each stream in
 * each block. An index of every event would dirty one more page in each small append, and one of
 * the event ids two more: a process that appends knows the ids (known-events.ts).
 */
export const BLOCK = 64;

export const TABLES: Readonly<Record<string, string>> = {
  streams: `CREATE TABLE streams (
  stream INTEGER PRIMARY KEY CHECK (stream > 0),
  name TEXT NOT NULL UNIQUE
) STRICT`,
  events: `CREATE TABLE events (
  position INTEGER PRIMARY KEY CHECK (position > 0),
  stream INTEGER NOT NULL,
  revision INTEGER NOT NULL,
  id BLOB NOT NULL,
  type TEXT NOT NULL,
  data TEXT NOT NULL,
  metadata TEXT NOT NULL
) STRICT`,
  stream_blocks: `CREATE TABLE stream_blocks (
  stream INTEGER NOT NULL,
  revision INTEGER NOT NULL,
  block INTEGER NOT NULL,
  PRIMARY KEY (stream, revision)
) STRICT, WITHOUT ROWID`,
};

/** The block that the newest event of a stream is in; nothing for a stream without events. */
const lastBlock = (stream: string): string =>
  `(SELECT block FROM stream_blocks WHERE stream = ${stream} ORDER BY revision DESC LIMIT 1)`;

/** SQL for the head of a stream; NULL for a stream without events. */
export const headOf = (stream: string): string =>
  `(SELECT max(revision) FROM (SELECT ${lastBlock(stream)} * ${BLOCK} AS start)
      CROSS JOIN events ON position >= start AND position < start + ${BLOCK}
      WHERE stream = ${stream})`;

const refusing = (table: string, change: "UPDATE" | "DELETE"): [string, string] => {
  const name = `${table}_${change.toLowerCase()}`;
  const refusal = "SELECT RAISE(ROLLBACK, 'the log is append-only')";
  return [name, `CREATE TRIGGER ${name} BEFORE ${change} ON ${table} BEGIN ${refusal}; END`];
};

/**
 * What makes the file append-only for every program that opens it.
 *
 * - `INSERT OR REPLACE` deletes without firing a DELETE trigger, so the insert triggers refuse
 *   whatever would replace: a revision or a name that is there already, and any explicit rowid
 *   (a BEFORE trigger sees -1 where none was given; the CHECKs refuse a real -1).
 * - `stream_blocks` takes from anybody only what the events say, and that it holds already.
 * - RAISE(ROLLBACK) and no function calls: with RAISE(ABORT) or a function in an insert trigger
 *   SQLite copies each page it touches to a statement journal, which costs more than the insert.
 */
export const TRIGGERS: Readonly<Record<string, string>> = {
  streams_insert: `CREATE TRIGGER streams_insert BEFORE INSERT ON streams BEGIN
  SELECT CASE
    WHEN NEW.stream IS NOT -1
      THEN RAISE(ROLLBACK, 'a stream takes the next key')
    WHEN EXISTS (SELECT 1 FROM streams WHERE name = NEW.name)
      THEN RAISE(ROLLBACK, 'the stream exists')
  END;
END`,
  events_insert: `CREATE TRIGGER events_insert BEFORE INSERT ON events BEGIN
  SELECT CASE
    WHEN NEW.position IS NOT -1
      THEN RAISE(ROLLBACK, 'an event takes the next position')
    WHEN NEW.revision IS NOT 1 + coalesce(
      (SELECT revision FROM events
        WHERE position = (SELECT max(position) FROM events) AND stream = NEW.stream),
      ${headOf("NEW.stream")},
      -1)
      THEN RAISE(ROLLBACK, 'an event takes the next revision of its stream')
    WHEN NEW.revision = 0 AND NOT EXISTS (SELECT 1 FROM streams WHERE stream = NEW.stream)
      THEN RAISE(ROLLBACK, 'an event is of a stream')
  END;
END`,
  events_block: `CREATE TRIGGER events_block AFTER INSERT ON events
WHEN (NEW.position % ${BLOCK} = 0
    OR (SELECT stream FROM events WHERE position = NEW.position - 1) IS NOT NEW.stream)
  AND ${lastBlock("NEW.stream")} IS NOT NEW.position / ${BLOCK} BEGIN
  INSERT INTO stream_blocks VALUES (NEW.stream, NEW.revision, NEW.position / ${BLOCK});
END`,
  stream_blocks_insert: `CREATE TRIGGER stream_blocks_insert BEFORE INSERT ON stream_blocks BEGIN
  SELECT CASE
    WHEN ${lastBlock("NEW.stream")} >= NEW.block
      THEN RAISE(ROLLBACK, 'the block is known')
    WHEN NEW.revision IS NOT (SELECT min(revision) FROM events
      WHERE position >= NEW.block * ${BLOCK} AND position < (NEW.block + 1) * ${BLOCK}
        AND stream = NEW.stream)
      THEN RAISE(ROLLBACK, 'the block holds no such event')
  END;
END`,
  ...Object.fromEntries(
    Object.keys(TABLES).flatMap((table) => [refusing(table, "UPDATE"), refusing(table, "DELETE")]),
  ),
};
