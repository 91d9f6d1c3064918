import { whyOf } from "../terminal/system-error.ts";

export type ImportErrorCode = "empty" | "unknown-format" | "too-large" | "unreadable";

/** The file cannot be imported at all; the message is for a person and names what was found. */
export class ImportError extends Error {
  readonly code: ImportErrorCode;

  constructor(code: ImportErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "ImportError";
    this.code = code;
  }
}

export function unreadable(file: string, cause: unknown): ImportError {
  return new ImportError("unreadable", `${file} cannot be read: ${whyOf(cause)}`, { cause });
}
