import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import type { SubscriptionMessage } from "@palimpsest/core";
import { liveWindow } from "@palimpsest/projections";
import type { Figure } from "./figure.ts";
import { countResult } from "./figure.ts";
import { followedLog, pageOf, pages, WINDOW } from "./projections-workload.ts";

const EVENTS = 1_000_000;
const LIVE = 2_000;
const LIMIT = 200 * 1024 * 1024;

/** What a live window holds after a very long history of which little is still live. */
export const projectionMemory: Figure = {
  name: "projection memory",
  async measure() {
    collectGarbage();
    const before = inUse();
    let last = 0;
    const log = followedLog(async function* (): AsyncGenerator<SubscriptionMessage> {
      for (const page of pages(EVENTS, { live: LIVE })) {
        last = page.at(-1)?.revision ?? last;
        // As it comes from a store: every event with strings of its own.
        yield pageOf(JSON.parse(JSON.stringify(page)));
      }
      yield { kind: "caught-up" };
    });
    const value = await new Promise<number>((resolve, reject) => {
      const subscription = liveWindow(log, WINDOW).subscribe({
        next: (window) => {
          if (window.revision !== last) return;
          setImmediate(() => {
            collectGarbage();
            const used = inUse() - before;
            if (window.state.liveCount > LIVE) reject(new Error("too many spans are live"));
            subscription.unsubscribe();
            resolve(used);
          });
        },
        error: reject,
      });
    });
    return countResult({
      name: projectionMemory.name,
      unit: "bytes",
      value,
      limit: LIMIT,
      target: 1,
      note: "held after 1,000,000 events of 1 KiB with 2,000 live spans, against 200 MB",
    });
  },
};

function collectGarbage(): void {
  setFlagsFromString("--expose-gc");
  runInNewContext("gc")();
}

/** The heap, and what typed arrays hold outside it. */
function inUse(): number {
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
