import { Map as PersistentMap } from "immutable";

/*
 * Which command an append came from: an entry for every command there ever was, looked up by each
 * that comes. In one persistent map it would cost more than all else of the fold. So most entries
 * lie in plain maps that nobody changes any more, each at most half as large as the one before it,
 * and only the last ones in a persistent map.
 */

type Plain = ReadonlyMap<string, number>;
type Recent = PersistentMap<string, number>;

/** So many recent entries become a plain map. */
const MOST_RECENT = 1_024;
/** So many that came at once do so, too. */
const WORTH_A_MAP = 64;

/** Command ids, and the revision of the first event of each. `set` leaves it as it is. */
export class CommandIndex {
  static readonly empty = new CommandIndex([], PersistentMap());

  readonly #older: readonly Plain[];
  readonly #recent: Recent;

  private constructor(older: readonly Plain[], recent: Recent) {
    this.#older = older;
    this.#recent = recent;
  }

  get(commandId: string): number | undefined {
    const recent = this.#recent.get(commandId);
    if (recent !== undefined) return recent;
    for (let place = this.#older.length - 1; place >= 0; place -= 1) {
      const revision = this.#older[place]?.get(commandId);
      if (revision !== undefined) return revision;
    }
    return undefined;
  }

  /** With one more; for an id that is there, the revision given last counts. */
  set(commandId: string, revision: number): CommandIndex {
    return this.#with(this.#recent.set(commandId, revision));
  }

  /** With all of a map that is not changed any more. */
  setAll(entries: Plain): CommandIndex {
    if (entries.size < WORTH_A_MAP) return this.#with(this.#recent.merge(entries));
    const older = this.#recent.isEmpty()
      ? this.#older
      : withNewest(this.#older, new Map(this.#recent));
    return new CommandIndex(withNewest(older, entries), PersistentMap());
  }

  isEmpty(): boolean {
    return this.#older.length === 0 && this.#recent.isEmpty();
  }

  clear(): CommandIndex {
    return CommandIndex.empty;
  }

  asMutable(): MutableCommandIndex {
    return new MutableCommandIndex(this);
  }

  asImmutable(): CommandIndex {
    return this;
  }

  #with(recent: Recent): CommandIndex {
    if (recent.size < MOST_RECENT) return new CommandIndex(this.#older, recent);
    return new CommandIndex(withNewest(this.#older, new Map(recent)), PersistentMap());
  }
}

/** A copy that `set` changes, until it is made a value again. */
export class MutableCommandIndex {
  readonly #before: CommandIndex;
  readonly #own = new Map<string, number>();

  constructor(before: CommandIndex) {
    this.#before = before;
  }

  get(commandId: string): number | undefined {
    return this.#own.get(commandId) ?? this.#before.get(commandId);
  }

  set(commandId: string, revision: number): MutableCommandIndex {
    this.#own.set(commandId, revision);
    return this;
  }

  isEmpty(): boolean {
    return this.#own.size === 0 && this.#before.isEmpty();
  }

  clear(): CommandIndex {
    return CommandIndex.empty;
  }

  asMutable(): MutableCommandIndex {
    return this;
  }

  asImmutable(): CommandIndex {
    return this.#before.setAll(this.#own);
  }
}

/** Merged with those before it that are less than twice as large, so that there are few. */
function withNewest(older: readonly Plain[], newest: Plain): readonly Plain[] {
  const last = older.at(-1);
  if (last === undefined || last.size >= 2 * newest.size) return [...older, newest];
  const merged = new Map(last);
  for (const [commandId, revision] of newest) merged.set(commandId, revision);
  return withNewest(older.slice(0, -1), merged);
}
