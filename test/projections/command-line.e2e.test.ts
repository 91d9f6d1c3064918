import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, it } from "vitest";
import { lines, palimpsest, scratchFolder } from "../support/cli/palimpsest.ts";
import { admit, evict, undo } from "../support/scenarios/commands.ts";

const program = fileURLToPath(new URL("../../packages/cli/bin/palimpsest.mjs", import.meta.url));
const folder = scratchFolder();
afterAll(folder.remove);

const send = (...commands: readonly unknown[]) =>
  palimpsest(folder.path, ["run"], lines(...commands));

describe("palimpsest show --follow", () => {
  it("prints every state, one JSON document a line, until it is interrupted", async () => {
    await send({ command: "openWindow" }, admit("a"), evict("e", ["a"]));
    const child = spawn(process.execPath, [program, "show", "--follow", "--json"], {
      cwd: folder.path,
    });
    const closed = once(child, "close");
    const states = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    const next = async () => JSON.parse((await states.next()).value ?? "");
    expect(await next()).toMatchObject({ revision: 3, spans: [], ledger: { edits: 1 } });
    await send(undo("e"), admit("b"));
    expect(await next()).toMatchObject({ revision: 5, spans: [{ spanId: "a" }] });
    const shown = JSON.parse((await palimpsest(folder.path, ["show", "--json"])).stdout);
    expect(await next()).toEqual(shown);
    child.kill("SIGINT");
    expect(await closed).toEqual([0, null]);
  });

  it("cannot be asked to show the past as well", async () => {
    const result = await palimpsest(folder.path, ["show", "--follow", "--at", "1"]);
    expect(result.code).toBe(2);
    expect(result.stderr).toContain("cannot be used with");
  });
});

describe("palimpsest diff", () => {
  it("says what entered, left and came back, and which edits did it", async () => {
    const result = await palimpsest(folder.path, ["diff", "3", "6", "--json"]);
    expect(result.code).toBe(0);
    expect(JSON.parse(result.stdout)).toMatchObject({
      window: "main",
      from: 3,
      to: 6,
      entered: ["b"],
      left: [],
      returned: ["a"],
      passed: 0,
      firstChanged: 1,
      edits: [{ editId: "e2", verb: "undo", effect: "applied" }],
    });
  });

  it("goes back as well as forth, for a person to read", async () => {
    const { stdout } = await palimpsest(folder.path, ["diff", "6", "3"]);
    expect(stdout).toMatch(/-\s+left\s+a\s+user\s+text/);
    expect(stdout).toMatch(/-\s+left\s+b\s+user\s+text/);
    expect(stdout).toContain("from revision 6 to 3");
  });

  it("refuses a revision that there is not, with exit code 1", async () => {
    const result = await palimpsest(folder.path, ["diff", "0", "99", "--json"]);
    expect(result.code).toBe(1);
    expect(JSON.parse(result.stdout)).toMatchObject({
      outcome: "refused",
      refusals: [{ code: "out-of-range", revision: 99, last: 6 }],
    });
  });
});
