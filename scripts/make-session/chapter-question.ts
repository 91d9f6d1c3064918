import { soakRun, testRun } from "./outputs.ts";
import type { Story } from "./story.ts";
import { bash } from "./workspace.ts";

/** The question of the story: the model answers from its summary, and the summary is wrong. */
export function question(story: Story): void {
  const { session, project, random } = story;
  session.prompt(
    "before I merge: which retry budget will a parcel have in production after the rollout?",
  );
  session.answer(
    "The summary says: retry_budget is 3. So three attempts per parcel.",
    "3: `retry_budget = 3` in `config/dispatch.toml`, and the zone buckets are sized on it.",
  );
  session.prompt("are you sure? I remember somebody from operations touching that");
  session.answer(
    "I should look again rather than answer from memory.",
    "I answered from memory. Let me read both files again.",
    [
      project.read("config/dispatch.toml", 10, 8),
      project.read("deploy/overrides.toml"),
      project.grep("retry_budget"),
    ],
  );
  session.answer(
    "'# raised to 7 pending rollout, see ticket' with '# retry_budget = 7' commented " +
      "out. I had seen this before the compaction and it did not survive. In force now: 3. " +
      "After the rollout: 7, if the operators uncomment it. The zone buckets then are 70 a " +
      "minute, which may be more than the carrier takes: 5 zones × 70 = 350 a minute, " +
      "about 6 a second, below 12. OK.",
    "You are right, and I was wrong to be sure. There are two statements:\n\n" +
      "- `config/dispatch.toml`: `retry_budget = 3`, in force today.\n" +
      '- `deploy/overrides.toml`: "raised to 7 pending rollout, see ticket", with the key still ' +
      "commented out.\n\nSo it is 3 until the rollout and 7 after it. I sized the zone " +
      "buckets on 3; with 7 they become 70 a minute for each zone, about 6 a second for " +
      "all five, which is below the carrier's 12.",
  );
  session.prompt(
    "then don't derive the zone limit from the parcel budget at all, give it a key of " +
      "its own. 30 a minute was fine in the soak test",
  );
  session.answer(
    "User's correction of my sizing decision: own key zone_retries_per_minute = 30.",
    "Agreed: two different things, two keys.",
    [
      project.edit(
        "config/dispatch.toml",
        "retry_budget = 3",
        "retry_budget = 3\n# Retries a minute for all parcels of one zone " +
          "together.\nzone_retries_per_minute = 30",
      ),
      project.edit(
        "src/config.ts",
        "  readonly budget: number;",
        "  readonly budget: number;\n  readonly zonePerMinute: number;",
      ),
      project.edit(
        "src/config.ts",
        `      budget: num(retry["retry_budget"], 5),`,
        `      budget: num(retry["retry_budget"], 5),
      zonePerMinute: num(retry["zone_retries_per_minute"], 30),`,
      ),
      project.edit(
        "src/server.ts",
        "new ZoneBudget(clock, config.retry.budget * 10, config.retry.budget * 10)",
        "new ZoneBudget(clock, config.retry.zonePerMinute, config.retry.zonePerMinute)",
      ),
      bash("npm test", "Run the tests", testRun(story)),
    ],
  );
  session.answer("", "", [
    bash("npm run soak -- --minutes 15", "Soak test", soakRun(random, 90, 0.02)),
    project.read("src/config.ts"),
    project.read("src/server.ts"),
  ]);
  closing(story);
}

function closing(story: Story): void {
  const { session, project } = story;
  session.answer(
    "Changelog and runbook: the budget paragraph said 5.",
    "Last: the runbook's paragraph on the budget, and the changelog.",
    [
      project.edit(
        "docs/runbook.md",
        `The budget is 5 attempts per
parcel unless the config says otherwise.`,
        `The budget is \`retry_budget\`
in \`config/dispatch.toml\` (3), unless \`deploy/overrides.toml\` says otherwise: the
start-up log names every key that the overrides replace.`,
      ),
      project.write(
        "CHANGELOG.md",
        `# Changelog

## 1.15.0

- An outage of the carrier gateway no longer costs a parcel an attempt.
- 503 and 429 are understood whatever the body is; \`Retry-After\` is honoured.
- Couriers without a position are left out of the ranking.
- Retries are limited for each zone (\`zone_retries_per_minute\`).
- \`POST /parcels/PARCEL/requeue\` exists.
- A torn last line of the journal no longer keeps the service down.
- Structured log lines everywhere; the overrides in force are logged at start.
`,
      ),
    ],
  );
  session.answer("", "", [
    bash("npm run typecheck", "Check the types", "> hopper@1.14.2 typecheck\n> tsc --noEmit\n"),
    bash("npm test", "Run the tests", testRun(story)),
    bash("git status --short", "What changed", changedFiles(project.paths(""))),
  ]);
  session.answer(
    "",
    "Done. The cause was the Tuesday restart of the gateway; an outage is free now, " +
      "retries are limited for each zone by a key of its own, and the two statements about " +
      "the retry budget are both in the runbook. One thing is left to you: the override of " +
      "7 is still commented out.",
  );
  session.prompt("thanks, merging");
  session.answer("", "Good. Watch `hopper_parcels_failed_total` on Tuesday at 06:00.");
}

function changedFiles(paths: readonly string[]): string {
  const untouched = [
    "package.json",
    "deploy/compose.yaml",
    "deploy/overrides.toml",
    "docs/zones.md",
  ];
  const isNew = (path: string) => /CHANGELOG|\/(log|rate-limit|zone-budget)\./.test(path);
  return paths
    .filter((path) => !untouched.includes(path))
    .map((path) => `${isNew(path) ? "??" : " M"} ${path}`)
    .join("\n");
}
