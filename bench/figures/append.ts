import { join } from "node:path";
import type { EventLog } from "@palimpsest/core";
import { openWindow } from "@palimpsest/core";
import { openSqliteLog } from "@palimpsest/core/sqlite";
import type { Figure } from "../figure.ts";
import { speedResult } from "../figure.ts";
import type { Side } from "../measure.ts";
import { runInTurn, timed } from "../measure.ts";
import type { RawStore, Values } from "../raw.ts";
import { openRawStore, valuesOf } from "../raw.ts";
import type { WrittenEvent } from "../workload.ts";
import { admissions, editAppends } from "../workload.ts";

/** Appends in one repetition: enough that ours moves its -wal into the file now and then. */
const APPENDS = 500;
const REPEATS = { warmUp: 2, pairs: 15 };

/**
 * Record and edit in one append, at the log port: what the store adds to a durable write. The
 * events of each append, and the text of its rows, are made right before it and outside of what is
 * measured, as a command leaves them.
 */
export const durableEdit = editFigure({
  name: "durable edit",
  target: 0.85,
  note: "record + edit in one append at the log port, against raw better-sqlite3",
  ours: (log, block) =>
    timedEach(
      block,
      ({ events }) => madeAnew(events),
      (events) => appendTo(log, events),
    ),
  theirs: (raw, block) => timedEach(block, ({ events }) => rowsOf(madeAnew(events)), raw.append),
});

/** The figure above as it was first measured: the events of all appends lie cold in memory. */
export const durableEditCold = editFigure({
  name: "durable edit, of cold events",
  note: "the same, its events made seconds before and not touched since",
  ours(log, block) {
    const appends = block.map(({ events }) => events);
    return timed(() => appendAll(log, appends));
  },
  theirs(raw, block) {
    const appends = block.map(({ rows }) => rows);
    return timed(() => insertAll(raw, appends));
  },
});

interface Append {
  readonly events: WrittenEvent[];
  readonly rows: Values[];
}

interface EditFigure {
  readonly name: string;
  readonly target?: number;
  readonly note: string;
  /** Milliseconds that a block of appends takes. */
  ours(log: EventLog, block: readonly Append[]): Promise<number>;
  theirs(raw: RawStore, block: readonly Append[]): Promise<number>;
}

function editFigure({ ours, theirs, ...comparison }: EditFigure): Figure {
  return {
    name: comparison.name,
    async measure(folder) {
      const written = await editAppends(APPENDS * (REPEATS.warmUp + REPEATS.pairs));
      const appends = written.map((events) => ({ events, rows: rowsOf(events) }));
      const log = openSqliteLog(join(folder, "ours.db"));
      const raw = openRawStore(join(folder, "raw.db"));
      const pairs = await runInTurn(
        inBlocks(appends, (block) => ours(log, block)),
        inBlocks(appends, (block) => theirs(raw, block)),
        REPEATS,
      );
      await log.close();
      raw.close();
      return speedResult(pairs, { ...comparison, unit: "µs", per: APPENDS });
    },
  };
}

/** The same through a window: the command is parsed, decided, probed, folded and answered too. */
export const windowEdit: Figure = {
  name: "durable edit, whole command",
  async measure(folder) {
    const total = APPENDS * (REPEATS.warmUp + REPEATS.pairs);
    const log = openSqliteLog(join(folder, "ours.db"));
    const window = await openWindow(log, "w");
    await window.batch(admissions(100));
    let edit = 0;
    const ours: Side = () =>
      timed(async () => {
        for (let i = 0; i < APPENDS; i += 2, edit += 1) {
          await window.evict([`s${1 + (edit % 100)}`], { editId: `edit-${edit}` });
          await window.undo(`edit-${edit}`);
        }
      });
    const raw = openRawStore(join(folder, "raw.db"));
    const rows = (await editAppends(total)).map(rowsOf);
    const theirs = inBlocks(rows, (block) => timed(() => insertAll(raw, block)));
    const pairs = await runInTurn(ours, theirs, REPEATS);
    await log.close();
    raw.close();
    return speedResult(pairs, {
      name: windowEdit.name,
      unit: "µs",
      per: APPENDS,
      note: "evict and undo in turn through the window; undo re-reads and re-hashes the content",
    });
  },
};

/** Appends as a window does: each expects the revision that the one before it left. */
export async function appendAll(log: EventLog, appends: readonly WrittenEvent[][]): Promise<void> {
  for (const events of appends) await appendTo(log, events);
}

function appendTo(log: EventLog, events: readonly WrittenEvent[]): Promise<unknown> {
  const first = events[0]?.revision ?? 0;
  return log.append("window-w", events, first === 0 ? "no-stream" : first - 1);
}

/** Milliseconds that `work` takes for all of a block, without what it takes to get ready. */
async function timedEach<Append, Ready>(
  block: readonly Append[],
  ready: (append: Append) => Ready,
  work: (append: Ready) => unknown,
): Promise<number> {
  let sum = 0;
  for (const append of block) {
    const it = ready(append);
    const start = performance.now();
    const working = work(it);
    if (working !== undefined) await working;
    sum += performance.now() - start;
  }
  return sum;
}

function madeAnew(events: readonly WrittenEvent[]): WrittenEvent[] {
  return events.map((event) => structuredClone(event));
}

function insertAll(raw: RawStore, appends: readonly Values[][]): void {
  for (const rows of appends) raw.append(rows);
}

function rowsOf(events: readonly WrittenEvent[]): Values[] {
  return events.map(valuesOf);
}

/** A side that takes the next block of appends in every repetition. */
function inBlocks<Append>(
  appends: readonly Append[],
  work: (block: readonly Append[]) => number | Promise<number>,
): Side {
  let next = 0;
  return () => {
    const block = appends.slice(next, next + APPENDS);
    next += APPENDS;
    return work(block);
  };
}
