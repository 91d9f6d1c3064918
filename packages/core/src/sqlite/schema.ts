/**
 * The file format. These names and statements are stored in the file and compared when it is
 * opened, so a change to any of them is a new FORMAT_VERSION.
 * docs/decisions/log-sqlite-layout.md says why the tables look like this.
 */

/** "PLMP", in the header of the file: tells our files from those of other programs. */
export const APPLICATION_ID = 0x504c4d50;

export const FORMAT_VERSION = 1;

/** Two events of 1 KB fit a page of 4 KiB with a quarter of it left over; here eleven do. */
export const PAGE_SIZE = 16_384;

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
  metadata TEXT NOT NULL,
  UNIQUE (stream, revision),
  UNIQUE (id, stream)
) STRICT`,
};

/**
 * What makes the file append-only for every program that opens it.
 *
 * - `INSERT OR REPLACE` deletes without firing a DELETE trigger, so the insert triggers refuse
 *   whatever would replace: a revision, an event id or a name that is there already, and any
 *   explicit rowid (a BEFORE trigger sees -1 where none was given; the CHECKs refuse a real -1).
 * - RAISE(ROLLBACK) and no function calls: with RAISE(ABORT) or a function in an insert trigger
 *   SQLite copies each page it touches to a statement journal, which costs more than the insert.
 */
export const TRIGGERS: Readonly<Record<string, string>> = {
  streams_insert: `CREATE TRIGGER streams_insert BEFORE INSERT ON streams BEGIN
  SELECT RAISE(ROLLBACK, 'a stream takes the next key')
    WHERE NEW.stream IS NOT -1;
  SELECT RAISE(ROLLBACK, 'the stream exists')
    WHERE EXISTS (SELECT 1 FROM streams WHERE name = NEW.name);
END`,
  streams_update: `CREATE TRIGGER streams_update BEFORE UPDATE ON streams BEGIN
  SELECT RAISE(ROLLBACK, 'the log is append-only');
END`,
  streams_delete: `CREATE TRIGGER streams_delete BEFORE DELETE ON streams BEGIN
  SELECT RAISE(ROLLBACK, 'the log is append-only');
END`,
  events_insert: `CREATE TRIGGER events_insert BEFORE INSERT ON events BEGIN
  SELECT RAISE(ROLLBACK, 'an event takes the next position')
    WHERE NEW.position IS NOT -1;
  SELECT RAISE(ROLLBACK, 'an event is of a stream')
    WHERE NOT EXISTS (SELECT 1 FROM streams WHERE stream = NEW.stream);
  SELECT RAISE(ROLLBACK, 'an event takes the next revision of its stream')
    WHERE NEW.revision IS NOT
      coalesce((SELECT max(revision) FROM events WHERE stream = NEW.stream), -1) + 1;
  SELECT RAISE(ROLLBACK, 'the stream holds an event of this id')
    WHERE EXISTS (SELECT 1 FROM events WHERE id = NEW.id AND stream = NEW.stream);
END`,
  events_update: `CREATE TRIGGER events_update BEFORE UPDATE ON events BEGIN
  SELECT RAISE(ROLLBACK, 'the log is append-only');
END`,
  events_delete: `CREATE TRIGGER events_delete BEFORE DELETE ON events BEGIN
  SELECT RAISE(ROLLBACK, 'the log is append-only');
END`,
};
