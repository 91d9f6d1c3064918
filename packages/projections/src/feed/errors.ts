import type { StoredEvent } from "@palimpsest/core";
import { EventNotUnderstoodError } from "@palimpsest/core";

type Place = Pick<StoredEvent, "stream" | "revision" | "id">;

/** An event that a projection cannot fold: it stops there and says where. `cause` says why. */
export class ProjectionError extends Error {
  override readonly name = "ProjectionError";
  readonly stream: string;
  readonly revision: number;
  readonly eventId: string;
  constructor(event: Place, cause: unknown) {
    super(`cannot fold ${problemOf(event, cause)}`, { cause });
    this.stream = event.stream;
    this.revision = event.revision;
    this.eventId = event.id;
  }
}

function problemOf({ id, revision, stream }: Place, cause: unknown): string {
  if (cause instanceof EventNotUnderstoodError) return cause.message;
  const why = cause instanceof Error ? cause.message : String(cause);
  return `event ${id} at revision ${revision} of ${JSON.stringify(stream)}: ${why}`;
}

/** Events are missing: a projection is never started in the middle of a stream. */
export class MissingHistoryError extends Error {
  override readonly name = "MissingHistoryError";
  readonly stream: string;
  /** The revision that should have come. */
  readonly expected: number;
  /** The revision that came instead. */
  readonly found: number;
  constructor(stream: string, expected: number, found: number) {
    super(
      `${JSON.stringify(stream)} goes on at revision ${found} where ${expected} should be: ` +
        "the events between, or a snapshot that fits, are needed to say anything of it",
    );
    this.stream = stream;
    this.expected = expected;
    this.found = found;
  }
}

/** A revision that the stream does not have (yet). */
export class OutOfRangeError extends RangeError {
  override readonly name = "OutOfRangeError";
  readonly code = "out-of-range";
  readonly revision: number;
  /** The last revision there is; −1 for an empty stream. */
  readonly last: number;
  constructor(revision: number, last: number) {
    super(
      last < 0
        ? `there is no revision ${revision}: the window was never opened`
        : `revision ${revision} is not in 0..${last}`,
    );
    this.revision = revision;
    this.last = last;
  }
}
