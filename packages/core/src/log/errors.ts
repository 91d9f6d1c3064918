import type { ExpectedRevision } from "./port.ts";

/** Why a log refused or failed; a log does not invent others. */
export type LogErrorCode =
  /** Nothing was appended: the head of the stream is not where it was expected. */
  | "wrong-expected-revision"
  /** Nothing was appended: an id is there already, but not as this append has it. */
  | "event-id-conflict"
  /** Nothing was appended: the events have more bytes than `maxAppendBytes`. */
  | "append-too-large"
  /** Nothing was appended: the arguments are not those of an append. */
  | "invalid-append"
  /** A stored event is not JSON, and whoever reads cannot go on without it. */
  | "event-undecodable"
  /** The connection was lost under way: the append took effect, or did not. Send it again. */
  | "outcome-unknown"
  /** The handle was closed. */
  | "log-closed"
  /** The store does not hold what it must hold. */
  | "store-damaged"
  /** The file belongs to another program. */
  | "store-foreign"
  /** A later version of this library wrote the store. */
  | "store-newer"
  /** The store can be read here, and not written. */
  | "store-read-only"
  /** The store cannot be reached or used now; it may be later. */
  | "store-unavailable"
  /** The store does not allow this to this user. */
  | "access-denied";

/** What every adapter of the log port rejects with; told apart by `code`. */
export class LogError extends Error {
  override readonly name = "LogError";
  /** What went wrong. */
  readonly code: LogErrorCode;
  constructor(code: LogErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** The append did not happen because the head of the stream was not where it was expected. */
export class WrongExpectedRevisionError extends LogError {
  /** Where the append should have gone. */
  readonly stream: string;
  /** What the append expected of the stream. */
  readonly expected: ExpectedRevision;
  /** The head the store saw, or undefined for a stream that does not exist. */
  readonly actual: number | undefined;
  constructor(stream: string, expected: ExpectedRevision, actual: number | undefined) {
    super(
      "wrong-expected-revision",
      `stream ${JSON.stringify(stream)} is at revision ${actual ?? "none"}, ` +
        `but the append expected ${expected}`,
    );
    this.stream = stream;
    this.expected = expected;
    this.actual = actual;
  }
}

/** True for an error of the log port, and of the given code when one is named. */
export function isLogError(error: unknown, code?: LogErrorCode): error is LogError {
  return error instanceof LogError && (code === undefined || error.code === code);
}
