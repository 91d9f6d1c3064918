import { describe, expect, it } from "vitest";
import { checkBoundaries } from "../../scripts/boundaries.ts";
import { importsOf } from "../../scripts/imports.ts";

/** The rules that a file with this text breaks. */
function rulesBroken(path: string, ...lines: string[]): string[] {
  return checkBoundaries([{ path, text: lines.join("\n") }]).map((violation) => violation.rule);
}

const from = (specifier: string) => `import { x } from "${specifier}";`;

describe("importsOf", () => {
  it("finds static, type-only, re-exported, side-effect and dynamic imports with their lines", () => {
    const text = [
      'import a from "a";',
      "import type {",
      "  B,",
      '} from "b";',
      'export * from "c";',
      'import "d";',
      'const e = await import("e");',
      'type F = typeof import("f");',
      "export const from = 1;",
      ' * as in `import x from "not-this"`',
    ].join("\n");
    expect(importsOf(text)).toEqual([
      { specifier: "a", line: 1 },
      { specifier: "b", line: 2 },
      { specifier: "c", line: 5 },
      { specifier: "d", line: 6 },
      { specifier: "e", line: 7 },
      { specifier: "f", line: 8 },
    ]);
  });
});

describe("package-dependency", () => {
  it.each([
    ["packages/core/src/a.ts", "@palimpsest/projections"],
    ["packages/core/src/a.ts", "@palimpsest/core/events"],
    ["packages/projections/src/a.ts", "@palimpsest/verifier"],
    ["packages/verifier/src/a.ts", "@palimpsest/core"],
    ["packages/verifier/src/a.ts", "@palimpsest/projections"],
    ["packages/projections/src/a.ts", "@palimpsest/cli"],
    ["packages/core/src/a.ts", "@palimpsest/eventstoredb"],
    ["packages/verifier/src/a.ts", "@palimpsest/eventstoredb"],
    ["packages/eventstoredb/src/a.ts", "@palimpsest/core"],
    ["packages/eventstoredb/src/a.ts", "@palimpsest/core/sqlite"],
    ["packages/import/src/a.ts", "@palimpsest/cli/terminal"],
    ["packages/import/src/a.ts", "@palimpsest/projections"],
  ])("%s must not import %s", (path, specifier) => {
    expect(rulesBroken(path, from(specifier))).toEqual(["package-dependency"]);
  });

  it.each([
    ["packages/projections/src/a.ts", "@palimpsest/core"],
    ["packages/verifier/src/a.ts", "@palimpsest/core/events"],
    ["packages/eventstoredb/src/a.ts", "@palimpsest/core/log"],
    ["packages/eventstoredb/src/a.ts", "@palimpsest/core/events"],
    ["packages/cli/src/a.ts", "@palimpsest/core/sqlite"],
    ["packages/cli/src/a.ts", "@palimpsest/eventstoredb"],
    ["packages/cli/src/a.ts", "@palimpsest/verifier"],
    ["packages/cli/src/a.ts", "@palimpsest/import"],
    ["packages/import/src/a.ts", "@palimpsest/core"],
    ["packages/verifier/src/a.unit.test.ts", "@palimpsest/core/testing"],
  ])("%s may import %s", (path, specifier) => {
    expect(rulesBroken(path, from(specifier))).toEqual([]);
  });
});

describe("reaches-into-package", () => {
  it.each([
    ["packages/cli/src/a.ts", "../../core/src/index.ts"],
    ["packages/core/src/a/b.unit.test.ts", "../../../../test/support.ts"],
    ["test/a.e2e.test.ts", "../packages/core/src/state/marks.ts"],
    ["test/a.e2e.test.ts", "@palimpsest/core/src/state/marks.ts"],
    ["bench/main.ts", "@palimpsest/core/dist/index.js"],
    ["scripts/demo.ts", "../packages/cli/dist/main.js"],
  ])("%s must not import %s", (path, specifier) => {
    expect(rulesBroken(path, from(specifier))).toEqual(["reaches-into-package"]);
  });

  it("leaves relative imports inside one package, and outside all of them, alone", () => {
    expect(rulesBroken("packages/core/src/log/a.ts", from("../json/json.ts"))).toEqual([]);
    expect(rulesBroken("test/story/a.e2e.test.ts", from("../support.ts"))).toEqual([]);
  });
});

describe("testing-entry", () => {
  it("keeps testing/ out of everything that ships for production", () => {
    expect(
      rulesBroken("packages/core/src/index.ts", 'export * from "./testing/index.ts";'),
    ).toEqual(["testing-entry"]);
    expect(rulesBroken("packages/cli/src/main.ts", from("@palimpsest/core/testing"))).toEqual([
      "testing-entry",
    ]);
  });

  it("lets tests and testing/ itself use it", () => {
    const specifier = "../testing/conformance.ts";
    expect(rulesBroken("packages/core/src/log/a.conformance.test.ts", from(specifier))).toEqual([]);
    expect(rulesBroken("packages/core/src/testing/index.ts", from("./faults.ts"))).toEqual([]);
  });
});

