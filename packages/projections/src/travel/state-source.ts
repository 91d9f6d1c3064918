import type { LogReader, StoredEvent } from "@palimpsest/core";
import { contentDigest, upcast, windowStream } from "@palimpsest/core";
import { MissingHistoryError } from "../feed/errors.ts";
import type { Reducer } from "../feed/reducer.ts";
import { foldNext } from "../feed/reducer.ts";
import type { Folded } from "../window/reading.ts";
import { foldOn, unfolded } from "../window/reading.ts";
import type { EncodedState } from "./codec.ts";
import { blocksNamedIn, decodeState, encodeState, SnapshotError } from "./codec.ts";
import { KeptStates } from "./kept-states.ts";
import type { Snapshot, SnapshotStore } from "./snapshots.ts";

/** A state is kept after every so many events; when there are too many, the stride doubles. */
const STRIDE = 64;
const MOST_KEPT = 4_096;

export interface StateSourceOptions {
  readonly snapshots: SnapshotStore | undefined;
  readonly snapshotEvery: number;
}

/** States of one window at any revision: kept, from a snapshot, or folded from the log. */
export class StateSource {
  readonly #log: LogReader;
  readonly #stream: string;
  readonly #reducer: Reducer<Folded>;
  readonly #options: StateSourceOptions;
  #kept = new KeptStates(STRIDE, MOST_KEPT);
  /** The window before its first event, whose columns all states share. */
  #empty: Folded;
  /** The last snapshot that was written, for its blocks. */
  #encoded: EncodedState | undefined;
  readonly #saved = new Set<number>();
  #notes: string[] = [];

  constructor(log: LogReader, window: string, options: StateSourceOptions) {
    this.#log = log;
    this.#stream = windowStream(window);
    this.#options = options;
    this.#empty = unfolded(window);
    this.#reducer = {
      initial: this.#empty,
      fold: (folded, events) => foldOn(folded, events.map(upcast)),
    };
  }

  /** What is folded after the event at `revision`, which the stream has. One call at a time. */
  async at(revision: number): Promise<{ folded: Folded; notes: readonly string[] }> {
    this.#notes = [];
    const from = this.#latest(revision).state.revision;
    const near = revision - from < this.#options.snapshotEvery;
    const snapshot = near ? undefined : await this.#fromSnapshot(revision, from);
    const folded = await this.#foldTo(revision, snapshot ?? this.#latest(revision));
    return { folded, notes: this.#notes };
  }

  #latest(revision: number): Folded {
    return this.#kept.latest(revision) ?? this.#empty;
  }

  async #foldTo(revision: number, start: Folded): Promise<Folded> {
    let folded = start;
    if (folded.state.revision === revision) return folded;
    const range = { from: folded.state.revision + 1, to: revision };
    for await (const page of this.#log.read(this.#stream, range)) {
      let from = 0;
      while (from < page.length) {
        const at = folded.state.revision;
        const events = page.slice(from, from + this.#kept.nextAfter(at) - at);
        folded = foldNext(this.#reducer, folded, events, at);
        from += events.length;
        this.#kept.keep(folded);
        await this.#save(folded, events);
      }
    }
    if (folded.state.revision === revision) return folded;
    throw new MissingHistoryError(this.#stream, folded.state.revision + 1, revision);
  }

  /** Keeps a snapshot where one is due, and goes on if the store cannot keep it. */
  async #save(folded: Folded, events: readonly StoredEvent[]): Promise<void> {
    const { snapshots, snapshotEvery } = this.#options;
    const { window, revision } = folded.state;
    const last = events.at(-1);
    const place = Math.floor((revision + 1) / snapshotEvery);
    const due = place > Math.floor((revision + 1 - events.length) / snapshotEvery);
    if (snapshots === undefined || last === undefined || !due || this.#saved.has(place)) return;
    this.#saved.add(place);
    try {
      const encoded = encodeState(folded, this.#encoded);
      const { manifest, added } = encoded;
      const digest = contentDigest(manifest);
      await snapshots.save({ window, revision, eventId: last.id, manifest, digest }, added);
      this.#encoded = encoded;
    } catch (error) {
      this.#note(`no snapshot was kept at revision ${revision}`, error);
    }
  }

  /** The state of the newest snapshot after revision `after` that fits, up to `revision`. */
  async #fromSnapshot(revision: number, after: number): Promise<Folded | undefined> {
    const { snapshots } = this.#options;
    for (let limit = revision; snapshots !== undefined && limit > after; ) {
      let snapshot: Snapshot | undefined;
      try {
        snapshot = await snapshots.latest(this.#empty.state.window, limit);
        if (snapshot === undefined || snapshot.revision <= after) return undefined;
        if (snapshot.revision > limit) throw new SnapshotError("it is too new");
        return await this.#load(snapshots, snapshot);
      } catch (error) {
        this.#note(`the snapshot at revision ${snapshot?.revision ?? limit} was not used`, error);
        if (snapshot === undefined) return undefined;
        this.#forget();
        limit = Math.min(limit, snapshot.revision) - 1;
      }
    }
    return undefined;
  }

  /** Begins the columns anew, for a snapshot that did not fit may have left spans in them. */
  #forget(): void {
    this.#empty = unfolded(this.#empty.state.window);
    this.#kept = new KeptStates(STRIDE, MOST_KEPT);
  }

  async #load(snapshots: SnapshotStore, snapshot: Snapshot): Promise<Folded> {
    const { manifest, digest, revision, eventId } = snapshot;
    if (contentDigest(manifest) !== digest) throw new SnapshotError("it was changed");
    const event = await this.#eventAt(revision);
    if (event?.id !== eventId) throw new SnapshotError("the log has another event there");
    const empty = this.#empty.state;
    const blocks = await snapshots.blocks(blocksNamedIn(manifest));
    const folded = decodeState(manifest, blocks, empty);
    const { state } = folded;
    if (state.revision !== revision || state.window !== empty.window) {
      throw new SnapshotError("its state is not the one that it names");
    }
    this.#kept.keep(folded);
    return folded;
  }

  async #eventAt(revision: number): Promise<StoredEvent | undefined> {
    for await (const [event] of this.#log.read(this.#stream, { from: revision, to: revision })) {
      return event;
    }
    return undefined;
  }

  #note(what: string, error: unknown): void {
    this.#notes.push(`${what}: ${error instanceof Error ? error.message : String(error)}`);
  }
}
