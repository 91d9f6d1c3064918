import { describe, expect, it } from "vitest";
import { deterministicExtractor, extractClaims } from "./extract.ts";
import type { ExtractSpan } from "./extraction.ts";

function span(text: string, more: Partial<ExtractSpan> = {}): ExtractSpan {
  return { id: "s1", origin: "tool", kind: "tool-result", tool: "bash", text, ...more };
}

const file = (source: string, text: string) => span(text, { source });

/** The claims of a span as `key = value`, or the statement of one without a key. */
function said(one: ExtractSpan): string[] {
  return extractClaims(one).claims.map(({ key, value, statement }) =>
    key === undefined ? statement : `${key} = ${JSON.stringify(value)}`,
  );
}

describe("settings", () => {
  it("proposes keys and values of TOML, with the file as scope and the line as quote", () => {
    const text = "# Read once.\n[retry]\nretry_budget = 3\njitter = 0.2 # of the delay\n";
    expect(extractClaims(file("config/app.toml", text))).toEqual({
      claims: [
        {
          statement: "retry_budget = 3",
          scope: "config/app.toml",
          key: "retry_budget",
          value: 3,
          quote: "retry_budget = 3",
        },
        {
          statement: "retry.jitter = 0.2",
          scope: "config/app.toml",
          key: "jitter",
          value: 0.2,
          quote: "jitter = 0.2 # of the delay",
        },
      ],
      conflicts: [],
      leftOut: { claims: 0, conflicts: 0 },
    });
  });

  it.each<[string, string, string, string[]]>([
    ["YAML", "a.yaml", "retry:\n  budget: 3\n  mode: fast\n", ["budget = 3", 'mode = "fast"']],
    ["JSON", "a.json", '{\n  "budget": 3,\n  "on": true\n}', ["budget = 3", "on = true"]],
    ["INI", "a.ini", "[a]\nbudget=3\nhost = example\n", ["budget = 3", 'host = "example"']],
    ["env", ".env", "export FOO=bar\nPORT=8080\n", ['FOO = "bar"', "PORT = 8080"]],
    ["quotes", "a.toml", "a = \"x y\"\nb = 'z'\n", ['a = "x y"', 'b = "z"']],
    ["numbered", "a.toml", "     1→a_key = 1\n     2→b_key = 2\n", ["a_key = 1", "b_key = 2"]],
    ["literal numbers", "a.toml", "a = 8_000\nb = 0.50\n", ['a = "8_000"', 'b = "0.50"']],
    ["in full where a key repeats", "a.toml", "[a]\nx = 1\n[b]\nx = 2\n", ["a.x = 1", "b.x = 2"]],
    ["a key said twice alike", "a.toml", "[a]\nx = 1\n[b]\nx = 1\n", ["x = 1"]],
  ])("reads %s", (_, source, text, expected) => {
    expect(said(file(source, text))).toEqual(expected);
  });

  it.each([
    ["lists", "a.yaml", "jobs:\n  - name: a\n    id: 1\n  - name: b\n    id: 2\n"],
    ["arrays of JSON", "a.json", '{\n  "a": [\n    { "id": 1 },\n    { "id": 2 }\n  ]\n}'],
    ["tables in arrays", "a.toml", "[[job]]\nname = 1\n[[job]]\nname = 2\n"],
    ["settings turned off", "a.toml", "# retry_budget = 7\n"],
    ["empty and structured values", "a.toml", 'a = ""\nb = [1, 2]\nc = { d = 1 }\n'],
    ["a key that is twice in one place", "a.toml", "[a]\nx = 1\nx = 2\n"],
    ["lock files", "package-lock.json", '{\n  "version": "1.0.0"\n}'],
    ["lines beyond the longest quote", "a.toml", `a = "${"x".repeat(400)}"\n`],
  ])("takes nothing from %s", (_, source, text) => {
    expect(said(file(source, text))).toEqual([]);
  });

  it("without a source gives each span a scope of its own", () => {
    const text = "[retry]\nretry_budget = 3\n";
    const scopes = ["s1", "s2"].map((id) => extractClaims(span(text, { id })).claims[0]?.scope);
    expect(scopes).toEqual(["bash:s1", "bash:s2"]);
  });
});

