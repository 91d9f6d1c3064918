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
