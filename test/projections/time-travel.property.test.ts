import type { RecordedWindowEvent } from "@palimpsest/core";
import type { Blocks, Moment, Snapshot, SnapshotStore } from "@palimpsest/projections";
import {
  foldClaims,
  foldEditStatus,
  foldPolicyHistory,
  foldReads,
  foldTokenBudget,
  foldWindow,
  memorySnapshots,
  timeTravel,
} from "@palimpsest/projections";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { arbitraryOp, historyOf, WINDOW } from "../support/projections/histories.ts";

const numRuns = process.env.PALIMPSEST_LONG === undefined ? 30 : 60;

/** Everything that a moment shows, as JSON. */
async function shown(moment: Moment): Promise<unknown> {
  const { view } = await moment.window();
  const { edits, reads, claims, budget, policies } = moment;
  return json({ view, edits, reads, claims, budget, policies });
}

function folded(events: readonly RecordedWindowEvent[]): unknown {
  const guarantees = { appendOnly: "process", writersSeparated: "process" } as const;
  return json({
    view: foldWindow(events).view,
    edits: foldEditStatus(events, { guarantees }),
    reads: foldReads(events),
    claims: foldClaims(events),
    budget: foldTokenBudget(events),
    policies: foldPolicyHistory(events),
  });
}

function json(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}

/** A store that gives everything back with one character changed, where `damage` says so. */
function damaging(inner: SnapshotStore, damage: (text: string) => boolean): SnapshotStore {
  const maybe = (text: string): string =>
    damage(text) ? text.replace(/[0-9]/, (digit) => String((Number(digit) + 1) % 10)) : text;
  return {
    async latest(window, revision) {
      const found = await inner.latest(window, revision);
      return found && ({ ...found, manifest: maybe(found.manifest) } satisfies Snapshot);
    },
    async blocks(digests) {
      const found: Blocks = await inner.blocks(digests);
      return new Map([...found].map(([digest, text]) => [digest, maybe(text)]));
    },
    save: (snapshot, blocks) => inner.save(snapshot, blocks),
  };
}

const history = fc.array(arbitraryOp, { minLength: 15, maxLength: 60 });
const picks = fc.array(fc.nat(10_000), { minLength: 1, maxLength: 12 });

describe("for random histories and random revisions", () => {
  it("at(r) is the fold of the first r + 1 events, with snapshots or without", async () => {
    await fc.assert(
      fc.asyncProperty(
        history,
        picks,
        fc.constantFrom(0, 1, 7, 20),
        async (ops, revisions, every) => {
          const { log, window } = await historyOf(ops);
          const events = await window.history();
          const snapshots = memorySnapshots();
          const options = every === 0 ? {} : { snapshots, snapshotEvery: every };
          for (const travel of [
            timeTravel(log, WINDOW, options),
            timeTravel(log, WINDOW, options),
          ]) {
            for (const pick of revisions) {
              const moment = await travel.at(pick % events.length);
              expect(await shown(moment)).toEqual(
                folded(events.slice(0, (pick % events.length) + 1)),
              );
              expect(moment.notes).toEqual([]);
            }
          }
        },
      ),
      { numRuns },
    );
  });

  it("damaged snapshots are noted and change nothing", async () => {
    await fc.assert(
      fc.asyncProperty(history, picks, fc.nat(3), async (ops, revisions, kind) => {
        const { log, window } = await historyOf(ops);
        const events = await window.history();
        const snapshots = memorySnapshots();
        const options = { snapshots, snapshotEvery: 5 };
        await timeTravel(log, WINDOW, options).at(events.length - 1);
        let count = 0;
        const bad = damaging(snapshots, () => count++ % 4 === kind);
        const travel = timeTravel(log, WINDOW, { ...options, snapshots: bad });
        for (const pick of revisions) {
          const moment = await travel.at(pick % events.length);
          expect(await shown(moment)).toEqual(folded(events.slice(0, (pick % events.length) + 1)));
        }
      }),
      { numRuns },
    );
  });

  it("between(r1, r2) turns the live spans of one into those of the other, both ways", async () => {
    await fc.assert(
      fc.asyncProperty(history, fc.nat(10_000), fc.nat(10_000), async (ops, a, b) => {
        const { log, window } = await historyOf(ops);
        const length = (await window.history()).length;
        const { from, to, changes } = await timeTravel(log, WINDOW).between(a % length, b % length);
        const live = new Set((await from.window()).spans.map(({ spanId }) => spanId));
        for (const id of changes.left) expect(live.delete(id)).toBe(true);
        for (const id of [...changes.entered, ...changes.returned]) {
          expect(live.has(id)).toBe(false);
          live.add(id);
        }
        const expected = (await to.window()).spans.map(({ spanId }) => spanId);
        expect([...live].sort()).toEqual([...expected].sort());
        expect(changes.since).toBe(from.revision);
      }),
      { numRuns },
    );
  });
});
