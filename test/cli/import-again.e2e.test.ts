import { appendFileSync, existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { folderForEachTest } from "../support/cli/each-test.ts";

const message = (content: string) => `${JSON.stringify({ role: "user", content })}\n`;

const folder = folderForEachTest();
const { call } = folder;
beforeEach(() => {
  writeFileSync(join(folder.path, "chat.jsonl"), message("Hello.") + message("Anybody?"));
});

const events = async () => JSON.parse((await call("history", "--json")).stdout).length;

describe("a file that was imported already", () => {
  it("adds nothing, and says so", async () => {
    const first = await call("import", "chat.jsonl");
    expect(first.stdout).toMatch(/^imported 2 messages as 2 spans/);
    const before = await events();
    const again = await call("import", "chat.jsonl");
    expect(again).toMatchObject({ code: 0, stderr: "" });
    expect(again.stdout).toMatch(/^imported already, nothing was added: 2 messages as 2 spans/);
    expect(JSON.parse((await call("import", "chat.jsonl", "--json")).stdout).added).toBe(0);
    expect(await events()).toBe(before);
  });

  it("says how many events were added the first time", async () => {
    const { added } = JSON.parse((await call("import", "chat.jsonl", "--json")).stdout);
    expect(added).toBe(await events());
  });

  it.each([
    [["--budget", "500"], [], "with a budget of 500 tokens: say --budget 500"],
    [[], ["--budget", "500"], "without a budget: leave --budget out"],
  ])("is refused with another budget, which it names: %j", async (first, second, named) => {
    await call("import", "chat.jsonl", ...first);
    const { code, stdout, stderr } = await call("import", "chat.jsonl", ...second);
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toBe(
      `refused (command-id-reused): this file was imported into window main ${named}, ` +
        "or name another --window\n",
    );
  });
});

describe("a window that is open already", () => {
  it("takes no file that has grown, and another window does", async () => {
    await call("import", "chat.jsonl");
    appendFileSync(join(folder.path, "chat.jsonl"), message("Nobody."));
    const { code, stderr } = await call("import", "chat.jsonl");
    expect(code).toBe(1);
    expect(stderr).toMatch(/^refused \(window-exists\): .* name another --window\n$/);
    const other = await call("import", "chat.jsonl", "--window", "grown");
    expect(other.stdout).toMatch(/^imported 3 messages/);
  });
});

it.each(["model/x", "verifier/x"])("%s imports nothing, and opens no window", async (by) => {
  const { code, stderr } = await call("import", "chat.jsonl", "--as", by);
  expect(code).toBe(1);
  expect(stderr).toContain("refused (permission-denied): ");
  expect(existsSync(join(folder.path, ".palimpsest"))).toBe(false);
});
