import type { LogErrorCode } from "@palimpsest/core/log";
import { LogError } from "@palimpsest/core/log";

/** What the client's errors mean here. No other file looks into them. */
export type FailureKind =
  | "access-denied"
  | "wrong-credentials"
  | "wrong-revision"
  | "too-large"
  | "deleted"
  | "not-found"
  | "exists"
  | "not-leader"
  | "certificate"
  | "lost";

/** The client's own errors have a `type`, those of gRPC a trailer with the same words. */
const BY_NAME: Readonly<Record<string, FailureKind>> = {
  "access-denied": "access-denied",
  "wrong-expected-version": "wrong-revision",
  "maximum-append-size-exceeded": "too-large",
  "stream-deleted": "deleted",
  "stream-not-found": "not-found",
  "user-not-found": "not-found",
  "user-conflict": "exists",
  "not-leader": "not-leader",
};

/** Numbers of google.rpc.Code. */
const PERMISSION_DENIED = 7;
const UNAUTHENTICATED = 16;

/** Only what Node says of a certificate: other words about TLS may mean a connection that broke. */
const CERTIFICATE = /certificate|CERT_|altnames/i;

interface Shape {
  readonly type?: unknown;
  readonly code?: unknown;
  readonly message?: unknown;
  readonly metadata?: { get?(key: string): readonly unknown[] };
  readonly _raw?: Shape;
}

/** Anything that is not known to have been refused is `lost`: what it did is not known. */
export function kindOf(error: unknown): FailureKind {
  const shape = error as Shape;
  const code = shape?.code ?? shape?._raw?.code;
  // The client calls a wrong password "access denied" too.
  if (code === UNAUTHENTICATED) return "wrong-credentials";
  const named = BY_NAME[String(shape?.type ?? shape?.metadata?.get?.("exception")[0])];
  if (named !== undefined) return named;
  if (code === PERMISSION_DENIED) return "access-denied";
  return CERTIFICATE.test(textOf(error)) ? "certificate" : "lost";
}

/** The revision that the server says a stream is at, in an error of kind `wrong-revision`. */
export function currentOf(error: unknown): number | undefined {
  const { actualVersion } = error as { readonly actualVersion?: unknown };
  return typeof actualVersion === "bigint" ? Number(actualVersion) : undefined;
}

const MEANING: Readonly<Record<FailureKind, readonly [LogErrorCode, string]>> = {
  "access-denied": ["access-denied", "this user may not do that"],
  "wrong-credentials": ["access-denied", "user or password is wrong"],
  "wrong-revision": ["wrong-expected-revision", "the stream is at another revision"],
  "too-large": ["append-too-large", "the server does not take an append of this size"],
  deleted: ["store-damaged", "the stream was deleted"],
  "not-found": ["store-unavailable", "it was not found"],
  exists: ["store-unavailable", "it already exists"],
  "not-leader": ["store-unavailable", "this node does not lead"],
  certificate: ["store-unavailable", "the server's certificate is not accepted"],
  lost: ["store-unavailable", "the server does not answer"],
};

/** The LogError for a call that only read, or that was refused. */
export function logErrorOf(error: unknown, doing: string): LogError {
  if (error instanceof LogError) return error;
  const [code, meaning] = MEANING[kindOf(error)];
  return new LogError(code, `${doing}: ${meaning} (${textOf(error)})`, { cause: error });
}

/** True when the server may have done what was asked of it. */
export function isUnknown(error: unknown): boolean {
  const kind = kindOf(error);
  return kind === "lost" || kind === "certificate";
}

/** The LogError for an append: one that was lost may have taken effect. */
export function appendErrorOf(error: unknown, stream: string): LogError {
  if (error instanceof LogError || !isUnknown(error)) {
    return logErrorOf(error, `append to ${stream}`);
  }
  const message = `the append to ${stream} may or may not be stored (${textOf(error)})`;
  return new LogError("outcome-unknown", message, { cause: error });
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
