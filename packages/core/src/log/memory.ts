import type { SerializedEvent } from "./append.ts";
import { checkHead, DEFAULT_MAX_APPEND_BYTES, earlierAppend, serializeAppend } from "./append.ts";
import { LogError } from "./errors.ts";
import { createFollowers } from "./followers.ts";
import { PAGE_TEXT_LIMIT, pagesOf } from "./paging.ts";
import type {
  AppendResult,
  EventLog,
  ExpectedRevision,
  StoredEvent,
  SubscriptionTarget,
} from "./port.ts";
import type { FeedPage, SubscriptionFeed } from "./subscription.ts";
import { subscription } from "./subscription.ts";

/** A stored event keeps its JSON as text: nobody can change it through a reference. */
interface Entry extends SerializedEvent {
  readonly stream: string;
  readonly revision: number;
  readonly position: number;
}

interface MemoryStore {
  /** In the total order; an entry's position is its index. */
  readonly entries: Entry[];
  readonly streams: Map<string, MemoryStream>;
}

interface MemoryStream {
  readonly entries: Entry[];
  readonly revisions: Map<string, number>;
}

/** A log that lives as long as this process. For tests, and for `--store memory:`. */
export function createMemoryLog(): EventLog {
  const store: MemoryStore = { entries: [], streams: new Map() };
  const followers = createFollowers();
  let closed = false;
  const use = (): MemoryStore => {
    if (closed) throw new LogError("log-closed", "the log was closed");
    return store;
  };
  const feed: SubscriptionFeed = {
    pageAfter: (target, cursor, limit) => pageAfter(use(), target, cursor, limit),
    follow(follower) {
      use();
      return followers.add(follower);
    },
  };
  return {
    guarantees: { appendOnly: "process", writersSeparated: "process" },
    maxAppendBytes: DEFAULT_MAX_APPEND_BYTES,
    async append(stream, events, expected) {
      use();
      const serialized = serializeAppend(stream, events, expected, DEFAULT_MAX_APPEND_BYTES);
      const result = appendTo(store, stream, serialized, expected);
      if (!result.repeated) followers.wakeAll();
      return result;
    },
    read: (stream, options) =>
      pagesOf((from, to, limit) => {
        const entries = use().streams.get(stream)?.entries ?? [];
        return page(entries, from, Math.min(limit, to - from + 1), () => true).events;
      }, options),
    head: async (stream) => headOf(use(), stream),
    subscribe: (target, options) => subscription(feed, target, options),
    async close() {
      closed = true;
      followers.endAll();
    },
  };
}

function headOf(store: MemoryStore, stream: string): number | undefined {
  return store.streams.get(stream)?.entries.at(-1)?.revision;
}

function appendTo(
  store: MemoryStore,
  stream: string,
  events: readonly SerializedEvent[],
  expected: ExpectedRevision,
): AppendResult {
  const revisions = store.streams.get(stream)?.revisions;
  const earlier = earlierAppend(
    stream,
    events.map((event) => revisions?.get(event.id)),
  );
  if (earlier !== undefined) return earlier;
  const head = headOf(store, stream);
  checkHead(stream, expected, head);
  const target: MemoryStream = store.streams.get(stream) ?? { entries: [], revisions: new Map() };
  store.streams.set(stream, target);
  const first = target.entries.length;
  for (const event of events) {
    const revision = target.entries.length;
    const entry = { ...event, stream, revision, position: store.entries.length };
    target.entries.push(entry);
    target.revisions.set(event.id, revision);
    store.entries.push(entry);
  }
  return { first, last: first + events.length - 1, repeated: false };
}

function pageAfter(
  store: MemoryStore,
  target: SubscriptionTarget,
  cursor: number,
  limit: number,
): FeedPage {
  if ("prefix" in target) {
    return page(store.entries, cursor + 1, limit, (entry) =>
      entry.stream.startsWith(target.prefix),
    );
  }
  return page(store.streams.get(target.stream)?.entries ?? [], cursor + 1, limit, () => true);
}

/** Entries lie at the index that their cursor names, in a stream and in the total order alike. */
function page(
  entries: readonly Entry[],
  from: number,
  limit: number,
  wanted: (entry: Entry) => boolean,
): FeedPage {
  const events: StoredEvent[] = [];
  let text = 0;
  let index = from;
  for (; index < entries.length && events.length < limit && text < PAGE_TEXT_LIMIT; index++) {
    const entry = entries[index];
    if (entry === undefined || !wanted(entry)) continue;
    text += entry.data.length + entry.metadata.length;
    events.push(storedEvent(entry));
  }
  return { events, cursor: index - 1 };
}

function storedEvent(entry: Entry): StoredEvent {
  return {
    stream: entry.stream,
    revision: entry.revision,
    id: entry.id,
    type: entry.type,
    data: JSON.parse(entry.data),
    metadata: JSON.parse(entry.metadata),
  };
}
