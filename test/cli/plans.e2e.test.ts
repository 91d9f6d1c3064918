import { join } from "node:path";
import { openWindow } from "@palimpsest/core";
import { openSqliteLog } from "@palimpsest/core/sqlite";
import { describe, expect, it } from "vitest";
import { folderForEachTest } from "../support/cli/each-test.ts";
import { lines, palimpsest } from "../support/cli/palimpsest.ts";

const folder = folderForEachTest();
const { call, run } = folder;

const plan = async (...args: string[]) => (await call(...args, "--plan")).stdout;

const open = { command: "openWindow" };
const admit = (spanId: string, content = "one\ntwo\nthree\n") => ({
  command: "admitSpan",
  spanId,
  origin: "user",
  content,
});
const rewrite = (editId: string, from: string, to: string, content: string) => ({
  command: "rewrite",
  editId,
  consumes: [from],
  content,
  spanId: to,
});
const evict = (editId: string, ...consumes: string[]) => ({ command: "evict", editId, consumes });

describe("a plan for a person", () => {
  it("says whether an edit would be undone or redone, and what a rewind would be", async () => {
    await run(open, admit("a"), admit("b"), evict("e", "a"));
    expect(await plan("undo", "e")).toMatch(/^would undo e\nout of view: none\ninto view: {3}a\n/);
    expect(await plan("rewind", "2")).toMatch(/^would be edit e2, a rewind to revision 2\n/);
    await call("undo", "e");
    expect(await plan("redo", "e")).toMatch(/^would redo e\nout of view: a\n/);
    expect(await plan("undo", "e2")).toMatch(/^would redo e\n/);
    await call("redo", "e");
    expect(await plan("undo", "e3")).toMatch(/^would undo e\n/);
    expect(await plan("redo", "e2")).toMatch(/^would undo e\n/);
  });

  it("says so when no span moves, but something changes all the same", async () => {
    await run(open, admit("a"), admit("b"), evict("e", "b"));
    expect(await plan("rewind", "1")).toBe(
      [
        "would be edit e2, a rewind to revision 1",
        "out of view: none",
        "into view:   none",
        "no span comes or goes: gaps, or the states of edits, change",
        "tokens: 4 → 4",
        "",
      ].join("\n"),
    );
    expect((await call("rewind", "1")).stdout).toMatch(/^done as e2, revision 6\n/);
    expect(await plan("rewind", "6")).toBe("nothing would change\n");
    expect(await plan("rewind", "1")).toBe("nothing would change\n");
  });

  it("counts the spans that do not fit into a line, and so does the answer", async () => {
    const ids = Array.from({ length: 200 }, (_, i) => `span${i}`);
    await run(open, ...ids.map((id) => admit(id, id)), evict("e", ...ids));
    const cut = /^into view: {3}200 spans: span0 span1 .* span\d+ …$/m;
    expect(await plan("undo", "e")).toMatch(cut);
    expect((await call("undo", "e")).stdout).toMatch(cut);
  });
});

describe("an undo that later work is in the way of", () => {
  const built = [
    open,
    admit("a"),
    rewrite("e1", "a", "a2", "ONE\ntwo\nthree\n"),
    rewrite("e2", "a2", "a3", "ONE\ntwo\nTHREE\n"),
  ];

  it.each([[["--plan"]], [[]]])("names both ways out, and takes none: %j", async (more) => {
    await run(...built);
    const { code, stdout, stderr } = await call("undo", "e1", ...more);
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr.split("\n")).toEqual([
      "refused (stale-edit): edit e1 cannot be undone as it is: e2 came after it",
      "with --cascade: would undo, in this order: e2 e1",
      "out of view: a3",
      "into view:   a",
      expect.stringMatching(/^tokens: /),
      "with --merge: would be edit e3, a merge that takes back e1",
      "out of view: a3",
      expect.stringMatching(/^into view: {3}s\d+$/),
      expect.stringMatching(/^tokens: /),
      "",
    ]);
  });

  it("does not name a merge where there can be none", async () => {
    await run(...built, admit("b"), rewrite("e3", "b", "b2", "b"), evict("e4", "b2"));
    const { stderr } = await call("undo", "e3", "--plan");
    expect(stderr).toContain("with --cascade: would undo, in this order: e4 e3\n");
    expect(stderr).not.toContain("merge");
  });

  it("says that a merge would conflict", async () => {
    await run(open, admit("a", "1"), rewrite("e1", "a", "b", "2"), rewrite("e2", "b", "c", "3"));
    const { stderr } = await call("undo", "e1");
    expect(stderr).toMatch(/^with --merge: refused \(merge-conflict\): /m);
  });

  it("is refused as the library refuses it with --json", async () => {
    await run(...built);
    const { code, stdout } = await call("undo", "e1", "--plan", "--json");
    const [refusal] = JSON.parse(stdout).refusals;
    expect(code).toBe(1);
    expect(refusal).toMatchObject({ code: "stale-edit", blockers: ["e2"] });
    expect(refusal.plan.order).toEqual(["e2", "e1"]);
  });
});

describe("a window that is not open", () => {
  const calls = [
    ["show"],
    ["status"],
    ["undo", "e"],
    ["undo", "e", "--plan"],
    ["diff", "0", "1"],
    ["verify", "--no-state"],
  ];

  it.each(calls)("is answered with the names of those that are: %s", async (...args) => {
    const words = args.filter((word) => word !== undefined);
    for (const window of ["one", "two"]) {
      await palimpsest(folder.path, ["run", "--window", window], lines(open));
    }
    const { code, stdout, stderr } = await call(...words, "--window", "three");
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toBe(
      "refused (window-not-open): window three is not open; this store has one two: " +
        "name one with --window\n",
    );
    const { refusals } = JSON.parse((await call(...words, "--window", "x", "--json")).stdout);
    expect(refusals).toMatchObject([{ code: "window-not-open", windows: ["one", "two"] }]);
  });

  it("names some of many", async () => {
    await palimpsest(folder.path, ["run", "--window", "w0"], lines(open));
    const log = openSqliteLog(join(folder.path, ".palimpsest/store.db"));
    for (let i = 1; i < 30; i += 1) await openWindow(log, `w${i}`);
    await log.close();
    const { refusals } = JSON.parse((await call("show", "--json")).stdout);
    expect(refusals[0].windows).toHaveLength(20);
    expect(refusals[0].message).toContain("w19 and more: name one with --window");
    expect((await call("verify", "--no-state", "--window", "x")).stderr).toContain("has w0 w1 ");
  });

  it("is said to be the first when there is none", async () => {
    await palimpsest(folder.path, ["run"], "");
    expect((await call("show")).stderr).toContain("this store has no window yet: open one with");
  });
});
