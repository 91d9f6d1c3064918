import { join } from "node:path";
import type { LogReader, StoredEvent, SubscriptionMessage } from "@palimpsest/core";
import { openSqliteReader } from "@palimpsest/core/sqlite";
import {
  claims,
  editStatus,
  liveWindow,
  policyHistory,
  reads,
  renderedWindow,
  tokenBudget,
} from "@palimpsest/projections";
import type { Observable } from "rxjs";
import { firstValueFrom } from "rxjs";
import type { Figure, Result } from "./figure.ts";
import { costResult, countResult } from "./figure.ts";
import { median, runInTurn, timed } from "./measure.ts";
import {
  appends,
  followedLog,
  pageOf,
  pages,
  WINDOW,
  writeHistory,
} from "./projections-workload.ts";
import { readAndParse } from "./raw.ts";

const UPDATES = 2_000;
const TARGET_MICROSECONDS = 20;

/** From an append in the log's hand to the subscriber's: fold, tokens and changes. */
export const projectionUpdate: Figure = {
  name: "projection update",
  async measure() {
    const sizes = [1_000, 10_000, 100_000];
    const times: number[][] = [];
    for (const live of sizes) times.push(await updateTimes(live));
    const [small, , large] = times.map(median);
    const results: Result[] = sizes.map((live, i) =>
      countResult({
        name: `projection update, ${live} live spans`,
        unit: "µs",
        value: median(times[i] ?? []),
        limit: TARGET_MICROSECONDS,
        target: 1,
        note: `p50 of ${UPDATES} appends, one after another, with tokens and changes read`,
      }),
    );
    const ratio = countResult({
      name: "projection update, 100,000 against 1,000",
      unit: "µs",
      value: large ?? Number.NaN,
      limit: small ?? Number.NaN,
      target: 2,
      note: "p50 of both",
    });
    return [...results, ratio];
  },
};

/** Microseconds for each append that follows on a window of so many live spans. */
export async function updateTimes(live: number): Promise<number[]> {
  const times: number[] = [];
  let begun = 0;
  const history = appends({ live });
  const before: StoredEvent[] = [];
  while (before.length <= live) before.push(...(history.next().value ?? []));
  const log = followedLog(async function* (): AsyncGenerator<SubscriptionMessage> {
    for (let i = 0; i < before.length; i += 1_000) yield pageOf(before.slice(i, i + 1_000));
    yield { kind: "caught-up" };
    for (let i = 0; i < UPDATES; i += 1) {
      const append = history.next().value ?? [];
      begun = performance.now();
      yield pageOf(append);
    }
  });
  await new Promise<void>((resolve, reject) => {
    const subscription = liveWindow(log, WINDOW).subscribe({
      next: ({ tokens, changes }) => {
        if (begun === 0) return;
        if (tokens === 0 || changes.firstChanged === null) throw new Error("nothing changed");
        times.push((performance.now() - begun) * 1_000);
        if (times.length < UPDATES) return;
        subscription.unsubscribe();
        resolve();
      },
      error: reject,
    });
  });
  return times.slice(UPDATES / 4);
}

const CAUGHT_UP = 100_000;

/** From a file to the first value, against reading and parsing the same rows alone. */
export const projectionCatchUp: Figure = {
  name: "projection catch-up",
  async measure(folder) {
    const file = join(folder, "log.db");
    const last = await writeHistory(file, CAUGHT_UP, { live: 2_000 });
    const pairs = await runInTurn(
      () =>
        timed(async () => {
          const log = openSqliteReader(file);
          const window = await firstValueFrom(liveWindow(log, WINDOW));
          if (window.revision !== last) throw new Error("the projection lost events");
          await log.close();
        }),
      () =>
        timed(() => {
          if (readAndParse(file) !== last + 1) throw new Error("the read lost rows");
        }),
      { warmUp: 1, pairs: 7 },
    );
    return costResult(pairs, {
      name: projectionCatchUp.name,
      unit: "µs",
      per: CAUGHT_UP,
      target: 2,
      note: "100,000 events of 1 KiB to the first live window, against read + JSON.parse",
    });
  },
};

const FOLLOWED = { stored: 20_000, appended: 2_000 };

/** Ten projections of one window, against one. */
export const tenProjections: Figure = {
  name: "ten projections",
  async measure() {
    const { stored, appended } = FOLLOWED;
    const all = [...pages(stored + appended, { live: 2_000 })].flat();
    const log = () =>
      followedLog(async function* (): AsyncGenerator<SubscriptionMessage> {
        for (let i = 0; i < stored; i += 1_000) yield pageOf(all.slice(i, i + 1_000));
        yield { kind: "caught-up" };
        for (let i = stored; i < all.length; i += 100) yield pageOf(all.slice(i, i + 100));
      });
    const last = all.at(-1)?.revision ?? 0;
    const side = (kinds: readonly Kind[]) => () => timed(() => followAll(log(), kinds, last));
    const pairs = await runInTurn(side(TEN), side(TEN.slice(0, 1)), { warmUp: 2, pairs: 15 });
    return costResult(pairs, {
      name: tenProjections.name,
      unit: "µs",
      per: all.length,
      target: 2,
      note: "20,000 events caught up with, then 2,000 live; each value's numbers read as it comes",
    });
  },
};

type Kind = (log: LogReader) => Observable<{ readonly revision: number }>;

const TEN: readonly Kind[] = [
  (log) => liveWindow(log, WINDOW),
  (log) => renderedWindow(log, WINDOW),
  (log) => editStatus(log, WINDOW),
  (log) => tokenBudget(log, WINDOW),
  (log) => reads(log, WINDOW),
  (log) => claims(log, WINDOW),
  (log) => policyHistory(log, WINDOW),
  (log) => liveWindow(log, WINDOW),
  (log) => editStatus(log, WINDOW),
  (log) => tokenBudget(log, WINDOW),
];

/** Follows all of them until each has seen the last revision. */
async function followAll(log: LogReader, kinds: readonly Kind[], last: number): Promise<void> {
  await Promise.all(
    kinds.map(
      (kind) =>
        new Promise<void>((resolve, reject) => {
          const subscription = kind(log).subscribe({
            next: (value) => {
              if ("tokens" in value && value.tokens === 0) reject(new Error("no tokens"));
              if (value.revision < last) return;
              resolve();
              queueMicrotask(() => subscription.unsubscribe());
            },
            error: reject,
          });
        }),
    ),
  );
}
