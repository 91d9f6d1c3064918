import { resolve } from "node:path";
import { SourceError } from "./errors.ts";
import { isFileUrl, observeFile } from "./file.ts";
import type { HttpOptions } from "./http.ts";
import { observeHttp } from "./http.ts";
import type { Observation } from "./observation.ts";

export interface ObserveOptions extends HttpOptions {
  /** Folder that paths without a scheme are relative to. Default: the current one. */
  readonly root?: string;
}

/**
 * Looks at a source by the scheme of its address: `file:`, `http:`, `https:`, or a plain path. The
 * uri of the observation is the one that was asked for, letter by letter, since spans and claims
 * name the source by it.
 *
 * Only ever called by somebody who wants to look, never while a stream is replayed: what was found
 * becomes a `SourceObserved`, and every reader of the stream relies on that alone.
 */
export async function observe(uri: string, options: ObserveOptions = {}): Promise<Observation> {
  const { digest } = await look(uri, options);
  return { uri, digest };
}

async function look(uri: string, { root, ...http }: ObserveOptions): Promise<Observation> {
  if (/^https?:/i.test(uri)) return observeHttp(uri, http);
  if (isFileUrl(uri)) return observeFile(uri);
  // One letter before a colon is a drive, not a scheme.
  if (/^[a-z][a-z\d+.-]+:/i.test(uri)) {
    const message = `no adapter looks at ${uri.slice(0, 200)}: use file, http or https, or a path`;
    throw new SourceError("unsupported-scheme", uri, message);
  }
  return observeFile(root === undefined ? uri : resolve(root, uri));
}
