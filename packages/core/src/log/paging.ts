import type { ReadOptions, StoredEvent } from "./port.ts";

/** Most events in a page or a message where the caller names no size. */
export const DEFAULT_PAGE_SIZE = 1_000;

/**
 * A page ends once it holds this many UTF-16 units of stored JSON, so that a thousand events of
 * 5 MB do not become one page.
 */
export const PAGE_TEXT_LIMIT = 8 * 1024 * 1024;

/**
 * Reads the events of revisions `from` to `to` in ascending order, at most `limit`, fewer when they
 * are large. None means that the stream has no more of them.
 */
export type ReadPage = (
  from: number,
  to: number,
  limit: number,
) => readonly StoredEvent[] | Promise<readonly StoredEvent[]>;

/**
 * The pages of `LogReader.read`, each read when the consumer asks for it. Throws a TypeError for
 * options that name no revision or no size of a page.
 */
export async function* pagesOf(
  readPage: ReadPage,
  options: ReadOptions = {},
): AsyncGenerator<readonly StoredEvent[], undefined> {
  const to = revisionOf(options.to ?? Number.MAX_SAFE_INTEGER, "to");
  const limit = pageSizeOf(options.pageSize ?? DEFAULT_PAGE_SIZE);
  let from = Math.max(0, revisionOf(options.from ?? 0, "from"));
  while (from <= to) {
    const page = await readPage(from, to, limit);
    const last = page.at(-1);
    if (last === undefined) return;
    yield page;
    from = last.revision + 1;
  }
}

/** Throws a TypeError for a page size that no page can have. */
export function pageSizeOf(pageSize: number): number {
  if (Number.isSafeInteger(pageSize) && pageSize > 0) return pageSize;
  throw new TypeError(`a page cannot hold ${pageSize} events`);
}

function revisionOf(revision: number, name: string): number {
  if (Number.isSafeInteger(revision)) return revision;
  throw new TypeError(`${name} must be a whole number, not ${revision}`);
}
