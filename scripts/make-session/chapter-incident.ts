import { serviceLog, testRun } from "./outputs.ts";
import type { Story } from "./story.ts";
import { bash } from "./workspace.ts";

/** The model learns the service and reads `retry_budget = 3` on the way. */
export function incident(story: Story): void {
  const { session, project } = story;
  session.meta(
    "<system-reminder>The project's documents are in docs/. Today's date is " +
      "2031-03-12.</system-reminder>",
  );
  session.prompt(
    "hopper lost 41 parcels yesterday morning: all of them ended in state failed within " +
      "about ten minutes, and the desk had to requeue them by hand. I want to know why, " +
      "and then I want it fixed. The log of that morning is in var/log. Please look around " +
      "first, this code is new to you.",
  );
  session.answer(
    "The user wants a root cause first. I should get an overview of the project, then " +
      "read the config, the retry policy and the dispatcher side by side.",
    "I'll get an overview of the service first, then the log.",
    [project.glob("src/**/*.ts", "src/"), project.glob("test/**/*.ts", "test/")],
  );
  session.answer(
    "Fourteen source files. The failing path must be dispatcher → retry. Config tells me " +
      "the limits.",
    "",
    [
      project.read("config/dispatch.toml"),
      project.read("src/config.ts"),
      project.read("src/retry.ts"),
      project.read("src/dispatcher.ts"),
    ],
  );
  firstSuspicion(story);
}

function firstSuspicion(story: Story): void {
  const { session, project, random } = story;
  session.answer(
    "retry_budget = 3 in config/dispatch.toml. RetryPolicy.mayRetry compares attempts " +
      "with the budget, and attempts is incremented before the check, so a parcel gets " +
      "three attempts in all. Every reason counts alike: declined, expired, unavailable, " +
      "and also 'no courier fits'. With a base delay of 250 ms, three attempts are over in " +
      "less than two seconds. A gateway that is away for fifteen minutes fails every " +
      "parcel it is offered. That fits the story, but I should see the log before I say so.",
    "The config sets `retry_budget = 3`, and `#retryLater` spends it on every kind of " +
      "failure. Three attempts with a base delay of 250 ms are over in under two seconds. " +
      "Let me check that against the log and the runbook.",
    [
      project.read("docs/runbook.md"),
      bash(
        "ls -la var/log",
        "List the logs",
        "total 9120\n-rw-r--r-- 1 dev dev 4471220 Mar 11 23:59 " +
          "dispatch-2031-03-11.log\n-rw-r--r-- 1 dev dev 4866102 Mar 10 23:59 " +
          "dispatch-2031-03-10.log",
      ),
      bash(
        "sed -n '/T06:0/p' var/log/dispatch-2031-03-11.log | head -160",
        "Show the log from 06:00",
        serviceLog(random, "2031-03-11", 160, outage),
      ),
    ],
  );
  session.answer(
    "The runbook says 5 attempts 'unless the config says otherwise', and the config says " +
      "3. So the runbook is not wrong, only misleading. The log shows 503 from 06:02 and " +
      "'failed' lines two seconds later. Also a 'tick failed' with a TypeError, a " +
      "different problem.",
    "Two things stand out:\n\n1. From 06:02 the gateway answers 503 and parcels fail " +
      "about two seconds later: the budget of 3 is spent long before the gateway is " +
      "back.\n2. There are `tick failed` lines with a TypeError. That is a second bug, and " +
      "it stops the whole round.\n\nThe runbook speaks of 5 attempts, the config of 3; the " +
      "config wins. I'll look at the TypeError next and run the tests to have a baseline.",
    [
      bash('grep -c \'"msg":"failed"\' var/log/dispatch-2031-03-11.log', "Count failures", "41"),
      bash("npm test", "Run the tests", testRun(story)),
      bash(
        "grep -A24 'tick failed' var/log/dispatch-2031-03-11.err | head -60",
        "Show the stack trace",
        stackTrace(),
      ),
    ],
  );
}

function outage(line: number): string | undefined {
  const at = `2031-03-11T06:02:${String(10 + (line % 45)).padStart(2, "0")}Z`;
  if (line % 9 === 4) {
    const answer = { status: 503, type: "text/html" };
    return JSON.stringify({ at, level: "warn", msg: "gateway", ...answer });
  }
  if (line % 23 === 11) {
    const parcel = { parcel: `p-${41_000 + line}`, reason: "unavailable", attempts: 3 };
    return JSON.stringify({ at, level: "error", msg: "failed", ...parcel });
  }
  if (line % 40 === 17) {
    const error = "TypeError: Cannot read properties of null (reading 'lat')";
    return JSON.stringify({ level: "error", msg: "tick failed", error });
  }
  return undefined;
}

