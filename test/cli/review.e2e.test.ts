import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { folderForEachTest } from "../support/cli/each-test.ts";
import { lines, palimpsest } from "../support/cli/palimpsest.ts";

const program = fileURLToPath(new URL("../../packages/cli/bin/palimpsest.mjs", import.meta.url));

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

/** `review` as on a terminal: it asks on stderr. The test writes the answers. */
function atTerminal(...args: string[]) {
  const terminal = "data:text/javascript,process.stdin.isTTY=true";
  const child = spawn(process.execPath, ["--import", terminal, program, "review", ...args], {
    cwd: folder.path,
  });
  const texts = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const) {
    child[name].setEncoding("utf8").on("data", (part: string) => {
      texts[name] += part;
    });
  }
  const ended = once(child, "close") as Promise<[number]>;
  return {
    texts,
    write: (line: string) => child.stdin.write(`${line}\n`),
    /** Until it has asked so many times; the diff was written before. */
    asked: (times: number) =>
      vi.waitFor(
        () => expect(texts.stderr.split("commit or refuse?")).toHaveLength(times + 1),
        20_000,
      ),
    /** What came of it. A pipe, unlike a terminal, keeps the process until it is closed. */
    ended: async () => {
      child.stdin.end();
      const [code] = await ended;
      return { code, ...texts };
    },
  };
}

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

  it("asks the person at a terminal, and does what they say", async () => {
    const reviewing = atTerminal("p", "--as", "human/reader");
    await reviewing.asked(1);
    reviewing.write("c");
    const { code, stdout, stderr } = await reviewing.ended();
    expect(stdout.match(/^tokens: \d+ → \d+$/gm)).toHaveLength(1);
    expect({ code, settled: stderr.includes("settled: committed") }).toEqual({
      code: 0,
      settled: true,
    });
    expect(await live()).toEqual(["rules"]);
  });

  it("settles nothing that the person did not see: shows it anew and asks again", async () => {
    const reviewing = atTerminal("p", "--as", "human/reader");
    await reviewing.asked(1);
    expect(reviewing.texts.stdout).not.toContain("::claim late");
    // Meanwhile another process makes words of the log evidence, and one side of a conflict.
    const late = { claimId: "late", statement: "keep the log", evidence: true };
    const told = await folder.run(
      { command: "assertClaim", ...late, carrier: "log", quote: "an old line" },
      { command: "noteConflict", a: "late", b: "budget" },
    );
    expect(told.code).toBe(0);
    reviewing.write("c");
    await reviewing.asked(2);
    expect(await settled()).toBeUndefined();
    expect(reviewing.texts.stderr).toContain("nothing is settled: the window went on meanwhile");
    const [, , second] = reviewing.texts.stdout.split("tokens: ");
    expect(second).toBeDefined();
    expect(reviewing.texts.stdout).toMatch(/^\+::claim late .* contested budget recall log$/m);
    reviewing.write("c");
    expect(await reviewing.ended()).toMatchObject({ code: 0 });
    expect(await settled()).toMatchObject({
      data: { proposalId: "p", outcome: "committed" },
      metadata: { by: "human/reader" },
    });
  });

  it("says so when somebody else settled it meanwhile", async () => {
    const reviewing = atTerminal("p", "--as", "human/reader");
    await reviewing.asked(1);
    await review("p", "--refuse", "--as", "human/other");
    reviewing.write("c");
    await reviewing.asked(2);
    expect(reviewing.texts.stdout).toContain("would be refused (stale-proposal)");
    reviewing.write("");
    expect((await reviewing.ended()).code).toBe(1);
    expect(await live()).toEqual(["log", "config", "rules"]);
  });

  it.each([
    ["another answer", "x"],
    ["the end of input", undefined],
  ])("settles nothing for %s", async (_, answer) => {
    const reviewing = atTerminal("p", "--as", "human/reader");
    await reviewing.asked(1);
    if (answer !== undefined) reviewing.write(answer);
    const { code, stderr } = await reviewing.ended();
    expect({ code, stderr: stderr.trimEnd() }).toEqual({
      code: 0,
      stderr: "commit or refuse? [c/r, anything else: neither]",
    });
    expect(await settled()).toBeUndefined();
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
