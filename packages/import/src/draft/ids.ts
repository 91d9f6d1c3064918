const WINDOW_ID = /^[A-Za-z0-9_.:-]{1,128}$/;

/**
 * Gives out ids of one kind. A recorded id is kept where a window takes it and nothing else has it;
 * otherwise the place in the recording becomes the id.
 */
export class IdBook {
  readonly #prefix: string;
  readonly #taken = new Set<string>();

  constructor(prefix: string) {
    this.#prefix = prefix;
  }

  /** A new id; `renamed` says that it is not the recorded one. */
  give(recorded: string | undefined, at: number): { id: string; renamed: boolean } {
    if (recorded !== undefined && WINDOW_ID.test(recorded) && !this.#taken.has(recorded)) {
      this.#taken.add(recorded);
      return { id: recorded, renamed: false };
    }
    let id = `${this.#prefix}${at}`;
    for (let n = 2; this.#taken.has(id); n += 1) id = `${this.#prefix}${at}.${n}`;
    this.#taken.add(id);
    return { id, renamed: recorded !== undefined };
  }
}

/** Numbers the spans of each place in the recording: `s12.1` is the first span of line 12. */
export class SpanNamer {
  readonly #given = new Map<number, number>();

  name(at: number): string {
    const n = (this.#given.get(at) ?? 0) + 1;
    this.#given.set(at, n);
    return `s${at}.${n}`;
  }
}
