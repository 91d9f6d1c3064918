import type { StoredEvent } from "@palimpsest/core/log";
import { LruCache } from "@palimpsest/core/log";

/**
 * Which revision holds which event id, as far as this handle has seen a stream: always a whole
 * beginning of it. The server compares ids only where the expected revision says they should lie,
 * so an append that lies elsewhere is recognised here.
 */
export interface KnownStream {
  readonly revisions: Map<string, number>;
  /** First revision that is not known. */
  next: number;
  /** False until the stream was looked at, and again when an append's outcome is unknown. */
  fresh: boolean;
}

/** Most ids that are kept; beyond it, the streams unused for longest are forgotten. */
const MOST_IDS = 250_000;

export class KnownStreams {
  readonly #streams: LruCache<string, KnownStream>;

  constructor(mostIds = MOST_IDS) {
    const weigh = ({ revisions }: KnownStream) => revisions.size;
    this.#streams = new LruCache({ mostWeight: mostIds, weigh });
  }

  /** What is known of a stream, which becomes the one used last. */
  of(stream: string): KnownStream {
    const known = this.#streams.get(stream);
    if (known !== undefined) return known;
    const unknown = { revisions: new Map<string, number>(), next: 0, fresh: false };
    this.#streams.set(stream, unknown);
    return unknown;
  }

  /** Takes in events that were read or appended, if they go on where knowledge ends. */
  learn(stream: string, events: readonly Pick<StoredEvent, "id" | "revision">[]): void {
    const known = this.of(stream);
    if (events[0] === undefined || events[0].revision > known.next) return;
    for (const { id, revision } of events) {
      if (revision < known.next) continue;
      known.revisions.set(id, revision);
      known.next = revision + 1;
    }
    this.#streams.set(stream, known);
  }
}
