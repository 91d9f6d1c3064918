/**
 * The file format. These names and statements are stored in the file and compared when it is
 * opened, so a change to any of them is a new FORMAT_VERSION.
 * docs/decisions/log-sqlite-layout.md has the measurements behind it.
 */

/** "PLMP", in the header of the file: tells our files from those of other programs. */
export const APPLICATION_ID = 0x504c4d50;

/** Format 1 had a row for every event. */
export const FORMAT_VERSION = 2;

/** Two events of 1 KB fit a page of 4 KiB with a quarter of it left over; here eleven do. */
export const PAGE_SIZE = 16_384;

/**
 * So many consecutive chunks are a block, and `stream_blocks` has one row for each stream in each
 * block. An index of every chunk would dirty one more page in each small append, and one of the
 * event ids two more: a process that appends knows the ids (known-streams.ts).
 */
export const BLOCK = 64;

/** Most events of a chunk, a power of two; chunks.ts says how it is filled. */
export const CHUNK_EVENTS = 1_024;

export const TABLES: Readonly<Record<string, string>> = {
  streams: `CREATE TABLE streams (
  stream INTEGER PRIMARY KEY CHECK (stream > 0),
  name TEXT NOT NULL UNIQUE
) STRICT`,
  chunks: `CREATE TABLE chunks (
  chunk INTEGER PRIMARY KEY CHECK (chunk > 0),
  stream INTEGER NOT NULL,
  revision INTEGER NOT NULL,
  last INTEGER NOT NULL CHECK (last >= revision AND last < revision + ${CHUNK_EVENTS}),
  ids BLOB NOT NULL,
  types TEXT NOT NULL,
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

/** The block that the newest chunk of a stream is in; nothing for a stream without events. */
const lastBlock = (stream: string): string =>
  `(SELECT block FROM stream_blocks WHERE stream = ${stream} ORDER BY revision DESC LIMIT 1)`;

/** SQL for the head of a stream, one of its chunks apart; NULL for a stream without events. */
export const headOf = (stream: string, apart = "-1"): string =>
  `(SELECT max(last) FROM (SELECT ${lastBlock(stream)} * ${BLOCK} AS start)
      CROSS JOIN chunks ON chunk >= start AND chunk < start + ${BLOCK}
      WHERE stream = ${stream} AND chunk <> ${apart})`;

/** What the trigger `chunks_next` does about blocks, for the chunk just inserted. */
export const ADD_BLOCK = `INSERT INTO stream_blocks
  SELECT $stream, $revision, last_insert_rowid() / ${BLOCK}
  WHERE ${lastBlock("$stream")} IS NOT last_insert_rowid() / ${BLOCK}`;

const refusing = (table: string, change: "UPDATE" | "DELETE"): [string, string] => {
  const name = `${table}_${change.toLowerCase()}`;
  const refusal = "SELECT RAISE(ROLLBACK, 'the log is append-only')";
  return [name, `CREATE TRIGGER ${name} BEFORE ${change} ON ${table} BEGIN ${refusal}; END`];
};

/**
 * What makes the file append-only for every program that opens it.
 *
 * - `INSERT OR REPLACE` deletes without firing a DELETE trigger, so the insert triggers refuse
 *   whatever would replace: a name that is there already, and any explicit rowid (a BEFORE trigger
 *   sees -1 where none was given; a real -1 is refused afterwards). A chunk is then behind all
 *   others, and its revision must be the next one of its stream.
 * - Nothing rests on the CHECKs alone: any connection may turn those off.
 * - A chunk mostly follows one of the same stream, and one look at that one is all it takes.
 * - `stream_blocks` takes from anybody only what the chunks say, and that it holds already.
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
  streams_key: `CREATE TRIGGER streams_key AFTER INSERT ON streams WHEN NEW.stream < 1 BEGIN
  SELECT RAISE(ROLLBACK, 'a stream takes the next key');
END`,
  chunks_insert: `CREATE TRIGGER chunks_insert BEFORE INSERT ON chunks
WHEN NEW.chunk IS NOT -1
  OR NEW.last < NEW.revision OR NEW.last >= NEW.revision + ${CHUNK_EVENTS} BEGIN
  SELECT RAISE(ROLLBACK, 'a chunk takes the next key and holds so many events');
END`,
  chunks_next: `CREATE TRIGGER chunks_next AFTER INSERT ON chunks
WHEN NEW.chunk % ${BLOCK} = 0 OR NOT EXISTS (SELECT 1 FROM chunks
  WHERE chunk = NEW.chunk - 1 AND stream = NEW.stream AND last = NEW.revision - 1) BEGIN
  SELECT CASE
    WHEN NEW.revision IS NOT 1 + coalesce(${headOf("NEW.stream", "NEW.chunk")}, -1)
      THEN RAISE(ROLLBACK, 'an event takes the next revision of its stream')
    WHEN NEW.revision = 0 AND NOT EXISTS (SELECT 1 FROM streams WHERE stream = NEW.stream)
      THEN RAISE(ROLLBACK, 'an event is of a stream')
  END;
  INSERT INTO stream_blocks SELECT NEW.stream, NEW.revision, NEW.chunk / ${BLOCK}
    WHERE ${lastBlock("NEW.stream")} IS NOT NEW.chunk / ${BLOCK};
END`,
  stream_blocks_insert: `CREATE TRIGGER stream_blocks_insert BEFORE INSERT ON stream_blocks BEGIN
  SELECT CASE
    WHEN ${lastBlock("NEW.stream")} >= NEW.block
      THEN RAISE(ROLLBACK, 'the block is known')
    WHEN NEW.revision IS NOT (SELECT min(revision) FROM chunks
      WHERE chunk >= NEW.block * ${BLOCK} AND chunk < (NEW.block + 1) * ${BLOCK}
        AND stream = NEW.stream)
      THEN RAISE(ROLLBACK, 'the block holds no such event')
  END;
END`,
  ...Object.fromEntries(
    Object.keys(TABLES).flatMap((table) => [refusing(table, "UPDATE"), refusing(table, "DELETE")]),
  ),
};
