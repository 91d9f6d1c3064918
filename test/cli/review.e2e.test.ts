import { beforeEach, describe, expect, it } from "vitest";
import { folderForEachTest } from "../support/cli/each-test.ts";
import { lines, palimpsest } from "../support/cli/palimpsest.ts";

const folder = folderForEachTest();
beforeEach(async () => {
  const told = await palimpsest(folder.path, ["run", "--as", "host/h"], lines(...proposed));
  expect(told.stdout.trim().split("\n").map(outcome)).not.toContain("refused");
});

const outcome = (line: string): string => (JSON.parse(line) as { outcome: string }).outcome;
const review = (...args: string[]) => palimpsest(folder.path, ["review", ...args]);

const admit = (spanId: string, content: string, more: object = {}) => ({
  command: "admitSpan",
  spanId,
  origin: "tool",
  content,
  ...more,
});

/** An old log that may go, evidence that goes to the ledger, and a pinned span that stays. */
const proposed = [
  { command: "openWindow" },
  admit("log", `\u001b[31m${"an old line of a log\n".repeat(60)}`),
  admit("config", `retry_budget = 3\n${"and much else\n".repeat(60)}`),
  admit("rules", "never delete", { origin: "user", pinned: true }),
  {
    command: "assertClaim",
    claimId: "budget",
    statement: "the retry budget is 3",
    key: "retry_budget",
    value: 3,
    evidence: true,
    carrier: "config",
    quote: "retry_budget = 3",
  },
  { command: "proposePruning", proposalId: "p", candidates: ["log", "config", "rules"] },
];

interface Event {
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
  readonly metadata: { readonly by: string };
}

async function settled(): Promise<Event | undefined> {
  const { stdout } = await palimpsest(folder.path, ["history", "--json"]);
  return (JSON.parse(stdout) as Event[]).find(({ type }) => type === "PruningSettled");
}

async function live(): Promise<string[]> {
  const { stdout } = await palimpsest(folder.path, ["show", "--json"]);
  return (JSON.parse(stdout) as { spans: { spanId: string }[] }).spans.map(({ spanId }) => spanId);
}

describe("palimpsest review", () => {
  it("shows what goes, what stays and why, tokens and ledger, and settles nothing", async () => {
    const { code, stdout } = await review("p");
    expect(code).toBe(0);
    expect(stdout).toContain("-::span log tool text");
    expect(stdout).toContain("+::gap spans 2 edits 1");
    expect(stdout).toMatch(/^\+::claim budget fact verified .* recall config$/m);
    expect(stdout).toContain("stays, and why:\n  rules: pinned");
    expect(stdout).toMatch(/^tokens: \d+ → \d+$/m);
    expect(stdout).not.toContain("\u001b");
    expect(await settled()).toBeUndefined();
    expect(await live()).toEqual(["log", "config", "rules"]);
  });

  it("gives the same as one JSON document", async () => {
    const { stdout } = await review("p", "--json");
    const { before, after, settlement, refusals } = JSON.parse(stdout);
    expect(after.tokens).toBeLessThan(before.tokens);
    expect(settlement.retained).toEqual([{ spanId: "rules", why: "pinned" }]);
    expect(refusals).toEqual([]);
  });

  it("commits in the name of the person who looked", async () => {
    expect((await review("p", "--commit", "--as", "human/reader")).code).toBe(0);
    expect(await settled()).toMatchObject({
      data: { proposalId: "p", outcome: "committed" },
      metadata: { by: "human/reader" },
    });
    expect(await live()).toEqual(["rules"]);
  });

  it("refuses in that name, with the reason, and nothing goes", async () => {
    const refused = await review("p", "--refuse", "--reason", "not yet", "--as", "human/reader");
    expect(refused.code).toBe(0);
    expect(await settled()).toMatchObject({
      data: { proposalId: "p", outcome: "refused" },
      metadata: { by: "human/reader" },
    });
    expect(await live()).toEqual(["log", "config", "rules"]);
  });

  it("does not commit for whoever proposed it", async () => {
    const own = await review("p", "--commit", "--as", "host/h");
    expect(own.code).toBe(1);
    expect(own.stderr).toContain("self-commit");
    expect(await settled()).toBeUndefined();
  });

  it("leaves evidence alone when it is told to, and says so before", async () => {
    const { code, stdout } = await review("p", "--on-evidence", "refuse");
    expect(code).toBe(1);
    expect(stdout).toContain("provenance-orphan");
  });

  it("is told of a proposal that there is not, and of two decisions at once", async () => {
    expect((await review("q")).code).toBe(1);
    expect((await review("p", "--commit", "--refuse")).code).toBe(2);
  });
});
