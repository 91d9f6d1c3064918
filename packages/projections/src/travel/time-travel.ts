import type { EditStatus, LogReader } from "@palimpsest/core";
import { windowStream } from "@palimpsest/core";
import type { Observable } from "rxjs";
import { switchMap } from "rxjs";
import { OutOfRangeError } from "../feed/errors.ts";
import type { ProjectionOptions } from "../options.ts";
import type { WindowChanges } from "../window/changes.ts";
import { changesBetween, reversed } from "../window/changes.ts";
import { ContentCache } from "./content-cache.ts";
import { Moment } from "./moment.ts";
import type { SnapshotStore } from "./snapshots.ts";
import { StateSource } from "./state-source.ts";

export interface TimeTravelOptions extends ProjectionOptions {
  /** Where snapshots are looked for and kept. Without one everything is folded from the log. */
  readonly snapshots?: SnapshotStore;
  /** Number of events from one snapshot to the next. Default 1,024. */
  readonly snapshotEvery?: number;
  /**
   * Most UTF-16 units of content that are kept for going back and forth; what was read last is kept
   * however long it is. Default 16 Mi.
   */
  readonly contentUnits?: number;
}

/** Two revisions of a window and what lies between. */
export interface Between {
  readonly from: Moment;
  readonly to: Moment;
  /** What going from the one to the other does to the live spans; back as well as forth. */
  readonly changes: WindowChanges;
  /** The edits made after the earlier of the two, up to the later, as they stand at the later. */
  readonly edits: readonly EditStatus[];
}

const DEFAULT_SNAPSHOT_EVERY = 1_024;
const DEFAULT_CONTENT_UNITS = 16 * 1024 * 1024;

/**
 * Goes to any revision of a window, without changing anything. States that were passed on the way
 * are kept, so that a revision near one is there at once.
 */
export class TimeTravel {
  readonly #log: LogReader;
  readonly #stream: string;
  readonly #options: TimeTravelOptions;
  readonly #states: StateSource;
  readonly #contents: ContentCache;
  #queue: Promise<unknown> = Promise.resolve();

  constructor(log: LogReader, window: string, options: TimeTravelOptions = {}) {
    this.#log = log;
    this.#stream = windowStream(window);
    this.#options = options;
    this.#states = new StateSource(log, window, {
      snapshots: options.snapshots,
      snapshotEvery: options.snapshotEvery ?? DEFAULT_SNAPSHOT_EVERY,
    });
    this.#contents = new ContentCache(options.contentUnits ?? DEFAULT_CONTENT_UNITS);
  }

  /**
   * The window after the event at `revision`: the fold of the first `revision` + 1 events. Rejects
   * with `OutOfRangeError`; with `MissingHistoryError` when the log does not have the events up to
   * there and no snapshot fits; with `ProjectionError`, or as the log does.
   */
  at(revision: number): Promise<Moment> {
    return this.#enqueue(() => this.#momentAt(revision));
  }

  /** Both revisions and the difference; `from` may be the later one. Rejects as `at` does. */
  between(from: number, to: number): Promise<Between> {
    return this.#enqueue(async () => {
      const [start, end] = [await this.#momentAt(from), await this.#momentAt(to)];
      const [earlier, later] = from <= to ? [start, end] : [end, start];
      const changes = changesBetween(earlier.state, later.state);
      return {
        from: start,
        to: end,
        changes: from <= to ? changes : reversed(changes, later.state),
        edits: later.edits.after(earlier.state.edits.size),
      };
    });
  }

  /**
   * The window at every revision that `revisions` names. When they come faster than they can be
   * shown, those that were overtaken are left out; the last one is always shown. Errors as `at`.
   */
  following(revisions: Observable<number>): Observable<Moment> {
    return revisions.pipe(switchMap((revision) => this.at(revision)));
  }

  async #momentAt(revision: number): Promise<Moment> {
    const last = (await this.#log.head(this.#stream)) ?? -1;
    if (!Number.isSafeInteger(revision) || revision < 0 || revision > last) {
      throw new OutOfRangeError(revision, last);
    }
    const { folded, notes } = await this.#states.at(revision);
    const sources = { log: this.#log, contents: this.#contents, options: this.#options, notes };
    return new Moment(folded, sources);
  }

  /** One after another: the second finds what the first one folded. */
  #enqueue<Result>(task: () => Promise<Result>): Promise<Result> {
    const turn = this.#queue.then(task);
    this.#queue = turn.catch(() => undefined);
    return turn;
  }
}

/** Time travel over one window of a log. */
export function timeTravel(
  log: LogReader,
  window: string,
  options: TimeTravelOptions = {},
): TimeTravel {
  return new TimeTravel(log, window, options);
}
