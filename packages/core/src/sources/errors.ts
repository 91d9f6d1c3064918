export type SourceErrorCode =
  /** No adapter knows this kind of address. */
  | "unsupported-scheme"
  /** It is there, and is a folder, a device or the like. */
  | "not-a-file"
  /** It cannot be read: permissions, a broken connection. */
  | "unreadable"
  /** It was written to while it was read, again and again. */
  | "changing"
  | "too-large"
  | "timeout"
  /** The server answered with neither content nor "not there". */
  | "http-status";

/** A source that could not be looked at. This is not the same as one that is gone. */
export class SourceError extends Error {
  override readonly name = "SourceError";
  readonly code: SourceErrorCode;
  readonly uri: string;

  constructor(code: SourceErrorCode, uri: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
    this.uri = uri;
  }
}

export function isSourceError(error: unknown): error is SourceError {
  return error instanceof SourceError;
}
