/** The last verdict on a window, as it is kept outside the store. */
export interface KeptVerdict {
  /** The signed note of the verdict. */
  readonly note: string;
  /** The key that signed it, as `name+id+base64`. */
  readonly key: string;
}

/**
 * Where the verifier keeps its last head of each window outside the store: whoever rolls the two
 * streams of a window back together does not roll back this place.
 */
export interface KeptHeads {
  /** The head kept of a window; undefined when there is none. */
  get(window: string): Promise<KeptVerdict | undefined>;
  /** Takes the place of the head before; what is kept survives the process when this resolves. */
  put(window: string, kept: KeptVerdict): Promise<void>;
  /** The ids of the windows of which a head is kept. */
  windows(): AsyncIterable<string>;
}

/** Heads that live as long as this process. */
export function memoryHeads(): KeptHeads {
  const kept = new Map<string, KeptVerdict>();
  return {
    get: async (window) => kept.get(window),
    put: async (window, verdict) => {
      kept.set(window, verdict);
    },
    async *windows() {
      yield* kept.keys();
    },
  };
}
