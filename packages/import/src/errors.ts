import { getSystemErrorMessage } from "node:util";

/**
 * Why a file cannot be imported at all. `empty`: it holds nothing. `unknown-format`: it does not
 * hold a session in a format that is read, or in the one that was asked for. `too-large`: a line is
 * longer than can be read at once. `unreadable`: the path is not a file, or the system refuses it.
 */
export type ImportErrorCode = "empty" | "unknown-format" | "too-large" | "unreadable";

/** What an `ImportError` is made of; its message is the problem and the advice, as sentences. */
export interface ImportProblem {
  /** What is wrong, without a full stop; names the file or the line and what was found there. */
  readonly problem: string;
  /** What to do about it, without a full stop. */
  readonly advice: string;
  /** The path as it was given; absent for a stream, which has none. */
  readonly file?: string;
  /** Line of the file, from 1; absent where the whole file is at fault. */
  readonly line?: number;
  readonly cause?: unknown;
}

/**
 * The file cannot be imported; told apart by `code`. The message is for a person: what was wrong,
 * then what to do. The same is in `problem`, `advice`, `file` and `line`, for a host that words it
 * in its own way.
 */
export class ImportError extends Error {
  override readonly name = "ImportError";
  readonly code: ImportErrorCode;
  readonly problem: string;
  readonly advice: string;
  readonly file: string | undefined;
  readonly line: number | undefined;

  constructor(code: ImportErrorCode, { problem, advice, file, line, cause }: ImportProblem) {
    super(`${problem}. ${advice}.`, { cause });
    this.code = code;
    this.problem = problem;
    this.advice = advice;
    this.file = file;
    this.line = line;
  }
}

/** True for an error of this package, and of the given code when one is named. */
export function isImportError(error: unknown, code?: ImportErrorCode): error is ImportError {
  return error instanceof ImportError && (code === undefined || error.code === code);
}

/** The error for a file that the system does not let us read. */
export function unreadable(file: string, cause: unknown): ImportError {
  return new ImportError("unreadable", {
    problem: `${file} cannot be read: ${reasonOf(cause)}`,
    advice: "Check the path, and that this process may read the file",
    file,
    cause,
  });
}

/** The error for a file in which nothing is written; `how` says it of the file. */
export function holdsNothing(file: string, how: string): ImportError {
  const advice = "Name a file that holds a recorded session";
  return new ImportError("empty", { problem: `${file} ${how}`, advice, file });
}

/** Why, in the system's words and without its codes: `no such file or directory`. */
function reasonOf(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause);
  const isOfSystem = "errno" in cause && typeof cause.errno === "number";
  return isOfSystem ? getSystemErrorMessage(Number(cause.errno)) : cause.message;
}
