import type { Story } from "./story.ts";

/** The program runs out of room; its summary forgets that the retry budget is contested. */
export function compaction({ session }: Story): void {
  session.compact(
    151_204,
    [
      "This session is being continued from a previous conversation that ran out of " +
        "context. The summary below covers the earlier portion of the conversation.",
      "",
      "1. **Request.** hopper (courier dispatch, TypeScript, /home/dev/hopper) failed 41 " +
        "parcels on 2031-03-11 between 06:02 and 06:12. The user wants the cause and a fix.",
      "2. **Cause.** The carrier gateway restarts on Tuesdays and answers 503 with an " +
        "HTML body. `HttpGateway.offer` parsed the body first and threw; " +
        "`Dispatcher.#retryLater` charged an attempt for every outage, and the retry " +
        "budget is 3. Separately, couriers with `position: null` threw a TypeError in " +
        "`rank` and ended the whole round.",
      "3. **Done.**",
      "   - `src/assign.ts`: couriers without a position are left out (`isLocated`).",
      "   - `src/gateway.ts`: status before body; 503 and 429 are `unavailable`, with " +
        "`Retry-After`.",
      "   - `src/dispatcher.ts`: `#wait` requeues after an outage without charging an attempt.",
      "   - `src/zone-budget.ts`: a token bucket for each zone. The user rejected a " +
        "global pool: a bad morning in the harbour must not eat the retries of the " +
        "airport. The budget per parcel stays on top of it.",
      "   - Sizing: retry_budget is 3, so each zone has 3 × 10 = 30 retries a minute.",
      "   - `src/queue.ts`, `src/couriers.ts` and `src/metrics.ts` have structured log fields.",
      "4. **Running things.** `npm test`, `npm run typecheck`, `npm run soak -- " +
        "--minutes 15`. The user stopped a soak run of 240 minutes: 15 minutes are enough " +
        "on this machine.",
      "5. **Open.** Log fields for the remaining modules, the requeue endpoint that the " +
        "runbook describes and the code does not have, torn last lines in the journal, " +
        "tests for the zone budget, docs and changelog.",
      "",
      "Please continue the conversation from where we left it off without asking the " +
        "user any further questions.",
    ].join("\n"),
  );
}
