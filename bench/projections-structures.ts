import type { StoredEvent } from "@palimpsest/core";
import { enableMapSet, produce } from "immer";
import type { Figure, Result } from "./figure.ts";
import { countResult } from "./figure.ts";
import { median } from "./measure.ts";
import { updateTimes } from "./projections-live.ts";
import { appends } from "./projections-workload.ts";

enableMapSet();

const SIZES = [1_000, 10_000, 100_000];
const CHUNK = 512;

/** A span and its mark: the edit that took it, or 0. */
interface Entry {
  readonly id: string;
  readonly tokens: number;
  mark: number;
}

/** What an append does to the entries: one more, or a mark for some. */
type Change = { readonly added: Entry } | { readonly marked: readonly string[]; mark: number };

/** Where entries could be kept. Reads and copies nothing but what the change needs. */
interface Structure<State> {
  readonly name: string;
  of(entries: readonly Entry[]): State;
  next(state: State, change: Change): State;
  /** Appends that are measured. */
  readonly count: number;
}

const flatMap: Structure<Map<string, Entry>> = {
  name: "immer, flat Map",
  of: (entries) => new Map(entries.map((entry) => [entry.id, entry])),
  next: produce((map: Map<string, Entry>, change: Change) => {
    if ("added" in change) map.set(change.added.id, change.added);
    else for (const id of change.marked) (map.get(id) as Entry).mark = change.mark;
  }),
  count: 100,
};

const chunkedArray: Structure<Entry[][]> = {
  name: "immer, chunked array",
  of: (entries) =>
    Array.from({ length: Math.ceil(entries.length / CHUNK) }, (_, i) =>
      entries.slice(i * CHUNK, (i + 1) * CHUNK),
    ),
  next: produce((chunks: Entry[][], change: Change) => {
    if ("added" in change) {
      const last = chunks.at(-1);
      if (last === undefined || last.length === CHUNK) chunks.push([change.added]);
      else last.push(change.added);
    } else {
      for (const id of change.marked) {
        const index = indexOf(id);
        (chunks[Math.floor(index / CHUNK)]?.[index % CHUNK] as Entry).mark = change.mark;
      }
    }
  }),
  count: 2_000,
};

/**
 * An append in a window: all that the live window does for it, against what one collection of spans
 * and marks alone costs under immer.
 */
export const stateStructures: Figure = {
  name: "state structure",
  async measure() {
    const results: Result[] = [];
    for (const live of SIZES) {
      const ours = median(await updateTimes(live));
      const compared = (name: string, times: readonly number[]): Result =>
        countResult({
          name: `state structure, ${live} live spans, against ${name}`,
          unit: "µs",
          value: ours,
          limit: median(times),
          note: `p50 of an append; ours folds, counts and publishes, theirs keeps spans and marks`,
        });
      results.push(compared(flatMap.name, timesOf(flatMap, live)));
      results.push(compared(chunkedArray.name, timesOf(chunkedArray, live)));
    }
    return results;
  },
};

/** Microseconds for each append that follows on so many live spans. */
function timesOf<State>({ of, next, count }: Structure<State>, live: number): number[] {
  const history = appends({ live });
  const entries: Entry[] = [];
  while (entries.length < live) {
    const change = changeOf(history.next().value ?? []);
    if (change !== undefined && "added" in change) entries.push(change.added);
  }
  let state = of(entries);
  const times: number[] = [];
  for (const append of history) {
    const change = changeOf(append);
    if (change === undefined) continue;
    const begun = performance.now();
    state = next(state, change);
    times.push((performance.now() - begun) * 1_000);
    if (times.length === count) break;
  }
  return times.slice(count / 4);
}

interface Data {
  readonly spanId: string;
  readonly tokens: number;
  readonly ordinal: number;
  readonly consumed: readonly { readonly spanId: string }[];
}

function changeOf([first]: readonly StoredEvent[]): Change | undefined {
  const data = first?.data as unknown as Data;
  if (first?.type === "SpanAdmitted") {
    return { added: { id: data.spanId, tokens: data.tokens, mark: 0 } };
  }
  if (first?.type !== "RecoveryRecorded") return undefined;
  return { marked: data.consumed.map(({ spanId }) => spanId), mark: data.ordinal };
}

/** Spans of these histories are numbered from s0. */
function indexOf(id: string): number {
  return Number(id.slice(1));
}
