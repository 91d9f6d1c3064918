import type { WindowState } from "@palimpsest/core/state";
import { evolve, evolveAll, initialState } from "@palimpsest/core/state";
import { seededRandom } from "@palimpsest/core/testing";
import type { Figure } from "../figure.ts";
import { costResult } from "../figure.ts";
import type { Side } from "../measure.ts";
import { processorTime, runInTurn } from "../measure.ts";
import type { WrittenEvent } from "../workload.ts";
import { history } from "../workload.ts";

const LARGE = 100_000;
const SMALL = 1_000;
/** Steps from one state: few enough that a window of 1,000 spans stays about that large. */
const CHAIN = 200;
const CHAINS = 10;
const REPEATS = { warmUp: 5, pairs: 31 };

/** One more span in a large window and in a small one. */
export const liveEvent: Figure = {
  name: "live event",
  async measure() {
    const side = (spans: number) => {
      const events = [...history("w", spans + CHAIN)];
      const state = evolveAll(initialState("w"), events.slice(0, spans + 1));
      const later = events.slice(spans + 1);
      return inChains(() => later.reduce(evolve, state));
    };
    return costResult(await runInTurn(side(LARGE), side(SMALL), REPEATS), {
      name: liveEvent.name,
      unit: "µs",
      per: CHAIN * CHAINS,
      target: 2,
      note: "folding one more span at 100,000 live spans, against the same at 1,000",
    });
  },
};

/** One evict and its undo, two events each, at places all over the window. */
export const liveEdit: Figure = {
  name: "live edit",
  async measure() {
    const side = (spans: number) => {
      const state = evolveAll(initialState("w"), [...history("w", spans)]);
      const appends = edits(state, CHAIN);
      return inChains(() => appends.reduce(evolveAll, state));
    };
    return costResult(await runInTurn(side(LARGE), side(SMALL), REPEATS), {
      name: liveEdit.name,
      unit: "µs",
      per: CHAIN * CHAINS,
      target: 2,
      note: "folding an evict and its undo (4 events) at 100,000 live spans, against 1,000",
    });
  },
};

function inChains(chain: () => WindowState): Side {
  return () =>
    processorTime(() => {
      for (let i = 0; i < CHAINS; i += 1) chain();
    });
}

/** Appends of record and edit: span after span, in random order, is evicted and brought back. */
function edits(state: WindowState, count: number): WrittenEvent[][] {
  const random = seededRandom(7);
  const appends: WrittenEvent[][] = [];
  let revision = state.revision;
  let ordinal = state.edits.size;
  const append = (editId: string, consumed: readonly object[], edit: object): void => {
    ordinal += 1;
    const types = ["RecoveryRecorded", "WindowEdited"];
    const datas = [
      { editId, ordinal, consumed },
      { editId, ordinal, ...edit },
    ];
    const events = types.map((type, index) => ({
      type,
      revision: revision + 1 + index,
      data: datas[index],
      metadata: { by: "host/local", commandId: `c${ordinal}`, index, count: 2 },
    }));
    appends.push(events as unknown as WrittenEvent[]);
    revision += events.length;
  };
  for (let i = 0; i < count; i += 1) {
    const span = state.spans.get(random.below(state.spans.size));
    if (span === undefined) throw new RangeError("the window has no spans");
    const consumed = [{ spanId: span.id, revision: span.revision, digest: span.digest }];
    append(`e${i}`, consumed, { verb: "evict" });
    append(`u${i}`, [], { verb: "undo", target: `e${i}` });
  }
  return appends;
}
