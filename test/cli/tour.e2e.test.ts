import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openSqliteLog } from "@palimpsest/core/sqlite";
import { describe, expect, it } from "vitest";
import { folderForEachTest } from "../support/cli/each-test.ts";
import type { Result } from "../support/cli/palimpsest.ts";
import { palimpsest, tour } from "../support/cli/palimpsest.ts";
import type { SessionForm } from "../support/cli/sessions.ts";
import { sessionForms } from "../support/cli/sessions.ts";
import { makeNewer, withConnection } from "../support/log/damage.ts";

const folder = folderForEachTest();

/** Everything a terminal would act on or hide: C0 but line feed, DEL, C1, and reordering. */
const RAW =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are the point.
  /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/;
const STACK_TRACE = /^\s+at .+:\d+|Node\.js v\d/m;
const EVIL = "\u202e\u009b31m evil\u007f\u001b[2J\u2028\u200b";

function expectClean({ stdout, stderr }: Result): void {
  for (const text of [stdout, stderr]) {
    expect(text).not.toMatch(RAW);
    expect(text).not.toMatch(STACK_TRACE);
  }
}

/** The tour on a file of this text. */
function tourOf(text: string, name = "session.jsonl"): Promise<Result> {
  const file = join(folder.path, name);
  writeFileSync(file, text);
  return tour(folder.path, file);
}

const sectionsOf = ({ stdout }: Result) =>
  [...stdout.matchAll(/^(\d+)\. /gm)].map(([, number]) => Number(number));

const oneTo = (last: number) => Array.from({ length: last }, (_, i) => i + 1);

/** What the tour tells a person to paste, as the arguments of the command. */
function callsOf({ stdout }: Result): string[][] {
  const lines = stdout.split("\n").filter((line) => line.startsWith("  npx palimpsest "));
  return lines.map((line) => line.trim().split(" ").slice(2));
}

/** Pastes every command in the order they were printed. */
async function pasteAll(result: Result): Promise<string[]> {
  const pasted: string[] = [];
  for (const args of callsOf(result)) {
    const answer = await palimpsest(folder.path, args);
    expect(answer, args.join(" ")).toMatchObject({ code: 0 });
    expectClean(answer);
    pasted.push(args[0] ?? "");
  }
  return pasted;
}

const ALL_CALLS = ["show", "status", "history", "verify", "rewind", "undo", "undo"];

describe("the tour of npm start", () => {
  it("goes all the way on the session that ships, and what it says to paste is accepted", async () => {
    const result = await tour(folder.path);
    expectClean(result);
    expect(result).toMatchObject({ code: 0, stderr: "" });
    expect(result.stdout).not.toContain("NOT SO");
    expect(sectionsOf(result)).toEqual(oneTo(6));
    expect(result.stdout).toMatch(/edit \S+: Bash "[^"]/);
    expect(result.stdout).toMatch(/becomes a note, \d+ → \d+ tokens/);
    expect(await pasteAll(result)).toEqual(ALL_CALLS);
  });

  it("says how it is used when asked, and when it was used in another way", async () => {
    for (const asked of ["--help", "-h"]) {
      const help = await tour(folder.path, asked);
      expect(help).toMatchObject({ code: 0, stderr: "" });
      expect(help.stdout).toMatch(/^usage: npm start/);
    }
    for (const args of [["--nonsense"], ["one.jsonl", "two.jsonl"]]) {
      const wrong = await tour(folder.path, ...args);
      expect(wrong).toMatchObject({ code: 2, stdout: "" });
      expect(wrong.stderr).toMatch(/^usage: npm start/);
    }
  });

  it("shortens what the model wrote at length where no tool was called", async () => {
    const form = sessionForms.codex as SessionForm;
    const result = await tourOf(form.text(talk(form, "This is said at length. ".repeat(20))));
    expectClean(result);
    expect(result.code).toBe(0);
    expect(result.stdout).toContain("the largest answer of the model becomes a short note");
    expect(sectionsOf(result)).toEqual(oneTo(6));
  });

  it("takes a window of its own every time", async () => {
    const text = JSON.stringify([{ role: "user", content: "Hello." }]);
    await tourOf(text);
    await tourOf(text);
    const at = ["--store", ".palimpsest/demo.db", "--window"];
    for (const window of ["demo-1", "demo-2"]) {
      expect(await palimpsest(folder.path, ["show", ...at, window])).toMatchObject({ code: 0 });
    }
  });
});

