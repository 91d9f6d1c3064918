import type { LogReader, StoredEvent, WindowState } from "@palimpsest/core";
import { contentDigest, evolveAll, initialState, upcast, windowStream } from "@palimpsest/core";
import { MissingHistoryError } from "../feed/errors.ts";
import type { Reducer } from "../feed/reducer.ts";
import { foldNext } from "../feed/reducer.ts";
import { withoutCommands } from "../window/reading.ts";
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
  readonly #reducer: Reducer<WindowState>;
  readonly #options: StateSourceOptions;
  readonly #kept = new KeptStates(STRIDE, MOST_KEPT);
  /** The last snapshot that was written or read, for its blocks. */
  #encoded: EncodedState | undefined;
  readonly #saved = new Set<number>();
  #notes: string[] = [];

  constructor(log: LogReader, window: string, options: StateSourceOptions) {
    this.#log = log;
    this.#stream = windowStream(window);
    this.#options = options;
    this.#reducer = {
      initial: initialState(window),
      fold: (state, events) => withoutCommands(evolveAll(state, events.map(upcast))),
    };
  }

  /** The state after the event at `revision`, which the stream has. One call at a time. */
  async at(revision: number): Promise<{ state: WindowState; notes: readonly string[] }> {
    this.#notes = [];
    const kept = this.#kept.latest(revision) ?? this.#reducer.initial;
    const near = revision - kept.revision < this.#options.snapshotEvery;
    const start = near ? kept : ((await this.#fromSnapshot(revision, kept.revision)) ?? kept);
    const state = start.revision === revision ? start : await this.#foldTo(revision, start);
    return { state, notes: this.#notes };
  }

  async #foldTo(revision: number, start: WindowState): Promise<WindowState> {
    let state = start;
    const range = { from: start.revision + 1, to: revision };
    for await (const page of this.#log.read(this.#stream, range)) {
      let from = 0;
      while (from < page.length) {
        const stop = this.#kept.nextAfter(state.revision);
        const events = page.slice(from, from + stop - state.revision);
        state = foldNext(this.#reducer, state, events, state.revision);
        from += events.length;
        this.#kept.keep(state);
        await this.#save(state, events);
      }
    }
    if (state.revision === revision) return state;
    throw new MissingHistoryError(this.#stream, state.revision + 1, revision);
  }

  /** Keeps a snapshot where one is due; a store that cannot is done without. */
  async #save(state: WindowState, events: readonly StoredEvent[]): Promise<void> {
    const { snapshots, snapshotEvery } = this.#options;
    const last = events.at(-1);
    const place = Math.floor((state.revision + 1) / snapshotEvery);
    const due = place > Math.floor((state.revision + 1 - events.length) / snapshotEvery);
    if (snapshots === undefined || last === undefined || !due || this.#saved.has(place)) return;
    this.#saved.add(place);
    try {
      const encoded = encodeState(state, this.#encoded);
      const { manifest, added } = encoded;
      const { window, revision } = state;
      const digest = contentDigest(manifest);
      await snapshots.save({ window, revision, eventId: last.id, manifest, digest }, added);
      this.#encoded = encoded;
    } catch (error) {
      this.#note(`no snapshot was kept at revision ${state.revision}`, error);
    }
  }

  /** The state of the newest snapshot after revision `after` that fits, up to `revision`. */
  async #fromSnapshot(revision: number, after: number): Promise<WindowState | undefined> {
    const { snapshots } = this.#options;
    for (let limit = revision; snapshots !== undefined && limit > after; ) {
      let snapshot: Snapshot | undefined;
      try {
        snapshot = await snapshots.latest(this.#reducer.initial.window, limit);
        if (snapshot === undefined || snapshot.revision <= after) return undefined;
        if (snapshot.revision > limit) throw new SnapshotError("it is too new");
        return await this.#load(snapshots, snapshot);
      } catch (error) {
        this.#note(`the snapshot at revision ${snapshot?.revision ?? limit} was not used`, error);
        if (snapshot === undefined) return undefined;
        limit = Math.min(limit, snapshot.revision) - 1;
      }
    }
    return undefined;
  }

  async #load(snapshots: SnapshotStore, snapshot: Snapshot): Promise<WindowState> {
    const { manifest, digest, revision, eventId } = snapshot;
    if (contentDigest(manifest) !== digest) throw new SnapshotError("it was changed");
    const event = await this.#eventAt(revision);
    if (event?.id !== eventId) throw new SnapshotError("the log has another event there");
    const state = decodeState(manifest, await snapshots.blocks(blocksNamedIn(manifest)));
    if (state.revision !== revision || state.window !== this.#reducer.initial.window) {
      throw new SnapshotError("it holds another state than it says");
    }
    this.#kept.keep(state);
    return state;
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
