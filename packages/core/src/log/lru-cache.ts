/** What a cache may hold at most; without a limit, anything. */
export interface LruLimits<Value> {
  readonly mostEntries?: number;
  /** Of all entries together, each as `weigh` gave it when it was set. */
  readonly mostWeight?: number;
  weigh?(value: Value): number;
  /** Told of every value that had to leave, but of none that was replaced. */
  left?(value: Value): void;
}

/**
 * A map with limits: the entries that were used least recently leave first, and the one that was
 * set last never does. A value that grew is set again, which weighs it anew.
 */
export class LruCache<Key, Value> {
  /** In order of their last use. */
  readonly #entries = new Map<Key, { readonly value: Value; readonly weight: number }>();
  readonly #limits: LruLimits<Value>;
  #weight = 0;

  constructor(limits: LruLimits<Value>) {
    this.#limits = limits;
  }

  /** A use of the entry. */
  get(key: Key): Value | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    return entry.value;
  }

  /** No use of the entry. */
  peek(key: Key): Value | undefined {
    return this.#entries.get(key)?.value;
  }

  set(key: Key, value: Value): void {
    const { weigh, left } = this.#limits;
    const weight = weigh?.(value) ?? 0;
    this.#remove(key);
    this.#entries.set(key, { value, weight });
    this.#weight += weight;
    for (const [oldest, entry] of this.#entries) {
      if (oldest === key || !this.#isOver) return;
      this.#remove(oldest);
      left?.(entry.value);
    }
  }

  get #isOver(): boolean {
    const { mostEntries = Number.POSITIVE_INFINITY, mostWeight = Number.POSITIVE_INFINITY } =
      this.#limits;
    return this.#entries.size > mostEntries || this.#weight > mostWeight;
  }

  #remove(key: Key): void {
    this.#weight -= this.#entries.get(key)?.weight ?? 0;
    this.#entries.delete(key);
  }
}
