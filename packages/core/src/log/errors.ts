import type { ExpectedRevision } from "./port.ts";

/** Why a log rejected. */
export type LogErrorCode =
  | "wrong-expected-revision"
  | "event-id-conflict"
  | "append-too-large"
  | "invalid-append"
  | "event-undecodable"
  | "outcome-unknown"
  | "log-closed"
  | "store-damaged"
  | "store-foreign"
  | "store-newer"
  | "store-read-only"
  | "store-unavailable"
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
  /** Name of the stream. */
  readonly stream: string;
  /** What the append expected of it. */
  readonly expected: ExpectedRevision;
  /** The head the store saw, or undefined for a stream that does not exist. */
  readonly actual: number | undefined;
  constructor(stream: string, expected: ExpectedRevision, actual: number | undefined) {
    super(
      "wrong-expected-revision",
      `stream ${JSON.stringify(stream)} is at revision ${actual ?? "none"}, ` +
        `the append expected ${expected}`,
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