describe("sqlite-entry", () => {
  it("lets the native module load under core/src/sqlite only", () => {
    expect(rulesBroken("packages/core/src/log/a.ts", from("better-sqlite3"))).toEqual([
      "sqlite-entry",
    ]);
    expect(rulesBroken("packages/cli/src/main.ts", from("better-sqlite3"))).toEqual([
      "sqlite-entry",
    ]);
    expect(rulesBroken("packages/core/src/sqlite/file.ts", from("better-sqlite3"))).toEqual([]);
    expect(rulesBroken("bench/raw.ts", from("better-sqlite3"))).toEqual([]);
  });

  it("keeps the other entries of core from drawing it in", () => {
    expect(rulesBroken("packages/core/src/index.ts", from("./sqlite/index.ts"))).toEqual([
      "sqlite-entry",
    ]);
    expect(rulesBroken("packages/core/src/testing/a.ts", from("../sqlite/index.ts"))).toEqual([
      "sqlite-entry",
    ]);
    expect(
      rulesBroken("packages/core/src/testing/a.unit.test.ts", from("../sqlite/index.ts")),
    ).toEqual([]);
  });
});

describe("eventstoredb-client", () => {
  it("lets the client load in the package eventstoredb only", () => {
    const client = from("@eventstore/db-client");
    const generated = from("@eventstore/db-client/generated/streams_pb.js");
    for (const path of ["packages/core/src/log/a.ts", "packages/cli/src/main.ts"]) {
      expect(rulesBroken(path, client)).toEqual(["eventstoredb-client"]);
      expect(rulesBroken(path, generated)).toEqual(["eventstoredb-client"]);
    }
    expect(rulesBroken("packages/eventstoredb/src/a.ts", generated)).toEqual([]);
    expect(rulesBroken("test/support/eventstoredb/server.ts", generated)).toEqual([]);
  });
});

describe("sources-entry", () => {
  it("keeps what looks outside out of everything that decides and replays", () => {
    for (const path of ["packages/core/src/index.ts", "packages/core/src/state/a.ts"]) {
      const up = path.includes("/state/") ? "../" : "./";
      expect(rulesBroken(path, from(`${up}sources/index.ts`))).toEqual(["sources-entry"]);
    }
    expect(rulesBroken("packages/core/src/sources/a.ts", from("./file.ts"))).toEqual([]);
  });
});

describe("node-import", () => {
  it("keeps Node's modules out of core, except where they belong", () => {
    expect(rulesBroken("packages/core/src/state/a.ts", from("node:fs"))).toEqual(["node-import"]);
    expect(rulesBroken("packages/core/src/platform/portable.ts", from("node:fs"))).toEqual([
      "node-import",
    ]);
    expect(rulesBroken("packages/core/src/platform/node.ts", from("node:crypto"))).toEqual([]);
    expect(rulesBroken("packages/core/src/sqlite/watch.ts", from("node:fs"))).toEqual([]);
    expect(rulesBroken("packages/core/src/sources/file.ts", from("node:fs"))).toEqual([]);
    expect(rulesBroken("packages/core/src/testing/kill.ts", from("node:fs"))).toEqual([]);
    expect(rulesBroken("packages/core/src/log/a.unit.test.ts", from("node:fs"))).toEqual([]);
    expect(rulesBroken("packages/cli/src/main.ts", from("node:fs"))).toEqual([]);
  });
});

describe("events-entry", () => {
  it("keeps the fold out of the entry that the verifier reads", () => {
    expect(rulesBroken("packages/core/src/events/a.ts", from("../state/evolve.ts"))).toEqual([
      "events-entry",
      "layer",
    ]);
    expect(rulesBroken("packages/core/src/events/a.ts", from("../json/json.ts"))).toEqual([]);
  });
});

describe("clock-in-test", () => {
  // Written in parts, so that this file keeps to the rule.
  const clocks = [
    `performance${".now()"}`,
    `process.cpu${"Usage()"}`,
    `process.hr${"time.bigint()"}`,
  ];

  it.each(clocks)("refuses %s in a test", (clock) => {
    const line = `const start = ${clock};`;
    expect(rulesBroken("packages/core/src/a.unit.test.ts", line)).toEqual(["clock-in-test"]);
    expect(rulesBroken("test/a.e2e.test.ts", "", line)).toEqual(["clock-in-test"]);
  });

  it.each(clocks)("lets the figures and what is no test use %s", (clock) => {
    const line = `const start = ${clock};`;
    expect(rulesBroken("bench/a.unit.test.ts", line)).toEqual([]);
    expect(rulesBroken("packages/core/src/a.ts", line)).toEqual([]);
  });

  it("says in which line", () => {
    const text = `const a = 1;\nconst b = ${clocks[0]};`;
    expect(checkBoundaries([{ path: "test/a.e2e.test.ts", text }])).toMatchObject([{ line: 2 }]);
  });
});

describe("comment-width", () => {
  it("holds comments to 100 columns, long addresses excepted", () => {
    expect(rulesBroken("test/a.ts", `// ${"x".repeat(98)}`)).toEqual(["comment-width"]);
    expect(rulesBroken("test/a.ts", `// ${"x".repeat(97)}`)).toEqual([]);
    expect(rulesBroken("test/a.ts", `// https://example.org/${"x".repeat(98)}`)).toEqual([]);
  });
});