describe("hedges", () => {
  const source = "a.toml";
  const two = ["retry_budget = 3", "retry_budget = 7"];

  it.each([
    ["in the line", "retry_budget = 3  # raised to 7 pending rollout, see ticket"],
    ["above", "# raised to 7 pending rollout, see ticket\nretry_budget = 3"],
    ["three lines above", "# raised to 7\n# pending rollout\n# see ticket\nretry_budget = 3"],
    ["below", "retry_budget = 3\n# raised to 7 pending rollout\n"],
    ["that was, and is now", "retry_budget = 3 # is now 7 (was wrong)"],
    ["in a word for use", "retry_budget = 3 # deprecated, use 7"],
  ])("%s: a second value of the same key", (_, text) => {
    const found = extractClaims(file(source, text));
    expect(said(file(source, text))).toEqual(two);
    expect(new Set(found.claims.map(({ scope }) => scope))).toEqual(new Set([source]));
  });

  it.each([
    "deprecated",
    "do not use",
    "TODO ask ops",
    "superseded",
    "see ticket",
    "was wrong",
    "no longer used",
    "temporary, until further notice",
    "not yet rolled out",
  ])("%s, without a value: an unkeyed claim, in conflict with the line", (hedge) => {
    const { claims, conflicts } = extractClaims(file(source, `retry_budget = 3 # ${hedge}\n`));
    expect(claims.map(({ statement }) => statement)).toEqual([
      `retry_budget = 3 (${hedge})`,
      `retry_budget: ${hedge}`,
    ]);
    expect(conflicts).toEqual([{ a: 0, b: 1, note: "qualified by a remark beside it" }]);
  });

  it("a setting turned off counts when a hedge stands beside it, and says so", () => {
    const text = "[retry]\n# raised to 7 pending rollout, see ticket\n# retry_budget = 7\n";
    expect(extractClaims(file("deploy/overrides.toml", text)).claims).toEqual([
      {
        statement: "not in force: retry_budget = 7 (raised to 7 pending rollout, see ticket)",
        scope: "deploy/overrides.toml",
        key: "retry_budget",
        value: 7,
        quote: "# retry_budget = 7",
      },
    ]);
  });

  it("in code count beside constants, but not TODOs, and not names that say nothing", () => {
    const code = (text: string) => said(file("src/a.ts", text));
    expect(code("const retryBudget = 3; // raised to 7, see ticket")).toEqual([
      "retryBudget = 3",
      "retryBudget = 7",
    ]);
    expect(code("const retryBudget = 3; // TODO: make it configurable")).toEqual([]);
    expect(code("// pending\nconst x = 3;")).toEqual([]);
    expect(code("// deprecated: use other()\nconst retryBudget = compute();")).toEqual([]);
  });
});

describe("code, records and logs", () => {
  it.each([
    ["code", "src/a.ts", "const x = 1;\nlet fooBar = 2;\nreturn { retryBudget: 3, a: b };\n"],
    ["Python", "a.py", "self.retry_budget = 3\nfor key in x: y = 1\n"],
  ])("proposes nothing from %s", (_, source, text) => {
    expect(said(file(source, text))).toEqual([]);
  });

  it.each([
    ["records of an API", '{"reservation_id": "A1", "status": "open", "retry_budget": 3}'],
    ["a log", "12:00:01 INFO retry_budget=3 level=info\n12:00:02 INFO retry_budget=4 level=info"],
    ["a listing", "total 8\ndrwxr-xr-x 2 root 4096 Nov 29 a.ts\n-rw-r--r-- 1 root 12 b.ts"],
    ["a search", "src/a.ts:12: const retryBudget = 3\nsrc/b.ts:4: retryBudget: 4,"],
    ["a header", "HTTP/1.1 200 OK\ncontent-length: 42\nx-rate-limit: 12\n"],
    ["a diff", "@@ -1,2 +1,2 @@\n-retry_budget = 3\n+retry_budget = 7\n context\n"],
  ])("nothing from %s of a tool", (_, text) => {
    expect(said(span(text))).toEqual([]);
  });

  it("constants at the top of a named source file are settings", () => {
    expect(said(file("a.ts", "export const RETRY_BUDGET = 3;\n  const LOCAL_ONE = 1;\n"))).toEqual([
      "RETRY_BUDGET = 3",
    ]);
  });

  it("the word of a person and of a document counts, where it names something", () => {
    const user = (text: string) => said(span(text, { origin: "user", kind: "text" }));
    expect(user("From now on the retry budget is 7.")).toEqual(["retry_budget = 7"]);
    expect(user("please set `retries` to 7")).toEqual(["retries = 7"]);
    expect(user("retry_budget was raised from 3 to 7")).toEqual(two("retry_budget"));
    expect(user("retryBudget: 3 -> 7")).toEqual(two("retryBudget"));
    expect(user("The file is 200 lines long; note: it is 3 pages, and step 2 is next.")).toEqual(
      [],
    );
    expect(user("The current time is 2024-05-15 15:00:00.")).toEqual([]);
    expect(user("`retry_budget` is no longer correct")).toEqual([
      "`retry_budget` is no longer correct",
    ]);
    expect(said(file("docs/limits.md", "- The retry budget is 3 per parcel."))).toEqual([
      "retry_budget = 3",
    ]);
    expect(said(file("docs/limits.md", "```\nretry_budget = 3\n```"))).toEqual([]);
  });
});

const two = (key: string) => [`${key} = 7`, `${key} = 3`];

