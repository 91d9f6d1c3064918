import type { SerializedEvent } from "../log/append.ts";

/** The events of one stream, as far as this process knows them. */
export interface KnownStream {
  /** How many there are. */
  readonly length: number;
  /** Event ids and their revisions. */
  readonly revisions: ReadonlyMap<string, number>;
}

/**
 * The event ids of the streams that this process appends to. Events are never taken back, so what
 * is known here stays true; only what other processes appended since is missing.
 */
export interface KnownEvents {
  /** What is known without a look into the store; undefined for a stream never looked at. */
  of(stream: string): KnownStream | undefined;
  /** Reads what is missing, and gives all of it. */
  catchUp(stream: string): KnownStream;
  /** Takes in what this process appended behind all that is known. */
  add(stream: string, events: readonly SerializedEvent[]): void;
}

/** An id takes some hundred bytes here. Forgetting costs no more than reading it again. */
const MOST_STREAMS = 100;

/** `idsFrom` reads the ids of a stream from a revision on. */
export function createKnownEvents(
  idsFrom: (stream: string, revision: number) => Iterable<string>,
): KnownEvents {
  const streams = new Map<string, { length: number; revisions: Map<string, number> }>();
  const use = (stream: string) => {
    const known = streams.get(stream) ?? { length: 0, revisions: new Map<string, number>() };
    // The map is in the order of use: the first of it was read least recently.
    streams.delete(stream);
    streams.set(stream, known);
    for (const name of streams.keys()) {
      if (streams.size <= MOST_STREAMS) break;
      streams.delete(name);
    }
    return known;
  };
  return {
    of: (stream) => streams.get(stream),
    catchUp(stream) {
      const known = use(stream);
      for (const id of idsFrom(stream, known.length)) known.revisions.set(id, known.length++);
      return known;
    },
    add(stream, events) {
      const known = streams.get(stream);
      if (known === undefined) return;
      for (const { id } of events) known.revisions.set(id, known.length++);
    },
  };
}
