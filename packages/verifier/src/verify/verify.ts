import { VERDICT_STREAM_PREFIX, WINDOW_STREAM_PREFIX, windowStream } from "@palimpsest/core/events";
import type { Follower, Reader } from "../check/reader.ts";
import { renderedNow } from "../check/stored-contents.ts";
import { shownOutside } from "../rules/shown.ts";
import type { SessionOptions, WindowReport } from "./session.ts";
import { WindowSession } from "./session.ts";

/** Events of a page. Small pages are freed before they fill the old generation of the heap. */
const PAGE = 128;

export interface VerifyOptions extends SessionOptions {
  /** Bytes from outside that are compared with the verifier's own rendering. Default none. */
  readonly rendered?: {
    /** SHA-256 of the bytes, 64 lowercase hex digits. */
    readonly digest: string;
    /** The revision that they should show. Default: the head, or any that was rendered. */
    readonly at?: number;
  };
}

/**
 * Checks one window once, from its first event to its last: records, algebra, bonds, claims,
 * policy, what was shown, and what was signed before. Every content is read from the store on the
 * way, so every edit counts as probed. Writes nothing.
 */
export async function verifyWindow(
  log: Reader,
  window: string,
  options: VerifyOptions = {},
): Promise<WindowReport> {
  const session = await WindowSession.open(log, window, options);
  const { check } = session;
  const wanted = options.rendered;
  let isShown = wanted === undefined;
  const compare = async (): Promise<void> => {
    if (isShown) return;
    isShown = (await renderedNow(log, check, options)).digest === wanted?.digest;
  };
  for await (const page of log.read(windowStream(window), { pageSize: PAGE })) {
    for (const event of page) {
      if (!isShown && wanted?.at === undefined && event.type === "WindowRendered") await compare();
      const pending = session.take(event);
      if (pending !== undefined) await pending;
      if (!isShown && event.revision === wanted?.at) await compare();
    }
  }
  if (wanted?.at === undefined) await compare();
  if (!isShown) {
    const place = wanted?.at === undefined ? "at its head or any recorded rendering" : "there";
    const message = `the bytes from outside are not what the window shows ${place}`;
    check.findings.add(shownOutside, check.last, message);
  }
  return session.report(check.fold.edits.size);
}

/**
 * Checks every window of a store, one after another, in order of their first event. The first one
 * is checked from the same events that tell which windows there are, for mostly it is the only one.
 */
export async function* verifyStore(
  log: Follower,
  options: SessionOptions = {},
): AsyncGenerator<WindowReport> {
  const seen = new Set<string>();
  let first: WindowSession | undefined;
  for await (const page of pagesOf(log, WINDOW_STREAM_PREFIX)) {
    for (const event of page) {
      const window = event.stream.slice(WINDOW_STREAM_PREFIX.length);
      seen.add(window);
      first ??= await WindowSession.open(log, window, options);
      if (first.check.window !== window) continue;
      const pending = first.take(event);
      if (pending !== undefined) await pending;
    }
  }
  const checked = first?.check.window;
  if (first !== undefined) yield first.report(first.check.fold.edits.size);
  first = undefined;
  for await (const page of pagesOf(log, VERDICT_STREAM_PREFIX)) {
    for (const { stream } of page) seen.add(stream.slice(VERDICT_STREAM_PREFIX.length));
  }
  for await (const window of options.heads?.windows() ?? []) seen.add(window);
  for (const window of seen) {
    if (window !== checked) yield await verifyWindow(log, window, options);
  }
}

/** What is stored in the streams with this prefix, in the order of the store. */
async function* pagesOf(log: Follower, prefix: string) {
  for await (const message of log.subscribe({ prefix }, { pageSize: PAGE })) {
    if (message.kind === "caught-up") return;
    yield message.events;
  }
}
