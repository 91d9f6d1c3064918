import { createHash } from "node:crypto";
import { SourceError } from "./errors.ts";
import type { Observation } from "./observation.ts";

export interface HttpOptions {
  /** Most bytes of a body, after decompression. Default 16 MiB. */
  readonly maxBytes?: number;
  /** For the whole exchange, redirects and body included. Default 10,000. */
  readonly timeoutMs?: number;
  /** Stops the exchange from outside; the reason it was aborted with is thrown as it is. */
  readonly signal?: AbortSignal;
}

const MAX_BYTES = 16 * 1024 * 1024;
const TIMEOUT_MS = 10_000;

/** Statuses that say the source is not there. */
const GONE = new Set([404, 410]);

/**
 * Looks at a page, by GET over http or https, without a cache and without credentials. Redirects
 * are followed. Status 404 or 410 is the digest null; any other status but success, a body beyond
 * the limit and a timeout are a SourceError. Which hosts may be asked is up to the caller: an
 * address that a model wrote may point into the network this runs in.
 */
export async function observeHttp(
  url: string | URL,
  { maxBytes = MAX_BYTES, timeoutMs = TIMEOUT_MS, signal }: HttpOptions = {},
): Promise<Observation> {
  const uri = String(url);
  checkAddress(uri);
  const timeout = AbortSignal.timeout(timeoutMs);
  const signals = signal === undefined ? [timeout] : [timeout, signal];
  try {
    const response = await fetch(uri, {
      cache: "no-store",
      credentials: "omit",
      redirect: "follow",
      signal: AbortSignal.any(signals),
    });
    return { uri, digest: await digestOfResponse(response, uri, maxBytes) };
  } catch (cause) {
    if (cause instanceof SourceError) throw cause;
    if (signal?.aborted === true) throw signal.reason;
    if (timeout.aborted) {
      throw new SourceError("timeout", uri, `${uri} took longer than ${timeoutMs} ms`, { cause });
    }
    throw new SourceError("unreadable", uri, `${uri} cannot be read: ${why(cause)}`, { cause });
  }
}

function checkAddress(uri: string): void {
  const url = URL.parse(uri);
  if (url === null || (url.protocol !== "http:" && url.protocol !== "https:")) {
    throw new SourceError("unsupported-scheme", uri, `${uri} is not an http or https address`);
  }
  if (url.username !== "" || url.password !== "") {
    const shown = `${url.protocol}//${url.host}`;
    throw new SourceError(
      "unreadable",
      shown,
      `an address at ${shown} holds a password: leave it out`,
    );
  }
}

async function digestOfResponse(
  response: Response,
  uri: string,
  maxBytes: number,
): Promise<string | null> {
  if (!response.ok) {
    await response.body?.cancel();
    if (GONE.has(response.status)) return null;
    throw new SourceError("http-status", uri, `${uri} answered with status ${response.status}`);
  }
  const hash = createHash("sha256");
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > maxBytes) {
      throw new SourceError("too-large", uri, `${uri} is larger than ${maxBytes} bytes`);
    }
    hash.update(chunk);
  }
  return hash.digest("hex");
}

/** `fetch failed` alone helps nobody: the reason is underneath. */
function why(error: unknown): string {
  if (!(error instanceof Error)) return "no reason was given";
  return error.cause instanceof Error ? error.cause.message : error.message;
}
