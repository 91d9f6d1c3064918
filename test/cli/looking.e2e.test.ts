import { chmodSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { folderForEachTest } from "../support/cli/each-test.ts";
import { lines, palimpsest } from "../support/cli/palimpsest.ts";

const folder = folderForEachTest();

const call = (...args: string[]) => palimpsest(folder.path, [...args, "--store", "s.db"]);
const file = () => join(folder.path, "s.db");

const admit = (spanId: string) => ({
  command: "admitSpan",
  spanId,
  origin: "user",
  content: `text of ${spanId}`,
});
const commands = lines(
  { command: "openWindow" },
  admit("a"),
  admit("b"),
  { command: "evict", editId: "e", consumes: ["b"] },
  { command: "proposePruning", proposalId: "p", candidates: ["a"] },
);

const looks = [
  ["show"],
  ["show", "--at", "1"],
  ["status"],
  ["claims"],
  ["policies"],
  ["history"],
  ["diff", "1", "4"],
  ["undo", "e", "--plan"],
  ["review", "p", "--as", "human/reader"],
  ["verify", "--no-state"],
  ["auditor", "--once"],
];

describe("a store that may not be written", () => {
  beforeEach(async () => {
    await palimpsest(folder.path, ["run", "--store", "s.db"], commands);
    chmodSync(file(), 0o444);
  });

  it.each(looks)("is looked at: %s %s %s", async (...args: string[]) => {
    const before = readFileSync(file());
    const { code, stderr } = await call(...args.filter((one) => one !== undefined));
    expect({ code, stderr: stderr.replace(/^no --key.*\n/, "") }).toEqual({ code: 0, stderr: "" });
    expect(readFileSync(file()).equals(before)).toBe(true);
  });

  it("is copied from", async () => {
    const { code } = await palimpsest(folder.path, ["copy", "--from", "s.db", "--to", "t.db"]);
    expect(code).toBe(0);
  });

  it.each([
    ["undo", "e"],
    ["review", "p", "--commit", "--as", "human/reader"],
    ["verifier", "--once", "--no-state", "--key-file", "key.json"],
  ])("is not changed: %s", async (...args: string[]) => {
    const { code, stderr } = await call(...args);
    expect(code).toBe(2);
    expect(stderr).toContain("the file may not be written");
  });
});

describe("a file without a byte", () => {
  it.each([...looks, ["undo", "e"]])("is not a store, and stays as it is: %s", async (...args) => {
    writeFileSync(file(), "");
    const { code, stderr } = await call(...args.filter((one) => one !== undefined));
    expect(code).toBe(2);
    expect(stderr).toContain("there is no store at s.db");
    expect(statSync(file()).size).toBe(0);
  });
});

describe("no store", () => {
  it("is made by a recording that cannot be imported", async () => {
    writeFileSync(join(folder.path, "notes.txt"), "some notes\n");
    for (const recording of ["missing.jsonl", "notes.txt"]) {
      expect((await call("import", recording)).code).toBe(2);
    }
    expect(readdirSync(folder.path)).toEqual(["notes.txt"]);
  });
});
