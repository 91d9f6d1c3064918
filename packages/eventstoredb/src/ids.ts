import type { StoredEvent } from "@palimpsest/core/log";

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
  readonly #streams = new Map<string, KnownStream>();
  readonly #mostIds: number;
  #ids = 0;

  constructor(mostIds = MOST_IDS) {
    this.#mostIds = mostIds;
  }

  /** What is known of a stream, which becomes the one used last. */
  of(stream: string): KnownStream {
    const known = this.#streams.get(stream) ?? { revisions: new Map(), next: 0, fresh: false };
    this.#streams.delete(stream);
    this.#streams.set(stream, known);
    return known;
  }

  /** Takes in events that were read or appended, if they go on where knowledge ends. */
  learn(stream: string, events: readonly Pick<StoredEvent, "id" | "revision">[]): void {
    const known = this.of(stream);
    if (events[0] === undefined || events[0].revision > known.next) return;
    for (const { id, revision } of events) {
      if (revision < known.next) continue;
      known.revisions.set(id, revision);
      known.next = revision + 1;
      this.#ids += 1;
    }
    this.#forget();
  }

  #forget(): void {
    for (const [stream, { revisions }] of this.#streams) {
      if (this.#ids <= this.#mostIds || this.#streams.size === 1) return;
      this.#ids -= revisions.size;
      this.#streams.delete(stream);
    }
  }
}
