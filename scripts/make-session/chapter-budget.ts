import { soakRun, testRun } from "./outputs.ts";
import type { Story } from "./story.ts";
import { bash } from "./workspace.ts";

/** The operator's comment is read; a decision is made on the 3 all the same, and corrected. */
export function budget(story: Story): void {
  const { session, project } = story;
  session.prompt(
    "good. second half: in the harbour zone couriers decline a lot when the ferries come " +
      "in and parcels there run out of budget while the other zones are fine. can we limit " +
      "the retries in a smarter way? have a look at how it is deployed too",
  );
  session.answer(
    "Look at the deployment: compose and overrides. Then think about how budgets could " +
      "be shared.",
    "",
    [
      project.read("deploy/compose.yaml"),
      project.read("deploy/overrides.toml"),
      project.read("docs/zones.md"),
      project.read("src/server.ts"),
    ],
  );
  session.answer(
    "deploy/overrides.toml: '# raised to 7 pending rollout, see ticket' and the key " +
      "itself is commented out: '# retry_budget = 7'. So the operators want 7, but the " +
      "value in force is still 3 from config/dispatch.toml. That is a contradiction to " +
      "keep in mind: sizing on 3 may be wrong after the rollout. heartbeat_timeout_s is 60 " +
      "there, 45 in the config.",
    'Worth noting before I propose anything: `deploy/overrides.toml` has the comment "raised to ' +
      '7 pending rollout, see ticket" above a commented-out `retry_budget = 7`. In force is ' +
      "still the 3 of `config/dispatch.toml`.\n\nMy proposal: one **global** pool of retries " +
      "for the whole service, refilled over time, 3 per parcel on average. A burst in " +
      "one zone can then borrow from the quiet ones.",
  );
  session.prompt(
    "no, not global. a bad morning in the harbour must never eat the retries of the " +
      "airport, those parcels are under contract. per zone, please. and keep the " +
      "per-parcel budget as it is on top of it",
  );
  session.answer(
    "The user corrects me: per-zone budget, per-parcel budget stays. Token bucket per " +
      "zone. Size: from the budget of 3 per parcel and the parcels per minute of a zone. I " +
      "decide: capacity = retry_budget × 10 = 30 tokens, refill 30 per minute.",
    "Understood: one bucket **per zone**, the per-parcel budget stays. I size the bucket " +
      "from the budget of 3: 3 × 10 parcels = 30 retries a minute for each zone.",
    [project.read("src/retry.ts"), project.grep("retry", "src/"), project.grep("budget")],
  );
  session.answer("", "", [
    project.write("src/zone-budget.ts", zoneBudget()),
    project.edit(
      "src/types.ts",
      `export interface Clock {`,
      `/** Why a parcel was not tried again. */
export type Refusal = "budget spent" | "zone exhausted";

export interface Clock {`,
    ),
  ]);
  wireIn(story);
}

function zoneBudget(): string {
  return `import type { Clock, Zone } from "./types.ts";

interface Bucket {
  tokens: number;
  filledAt: number;
}

/** Retries that the parcels of one zone may spend together; no zone can spend those of another. */
export class ZoneBudget {
  readonly #clock: Clock;
  readonly #capacity: number;
  readonly #perMinute: number;
  readonly #buckets = new Map<Zone, Bucket>();

  constructor(clock: Clock, capacity: number, perMinute: number) {
    this.#clock = clock;
    this.#capacity = capacity;
    this.#perMinute = perMinute;
  }

  /** Takes one retry; false when the zone has none left for now. */
  take(zone: Zone): boolean {
    const bucket = this.#refilled(zone);
    if (bucket.tokens < 1) return false;
    bucket.tokens -= 1;
    return true;
  }

  left(zone: Zone): number {
    return Math.floor(this.#refilled(zone).tokens);
  }

  #refilled(zone: Zone): Bucket {
    const now = this.#clock.now();
    const bucket = this.#buckets.get(zone) ?? { tokens: this.#capacity, filledAt: now };
    const earned = ((now - bucket.filledAt) / 60_000) * this.#perMinute;
    bucket.tokens = Math.min(this.#capacity, bucket.tokens + earned);
    bucket.filledAt = now;
    this.#buckets.set(zone, bucket);
    return bucket;
  }
}
`;
}

function wireIn(story: Story): void {
  const { session, project, random } = story;
  session.answer(
    "In #retryLater: when the zone is exhausted, wait longer instead of failing: a " +
      "parcel must not fail because its neighbours were unlucky.",
    "A parcel whose zone is exhausted waits a minute; it does not fail because its " +
      "neighbours were unlucky.",
    [
      project.read("src/dispatcher.ts"),
      project.edit(
        "src/dispatcher.ts",
        `    parcel.state = "queued";
    this.#parts.queue.push(parcel, this.#parts.retry.delayMs(parcel.attempts));`,
        `    parcel.state = "queued";
    const delay = this.#parts.zones.take(parcel.zone)
      ? this.#parts.retry.delayMs(parcel.attempts)
      : ZONE_EXHAUSTED_MS;
    this.#parts.queue.push(parcel, delay);`,
      ),
      project.edit(
        "src/dispatcher.ts",
        `  readonly retry: RetryPolicy;
  readonly metrics: Metrics;`,
        `  readonly retry: RetryPolicy;
  readonly zones: ZoneBudget;
  readonly metrics: Metrics;`,
      ),
      project.edit(
        "src/dispatcher.ts",
        `import type { Clock, DispatchEvent, Offer, Parcel } from "./types.ts";`,
        `import type { Clock, DispatchEvent, Offer, Parcel } from "./types.ts";
import type { ZoneBudget } from "./zone-budget.ts";

/** Wait of a parcel whose zone has no retries left; the bucket is half full by then. */
const ZONE_EXHAUSTED_MS = 60_000;`,
      ),
    ],
  );
  session.answer("", "", [
    project.edit(
      "src/server.ts",
      `  retry: new RetryPolicy(config.retry),`,
      `  retry: new RetryPolicy(config.retry),
  zones: new ZoneBudget(clock, config.retry.budget * 10, config.retry.budget * 10),`,
    ),
    project.edit(
      "src/server.ts",
      `import { RetryPolicy } from "./retry.ts";`,
      `import { RetryPolicy } from "./retry.ts";
import { ZoneBudget } from "./zone-budget.ts";`,
    ),
    project.edit(
      "test/harness.ts",
      `    retry: new RetryPolicy(config.retry),`,
      `    retry: new RetryPolicy(config.retry),
    zones: new ZoneBudget(clock, 30, 30),`,
    ),
    project.edit(
      "test/harness.ts",
      `import { RetryPolicy } from "../src/retry.ts";`,
      `import { RetryPolicy } from "../src/retry.ts";
import { ZoneBudget } from "../src/zone-budget.ts";`,
    ),
    bash("npm test", "Run the tests", testRun(story)),
  ]);
  session.answer(
    "Run the soak test to see the effect of the outage and the buckets.",
    "Tests pass. I'll let the soak test run over a simulated morning with the outage in it.",
    [
      bash(
        "npm run soak -- --minutes 15",
        "Soak test, 15 simulated minutes",
        soakRun(random, 90, 0.08),
      ),
    ],
  );
  session.interrupted(
    "Few failures left. A longer run would show whether the buckets recover.",
    "A few parcels still fail, all of them declined three times. A longer run will show " +
      "whether the buckets recover between two ferries.",
    bash("npm run soak -- --minutes 240", "Soak test, four simulated hours", ""),
  );
  session.prompt(
    "stop, that one takes forever on this machine. 15 minutes are enough. go on with the rest",
  );
}