/** The trace of the second bug: a courier whose position is not known. */
export function stackTrace(): string {
  const frames = [
    "distanceKm (file:///srv/hopper/src/geo.ts:15:28)",
    "fits (file:///srv/hopper/src/assign.ts:32:10)",
    "file:///srv/hopper/src/assign.ts:20:26",
    "Array.filter (<anonymous>)",
    "rank (file:///srv/hopper/src/assign.ts:20:6)",
    "Dispatcher.#offer (file:///srv/hopper/src/dispatcher.ts:66:20)",
    "Dispatcher.tick (file:///srv/hopper/src/dispatcher.ts:47:18)",
    "process.processTicksAndRejections (node:internal/process/task_queues:105:5)",
    "async Timeout._onTimeout (file:///srv/hopper/src/server.ts:35:3)",
  ];
  const error = "TypeError: Cannot read properties of null (reading 'lat')";
  const traced = [error, ...frames.map((frame) => `    at ${frame}`)].join("\n");
  const context = `courier c-017 position=null lastSeen=2031-03-11T06:04:51Z zone=harbour`;
  return [traced, context, "", traced, context.replace("c-017", "c-044")].join("\n");
}

/** The first fix: a courier without a position must not stop the round. */
export function lostPosition(story: Story): void {
  const { session, project } = story;
  session.answer(
    "heartbeat() accepts position null, so a courier in a tunnel reports null and the " +
      "non-null assertions in assign.ts blow up. One such courier stops the tick for " +
      "everybody.",
    "A courier whose phone has no fix sends `position: null`. `assign.ts` asserts it " +
      "away with `!`, and one such courier throws out of `rank` and ends the round for " +
      "everybody.",
    [
      project.read("src/assign.ts"),
      project.read("src/geo.ts"),
      project.read("src/couriers.ts"),
      project.grep("position"),
    ],
  );
  session.answer(
    "Simplest: a courier without a position cannot be ranked; leave them out in fits(). " +
      "The score needs the position too, so narrow the type once.",
    "I'll leave couriers without a position out of the ranking, and let the types carry " +
      "it so that nobody needs the `!` again.",
    [
      project.edit(
        "src/assign.ts",
        `  return couriers
    .filter((courier) => fits(parcel, courier, limits))
    .map((courier) => ({ courier, score: score(parcel, courier) }))`,
        `  return couriers
    .filter(isLocated)
    .filter((courier) => fits(parcel, courier, limits))
    .map((courier) => ({ courier, score: score(parcel, courier) }))`,
      ),
    ],
  );
  session.answer("", "", [
    project.edit(
      "src/assign.ts",
      `function fits(parcel: Parcel, courier: Courier, limits: AssignLimits): boolean {`,
      `type Located = Courier & { position: Point };

/** A courier in a tunnel has no position; nobody can say how far away they are. */
function isLocated(courier: Courier): courier is Located {
  return courier.position !== null;
}

function fits(parcel: Parcel, courier: Located, limits: AssignLimits): boolean {`,
    ),
    project.edit(
      "src/assign.ts",
      "  return distanceKm(courier.position!, parcel.pickup) <= limits.maxDetourKm;",
      "  return distanceKm(courier.position, parcel.pickup) <= limits.maxDetourKm;",
    ),
    project.edit(
      "src/assign.ts",
      `function score(parcel: Parcel, courier: Courier): number {
  const distance = distanceKm(courier.position!, parcel.pickup);`,
      `function score(parcel: Parcel, courier: Located): number {
  const distance = distanceKm(courier.position, parcel.pickup);`,
    ),
    project.edit(
      "src/assign.ts",
      `import type { Courier, Parcel } from "./types.ts";`,
      `import type { Courier, Parcel, Point } from "./types.ts";`,
    ),
  ]);
  session.answer("", "", [
    bash("npm run typecheck", "Check the types", "> hopper@1.14.2 typecheck\n> tsc --noEmit\n"),
    bash("npm test", "Run the tests", testRun(story)),
    project.read("src/assign.ts"),
  ]);
  session.answer(
    "Types and tests are fine. Report and propose the next step: the retry behaviour.",
    "The TypeError is fixed: couriers without a position are left out of the ranking. On " +
      "to the retries. A 503 of the gateway says nothing about the parcel, so it should " +
      "not cost the parcel an attempt. Shall I go that way?",
  );
}
