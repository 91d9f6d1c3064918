import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { folderForEachTest } from "../support/cli/each-test.ts";
import { answers, lines, palimpsest } from "../support/cli/palimpsest.ts";

const program = fileURLToPath(new URL("../../packages/cli/bin/palimpsest.mjs", import.meta.url));

const folder = folderForEachTest();

const open = { command: "openWindow" };
const admit = (spanId: string, content: unknown) => ({
  command: "admitSpan",
  spanId,
  origin: "user",
  content,
});

describe("palimpsest run", () => {
  it("answers each command with one line, in order, and exits 0 when all is done", async () => {
    const result = await palimpsest(folder.path, ["run"], lines(open, admit("a", "text")));
    expect(answers(result).map(({ outcome, revision }) => [outcome, revision])).toEqual([
      ["accepted", 0],
      ["accepted", 1],
    ]);
    expect(result).toMatchObject({ code: 0, stderr: "" });
  });

  it("goes on after lines that are not JSON or not a command, and exits 1", async () => {
    const input = `nonsense\n[]\n{"command":"frobnicate"}\n\n${lines(open)}`;
    const result = await palimpsest(folder.path, ["run"], input);
    expect(answers(result).map((one) => one.refusals?.[0].code ?? one.outcome)).toEqual([
      "invalid-command",
      "invalid-command",
      "invalid-command",
      "accepted",
    ]);
    expect(result.code).toBe(1);
  });

  it("refuses a line that is not UTF-8 and changes nothing for it", async () => {
    const bad = Buffer.concat([
      Buffer.from(lines(open)),
      Buffer.from('{"command":"admitSpan","origin":"user","content":"\xff"}\n', "latin1"),
    ]);
    const [, answer] = answers(await palimpsest(folder.path, ["run"], bad));
    expect(answer).toMatchObject({ outcome: "refused", refusals: [{ code: "invalid-command" }] });
  });

  it("takes U+2028 in a line for content, not for the end of the line", async () => {
    const result = await palimpsest(folder.path, ["run"], lines(open, admit("a", "x\u2028y")));
    expect(answers(result)).toHaveLength(2);
    const shown = await palimpsest(folder.path, ["show", "--json"]);
    expect(JSON.parse(shown.stdout).spans[0].content).toBe("x\u2028y");
  });

  it("answers a command before the next one is sent", async () => {
    const child = spawn(process.execPath, [program, "run"], { cwd: folder.path });
    const replies = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    child.stdin.write(lines(open));
    expect(JSON.parse(String((await replies.next()).value)).revision).toBe(0);
    child.stdin.write(lines(admit("a", "text")));
    expect(JSON.parse(String((await replies.next()).value)).revision).toBe(1);
    child.stdin.end();
    await once(child, "close");
  });

  it("runs no further command once nobody reads its answers, says so, and exits 2", async () => {
    const commands = [open, ...Array.from({ length: 3000 }, (_, i) => admit(`s${i}`, "text"))];
    writeFileSync(join(folder.path, "x.jsonl"), lines(...commands));
    const child = spawn(process.execPath, [program, "run", "--file", "x.jsonl"], {
      cwd: folder.path,
    });
    const said = text(child.stderr);
    await once(child.stdout, "data");
    child.stdout.destroy();
    const [code] = await once(child, "close");
    const shown = await palimpsest(folder.path, ["history", "--json"]);
    const { length } = JSON.parse(shown.stdout) as unknown[];
    expect(length).toBeLessThan(commands.length);
    // What was appended stays, and is told to the last command.
    expect(await said).toBe(
      `stdout was closed. Commands answered: ${length - 1}; run without an answer: 1; ` +
        "the rest was not run\n",
    );
    expect(code).toBe(2);
  });

  it("is done when a call that only reads is not read to its end", async () => {
    const spans = Array.from({ length: 500 }, (_, i) => admit(`s${i}`, "text ".repeat(100)));
    await palimpsest(folder.path, ["run"], lines(open, ...spans));
    const child = spawn(process.execPath, [program, "show"], { cwd: folder.path });
    const said = text(child.stderr);
    child.stdout.destroy();
    expect([(await once(child, "close"))[0], await said]).toEqual([0, ""]);
  });

  it("lets commands act only for whom --as vouches, the first being the default", async () => {
    const input = lines(
      open,
      { ...admit("a", "text"), by: "host/agent" },
      { ...admit("b", "text"), by: "host/someone-else" },
      admit("c", "text"),
    );
    const args = ["run", "--as", "model/agent", "--as", "host/agent"];
    const result = await palimpsest(folder.path, args, input);
    expect(answers(result).map((one) => one.refusals?.[0].code ?? one.outcome)).toEqual([
      "accepted",
      "accepted",
      "permission-denied",
      "permission-denied", // model/agent may not admit what a user said
    ]);
  });

  it("keeps nothing with --store memory:", async () => {
    const input = lines(open, { command: "show" });
    const result = await palimpsest(folder.path, ["run", "--store", "memory:"], input);
    expect(answers(result)[1]).toMatchObject({ window: "main", revision: 0 });
    expect(existsSync(join(folder.path, ".palimpsest"))).toBe(false);
  });

  it("answers reads with the same JSON as the calls of the command line", async () => {
    const edits = lines(open, admit("a", "text"), {
      command: "evict",
      editId: "e",
      consumes: ["a"],
    });
    const reads = lines({ command: "show" }, { command: "status" }, { command: "history" });
    const result = await palimpsest(folder.path, ["run"], edits + reads);
    const [show, status, history] = answers(result).slice(3);
    for (const [call, answer] of [
      ["show", show],
      ["status", status],
      ["history", history],
    ] as const) {
      const { stdout } = await palimpsest(folder.path, [call, "--json"]);
      expect(JSON.parse(stdout)).toEqual(answer);
    }
  });
});