describe.each(Object.entries(sessionForms))("the tour of %s", (_, form) => {
  it("stops well where there is no conversation, or too little of one", async () => {
    const none = await tourOf(form.text(form.nothing));
    expectClean(none);
    expect(none.code).toBe(0);
    expect(none.stdout).toContain("This file holds no conversation");
    const one = await tourOf(form.text(form.user("Hello.")));
    expectClean(one);
    expect(one.code).toBe(0);
    expect(one.stdout).toContain("This file holds one span only");
  });

  it("goes on without a tool, its sections numbered without a gap", async () => {
    const result = await tourOf(form.text(talk(form, "Yes.")));
    expectClean(result);
    expect(result.code).toBe(0);
    expect(result.stdout).toContain("nothing here is long enough to be worth a note");
    expect(sectionsOf(result)).toEqual(oneTo(5));
    expect(await pasteAll(result)).toEqual(ALL_CALLS);
  });

  it("shows hostile text as escapes, in the tour and in what it says to paste", async () => {
    const result = await tourOf(form.text(hostileTalk(form)), `a${EVIL.replaceAll("/", "")}.jsonl`);
    expectClean(result);
    expect(result.code).toBe(0);
    expect(result.stdout).toMatch(/edit e1: cat\\u202e\\x9b31m evil\\x7f\\x1b/);
    expect(result.stdout).toMatch(/ c\d "retry_budget was raised .+ \\u202e\\x9b31m evil/);
    expect(await pasteAll(result)).toEqual(ALL_CALLS);
  });
});

function talk(form: SessionForm, answer: string) {
  return [1, 2, 3].flatMap((n) => [...form.user(`Question ${n}?`), ...form.assistant(answer)]);
}

function hostileTalk(form: SessionForm) {
  const config = `retry_budget = 3 # ${EVIL}\n${`# ${EVIL}\n`.repeat(40)}`;
  return [
    ...form.user(`Look at the config. ${EVIL}`),
    ...form.tool("call_1", `cat${EVIL}`, config),
    ...form.assistant(`It is 3. ${EVIL}`),
    ...form.tool("call_2", `cat${EVIL}`, `nothing ${EVIL}`),
    ...form.user(`retry_budget was raised to 7, see the ticket. ${EVIL}`),
    ...form.assistant(`It is 7. ${EVIL}`),
  ];
}

describe("a file that is not a session", () => {
  it.each([
    ["an empty file", "", "is empty"],
    ["JSON of another kind", "[1]", "is no session that can be imported"],
  ])("%s is one sentence and exit code 2", async (_, text, said) => {
    const result = await tourOf(text, `x${EVIL}.json`);
    expectClean(result);
    expect(result.code).toBe(2);
    expect(result.stderr).toContain(said);
  });

  it("so is a file that is not there", async () => {
    const result = await tour(folder.path, join(folder.path, "nowhere.jsonl"));
    expectClean(result);
    expect(result).toMatchObject({ code: 2, stderr: expect.stringContaining("cannot be read") });
  });
});

describe("a store that cannot be used", () => {
  const makeStore = async (file: string) => openSqliteLog(file).close();

  it.each<[string, (file: string) => unknown]>([
    ["damaged", (file) => writeFileSync(file, "this is no database ".repeat(400))],
    ["another program's", (file) => withConnection(file, (db) => db.exec("CREATE TABLE t (c)"))],
    [
      "of an older format",
      async (file) => {
        await makeStore(file);
        withConnection(file, (db) => db.pragma("user_version = 1"));
      },
    ],
    [
      "of a newer format",
      async (file) => {
        await makeStore(file);
        makeNewer(file);
      },
    ],
    [
      "read-only",
      async (file) => {
        await makeStore(file);
        chmodSync(file, 0o444);
      },
    ],
    ["a folder", (file) => mkdirSync(file)],
  ])("%s: says what is wrong and what to do, exit code 2", async (_, make) => {
    mkdirSync(join(folder.path, ".palimpsest"));
    await make(join(folder.path, ".palimpsest", "demo.db"));
    await expectRefused();
  });

  it("a file in the way of the folder: the same", async () => {
    writeFileSync(join(folder.path, ".palimpsest"), "");
    await expectRefused();
  });

  async function expectRefused(): Promise<void> {
    const result = await tour(folder.path);
    expectClean(result);
    expect(result).toMatchObject({ code: 2, stdout: "" });
    expect(result.stderr.trimEnd().split("\n")).toHaveLength(2);
    expect(result.stderr).toContain("in .palimpsest/demo.db: move that away");
  }
});
