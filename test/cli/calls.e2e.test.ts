import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { folderForEachTest } from "../support/cli/each-test.ts";
import { answers, palimpsest } from "../support/cli/palimpsest.ts";

const folder = folderForEachTest();
const { call, run } = folder;

const admit = (spanId: string, content = `text of ${spanId}`) => ({
  command: "admitSpan",
  spanId,
  origin: "user",
  content,
});
const rewrite = (editId: string, from: string, to: string) => ({
  command: "rewrite",
  editId,
  consumes: [from],
  content: `text of ${to}`,
  spanId: to,
});
/** Revisions: a 1, b 2, e1 3–4, e2 5–6. */
const chain = [
  { command: "openWindow" },
  admit("a"),
  admit("b"),
  rewrite("e1", "a", "a2"),
  rewrite("e2", "a2", "a3"),
];

async function live(...args: string[]): Promise<string[]> {
  const { stdout } = await call("show", "--json", ...args);
  return JSON.parse(stdout).spans.map((span: { spanId: string }) => span.spanId);
}

describe("palimpsest undo, redo and rewind", () => {
  it("refuse a stale undo with exit 1 and the blocker named, and change nothing", async () => {
    await run(...chain);
    const result = await call("undo", "e1");
    expect(result.code).toBe(1);
    expect(result.stderr).toContain("stale-edit");
    expect(result.stderr).toContain("e2");
    expect(await live()).toEqual(["a3", "b"]);
  });

  it("show the plan of a cascade without doing it, then do it", async () => {
    await run(...chain);
    const plan = await call("undo", "e1", "--cascade", "--plan", "--json");
    expect(JSON.parse(plan.stdout)).toEqual({
      order: ["e2", "e1"],
      leave: ["a3"],
      return: ["a"],
      tokens: { before: 6, after: 6 },
      collateral: [],
    });
    expect(await live()).toEqual(["a3", "b"]);
    expect((await call("undo", "e1", "--cascade")).code).toBe(0);
    expect(await live()).toEqual(["a", "b"]);
  });

  it("go back and forth in time", async () => {
    await run(...chain);
    expect((await call("rewind", "2")).code).toBe(0);
    expect(await live()).toEqual(["a", "b"]);
    expect(await live("--at", "6")).toEqual(["a3", "b"]);
    expect((await call("undo", "e3")).code).toBe(0);
    expect(await live()).toEqual(["a3", "b"]);
    expect((await call("redo", "e3")).code).toBe(0);
    expect(await live()).toEqual(["a", "b"]);
  });

  it("answer as JSON with --json, refusals included", async () => {
    await run(...chain);
    const refused = await call("undo", "nothing", "--json");
    expect(refused.code).toBe(1);
    expect(JSON.parse(refused.stdout).refusals[0].code).toBe("unknown-edit");
    const rewound = await call("rewind", "-1", "--json");
    expect(JSON.parse(rewound.stdout).refusals[0].code).toBe("out-of-range");
    const done = await call("undo", "e2", "--json");
    expect(JSON.parse(done.stdout)).toMatchObject({ outcome: "accepted", returned: ["a2"] });
  });

  it("say that there is nothing to do, with exit 0", async () => {
    await run(...chain);
    expect(await call("rewind", "6")).toEqual({ code: 0, stdout: "nothing to do\n", stderr: "" });
  });
});

describe("palimpsest status", () => {
  it("takes the edit as an argument, and as an option", async () => {
    await run(...chain);
    const [one, other] = [await call("status", "e2"), await call("status", "--edit", "e2")];
    expect(one).toEqual(other);
    expect(one.stdout).toMatch(/^2 {2}e2 /m);
    expect(one.stdout).not.toContain("e1");
    expect((await call("status", "nothing")).stderr).toContain("refused (unknown-edit)");
  });
});

it("palimpsest --version prints the version", async () => {
  const { version } = createRequire(import.meta.url)("../../packages/cli/package.json");
  expect(await call("--version")).toEqual({ code: 0, stdout: `${version}\n`, stderr: "" });
});

describe("wrong use", () => {
  it.each([
    ["no call", []],
    ["an unknown call", ["frobnicate"]],
    ["an unknown option", ["show", "--frobnicate"]],
    ["a missing argument", ["undo"]],
    ["a revision that is not a number", ["rewind", "soon"]],
    ["a revision that is not in digits", ["show", "--at", "1e3"]],
    ["a store of an unknown kind", ["show", "--store", "ftp://somewhere"]],
    ["a store that is not there", ["show", "--store", "missing.db"]],
    ["a principal without a known party", ["run", "--as", "god/almighty"]],
    ["a window id with a space", ["run", "--window", "a b"]],
    ["an edit named twice", ["status", "e1", "--edit", "e2"]],
    ["a budget below one token", ["import", "chat.json", "--budget", "-5"]],
    ["two strategies at once", ["undo", "e", "--cascade", "--merge"]],
    ["a recording that is not there", ["import", "missing.jsonl"]],
  ])("exits 2 with a message and no stack trace: %s", async (_, args) => {
    const result = await palimpsest(folder.path, args);
    expect(result.code).toBe(2);
    expect(result.stdout).toBe("");
    expect(result.stderr).not.toBe("");
    expect(result.stderr).not.toMatch(/^\s+at .+:\d+/m);
  });

  it("leaves a file that is not a store as it was", async () => {
    const file = join(folder.path, "notes.txt");
    writeFileSync(file, "my notes, not a store\n".repeat(100));
    const before = readFileSync(file);
    const result = await call("show", "--store", "notes.txt");
    expect(result.code).toBe(2);
    expect(readFileSync(file).equals(before)).toBe(true);
  });

  it("refuses to look at a window that is not open, with exit 1", async () => {
    await run(...chain);
    const result = await call("show", "--window", "other");
    expect(result).toMatchObject({ code: 1, stdout: "" });
    expect(result.stderr).toContain("window-not-open");
  });
});

describe("hostile text on the terminal", () => {
  const hostile = "\u001b[2J\u001b]0;owned\u0007\u202etxet\u0000\r\u009b31m";

  it("is shown as escapes by every call for a person", async () => {
    const made = await run(
      { command: "openWindow" },
      admit("s", hostile),
      { ...admit("t"), kind: "tool-call", call: "c", tool: { name: hostile } },
      { command: "evict", consumes: ["s"] },
      { command: "undo", editId: "e1" },
    );
    expect(answers(made).every(({ outcome }) => outcome === "accepted")).toBe(true);
    for (const args of [["show"], ["status"], ["history"], ["undo", "e1", "--plan"]]) {
      const { stdout, stderr } = await palimpsest(folder.path, args);
      // biome-ignore lint/suspicious/noControlCharactersInRegex: they must not be there.
      expect(stdout + stderr).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202e]/);
    }
  });

  it("comes back byte for byte with --json", async () => {
    await run({ command: "openWindow" }, admit("s", hostile));
    const { stdout } = await call("show", "--json");
    expect(JSON.parse(stdout).spans[0].content).toBe(hostile);
  });
});