describe("results of tools", () => {
  it.each([
    ["vitest", " Tests  42 passed (42)", " Tests  1 failed | 41 passed (42)"],
    ["jest", "Tests:       42 passed, 42 total", "Tests:       1 failed, 41 passed, 42 total"],
    ["pytest", "==== 42 passed in 0.3s ====", "==== 1 failed, 41 passed in 0.3s ===="],
    ["cargo", "test result: ok. 42 passed; 0 failed;", "test result: FAILED. 41 passed; 1 failed;"],
    ["go", "ok  \tpkg/a\t0.3s", "FAIL\tpkg/a\t0.3s"],
    ["mocha", "  42 passing (1s)", "  41 passing (1s)\n  1 failing"],
    ["rspec", "42 examples, 0 failures", "42 examples, 1 failure"],
    ["unittest", "Ran 42 tests in 0.1s\n\nOK", "Ran 42 tests in 0.1s\n\nFAILED (failures=1)"],
    ["a sentence", "All 42 tests passed.", "3 tests failed."],
  ])("%s: passed and failed are two values of one key", (_, passed, failed) => {
    const [one] = extractClaims(span(passed)).claims;
    const [other] = extractClaims(span(failed)).claims;
    expect(one?.statement).toMatch(/^tests passed: /);
    expect(other?.statement).toMatch(/^tests failed: /);
    expect(other).toMatchObject({ scope: one?.scope, key: one?.key });
    expect(other?.value).not.toBe(one?.value);
    for (const claim of [one, other]) expect(claim?.quote).toContain(claim?.value);
  });

  it("another total is the same claim again: only passing and failing are two things", () => {
    const values = ["42 passed", "43 passed"].map((text) => extractClaims(span(text)).claims[0]);
    expect(values[0]?.value).toBe(values[1]?.value);
  });

  it("reads versions, but not lists of packages", () => {
    expect(said(span("Python 3.12.1\n"))).toEqual(['Python version = "3.12.1"']);
    expect(said(span("a 1.0.0\nb 1.0.0\nc 1.0.0\nd 1.0.0\n"))).toEqual([]);
  });

  it("sees that a file was edited, and what the result shows of its settings", () => {
    const edit = (text: string) => said(span(text, { tool: "edit_file" }));
    expect(edit("The file /repo/config/app.toml has been updated successfully.")).toEqual([
      "/repo/config/app.toml was edited",
    ]);
    expect(edit("The file a.toml has been updated.\n   2→retry_budget = 5\n")).toEqual([
      "retry_budget = 5",
    ]);
    expect(
      said(span("Success. Updated the following files:\nM src/a.ts", { tool: "apply_patch" })),
    ).toEqual(["src/a.ts was edited"]);
    const diff = "@@ -1,2 +1,2 @@\n-retry_budget = 3\n+retry_budget = 5\n";
    expect(said(span(diff, { tool: "apply_patch", source: "a.toml" }))).toEqual([
      "retry_budget = 5",
    ]);
    expect(said(span("wrote 3 lines", { tool: "write", source: "file:///a.toml" }))).toEqual([
      "file:///a.toml was edited",
    ]);
    expect(said(span("The file a.toml has been updated.", { tool: "read" }))).toEqual([]);
  });
});

describe("whose words are read", () => {
  const text = "retry_budget = 3\n";

  it.each([
    ["the model", { origin: "assistant" }],
    ["the host", { origin: "host" }],
    ["a call", { kind: "tool-call" }],
    ["reasoning", { kind: "reasoning" }],
  ] as const)("not those of %s", (_, more) => {
    expect(said(span(text, more))).toEqual([]);
  });

  it("the extractor has a name that tells its version", () => {
    expect(deterministicExtractor.name).toBe("patterns/2");
    expect(deterministicExtractor.extract(span(text))).toEqual(extractClaims(span(text)));
  });
});

describe("limits", () => {
  const many = Array.from({ length: 60 }, (_, i) => `key_${i} = ${i} # raised to ${i + 1}`);
  const text = many.join("\n");

  it("keeps 40 claims and 20 conflicts of a source, and counts the rest", () => {
    const { claims, leftOut } = extractClaims(file("a.toml", text));
    expect(claims).toHaveLength(40);
    const keys = new Set(claims.map(({ key }) => key));
    expect(claims.length - keys.size).toBe(20);
    expect(leftOut.claims).toBe(40);
  });

  it("counts noted conflicts and those of equal keys together", () => {
    const lines = many.map((line, i) => (i % 2 === 0 ? line : `other_${i} = 1 # deprecated`));
    const all = extractClaims(file("a.toml", lines.join("\n")), { claims: 1_000 });
    const equalKeys = all.claims.length - new Set(all.claims.map(({ key }) => key ?? "")).size;
    expect(all.conflicts.length).toBeGreaterThan(0);
    expect(all.conflicts.length).toBeLessThanOrEqual(20);
    expect(equalKeys).toBeGreaterThan(0);
    expect(all.leftOut.conflicts).toBeGreaterThan(0);
  });

  it("takes limits from the host", () => {
    expect(extractClaims(file("a.toml", text), { claims: 3 }).claims).toHaveLength(3);
    const limits = { claims: 100, conflicts: 0 };
    expect(extractClaims(file("a.toml", text), limits).leftOut.conflicts).toBe(60);
  });

  it("keeps few claims of a text that nobody can name", () => {
    expect(extractClaims(span(text)).claims.length).toBeLessThanOrEqual(12);
  });
});
