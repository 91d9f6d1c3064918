import { spawn } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { folderForEachTest } from "../support/cli/each-test.ts";
import type { Result } from "../support/cli/palimpsest.ts";
import { lines, palimpsest } from "../support/cli/palimpsest.ts";
import { tamper } from "../support/verifier/files.ts";

/* `palimpsest verify`, `verifier` and `auditor` as a user's shell runs them. */

const folder = folderForEachTest();

const run = (name: string, ...args: string[]): Promise<Result> =>
  palimpsest(folder.path, [name, "--store", "s.db", ...args]);
const verify = (...args: string[]) => run("verify", "--state", "state", ...args);
const verifier = (...args: string[]) => run("verifier", "--state", "state", "--once", ...args);

function send(...commands: object[]): Promise<Result> {
  return palimpsest(folder.path, ["run", "--store", "s.db"], lines(...commands));
}

const given = () =>
  send(
    { command: "openWindow" },
    { command: "admitSpan", spanId: "s", origin: "user", content: "true \u001b[31mwords" },
    { command: "evict", editId: "e", consumes: ["s"] },
    { command: "render" },
  );

describe("palimpsest verify", () => {
  it("says that a store holds: 0", async () => {
    await given();
    expect(await verify()).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("main: holds"),
    });
  });

  it("gives its reasons when it does not: 1", async () => {
    await given();
    await verifier();
    tamper(join(folder.path, "s.db"), "UPDATE chunks SET data = replace(data, 'true', 'evil')");
    const { code, stdout } = await verify();
    expect(code).toBe(1);
    expect(stdout).toContain("✗ content-digest at revision 1");
    expect(stdout).toContain("✗ head-root");
    expect(stdout).not.toContain("\u001b");
  });

  it("finds a file that was put back from a copy, against the state beside it", async () => {
    await given();
    copyFileSync(join(folder.path, "s.db"), join(folder.path, "copy.db"));
    await send({ command: "undo", editId: "e" });
    await verifier();
    copyFileSync(join(folder.path, "copy.db"), join(folder.path, "s.db"));
    for (const end of ["-wal", "-shm"]) writeFileSync(join(folder.path, `s.db${end}`), "");
    const { code, stdout } = await verify();
    expect(code).toBe(1);
    expect(stdout).toContain("✗ rolled-back");
    expect(await verify("--no-state")).toMatchObject({ code: 0 });
  });

  it("compares bytes from outside", async () => {
    await given();
    const shown = JSON.parse((await run("show", "--json")).stdout).rendered as string;
    writeFileSync(join(folder.path, "shown.txt"), shown);
    writeFileSync(join(folder.path, "other.txt"), `${shown}more`);
    expect(await verify("--rendered", "shown.txt")).toMatchObject({ code: 0 });
    expect(await verify("--rendered", "other.txt")).toMatchObject({ code: 1 });
    expect(await verify("--rendered", "shown.txt", "--at", "1")).toMatchObject({ code: 1 });
  });

  it("calls what it cannot do wrong use: 2", async () => {
    await given();
    const uses = [
      ["--store", "none.db"],
      ["--window", "a b"],
      ["--key", "nonsense"],
      ["--rendered", "none.txt"],
      ["--at", "1"],
      ["--nonsense"],
    ];
    const results = await Promise.all(uses.map((args) => verify(...args)));
    expect(results.map(({ code, stdout }) => ({ code, stdout }))).toEqual(
      uses.map(() => ({ code: 2, stdout: "" })),
    );
  });

  it("refuses a window that is not open: 1", async () => {
    await given();
    expect(await verify("--window", "none")).toMatchObject({ code: 1, stdout: "" });
  });

  it("gives one JSON document", async () => {
    await given();
    const { stdout } = await verify("--json");
    expect(JSON.parse(stdout)).toMatchObject([{ window: "main", status: "holds", edits: 1 }]);
  });

  it("says what it checks", async () => {
    const { code, stdout } = await verify("--rules");
    expect(code).toBe(0);
    expect(stdout).toContain("records record-missing: ");
  });
});

describe("palimpsest verifier and auditor", () => {
  it("publish and check verdicts, with the key that was made on first use", async () => {
    await given();
    expect(await verifier()).toMatchObject({ code: 0 });
    const key = (await verifier("--print-key")).stdout.trim();
    const audited = await run("auditor", "--once", "--key", key);
    expect(audited).toMatchObject({ code: 0, stdout: expect.stringContaining("signature good") });
    const [name, id, other] = key.split("+");
    expect(other).toBeDefined();
    const wrong = `${name}+${id}+${readFileSync(join(folder.path, "state", "key.json")).length}`;
    expect(await run("auditor", "--once", "--key", wrong)).toMatchObject({ code: 2 });
  });

  it("say nothing twice, and go on after a rotation", async () => {
    await given();
    await verifier();
    const key = (await verifier("--print-key")).stdout.trim();
    expect(await verifier()).toMatchObject({ code: 0, stdout: "" });
    await send({ command: "undo", editId: "e" });
    expect(await verifier("--rotate")).toMatchObject({ code: 0 });
    const audited = await run("auditor", "--once", "--key", key);
    expect(audited.code).toBe(0);
    expect(audited.stdout).not.toContain("NOT VALID");
    expect(await verify()).toMatchObject({ code: 0 });
  });

  it("end with 1 as long as the last verdict on a window is violated, and name it", async () => {
    await given();
    await verifier();
    tamper(join(folder.path, "s.db"), "UPDATE chunks SET data = replace(data, 'true', 'evil')");
    const first = await verifier();
    expect(first).toMatchObject({ code: 1, stdout: expect.stringContaining("main violated") });
    expect(first.stderr).not.toContain("as was said before");
    const again = { code: 1, stdout: "", stderr: "violated, as was said before: main\n" };
    expect(await verifier()).toMatchObject(again);
    expect(await verifier("--json")).toMatchObject(again);
    expect(await verifier("--window", "main")).toMatchObject(again);
    await verifier("--acknowledge", "--window", "main", "--as", "human/p");
    expect(await verifier()).toMatchObject(again);
    const key = join(folder.path, "state", "key.json");
    const stateless = run("verifier", "--no-state", "--key-file", key, "--once");
    expect(await stateless).toMatchObject(again);
  });

  it("end with 2 in a store with the verdicts of another key, and add nothing to it", async () => {
    await given();
    await verifier();
    const other = (...args: string[]) => run("verifier", "--state", "new", "--once", ...args);
    const { code, stdout, stderr } = await other();
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toMatch(/^.*the verdicts on main are signed with "[^"]+", which .*\n$/);
    const json = await other("--json");
    expect(json.code).toBe(2);
    expect(JSON.parse(json.stdout)).toEqual({
      outcome: "refused",
      refusals: [{ code: "unknown-signer", message: expect.stringContaining("on main") }],
    });
    expect(await verifier()).toMatchObject({ code: 0, stdout: "" });
  });

  it("print every key that was ever theirs, for auditors who come later", async () => {
    await given();
    await verifier();
    await verifier("--rotate");
    await send({ command: "undo", editId: "e" });
    await verifier();
    const [now, before, ...more] = (await verifier("--print-key")).stdout.trim().split("\n");
    const { stdout } = await verifier("--print-key", "--json");
    expect(JSON.parse(stdout)).toEqual([now, before]);
    expect([now, before, more]).toEqual([expect.any(String), expect.any(String), []]);
    const audit = (...keys: (string | undefined)[]) =>
      run("auditor", "--once", ...keys.flatMap((key) => ["--key", key ?? ""]));
    expect(await audit(before)).toMatchObject({ code: 0 });
    expect(await audit(now, before)).toMatchObject({ code: 0 });
    expect(await audit(now)).toMatchObject({ code: 1 });
  });

  it("take the acknowledgement of a person, and not of a model", async () => {
    await given();
    await verifier();
    tamper(join(folder.path, "s.db"), "UPDATE chunks SET data = replace(data, 'true', 'evil')");
    expect(await verifier()).toMatchObject({ code: 1 });
    const seen = (...args: string[]) => verifier("--acknowledge", ...args);
    expect(await seen("--as", "human/p")).toMatchObject({ code: 2 });
    const named = ["--window", "main"];
    expect(await seen(...named, "--as", "model/m")).toMatchObject({ code: 2 });
    expect(await seen(...named, "--as", "human/p")).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("human/p acknowledges"),
    });
    expect(await seen(...named, "--as", "human/p")).toMatchObject({
      code: 0,
      stdout: "no verdict waits to be acknowledged\n",
    });
    // What was found is found all the same.
    expect(await verify()).toMatchObject({ code: 1 });
  });

  it("miss no verdict and say none twice however often the process is killed", async () => {
    await given();
    for (let round = 0; round < 3; round += 1) {
      await send({ command: "admitSpan", spanId: `k${round}`, origin: "user", content: "more" });
      await killedVerifier(40 + 90 * round);
    }
    await verifier();
    const { code, stdout } = await run("auditor", "--once", "--json");
    const verdicts = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(code).toBe(0);
    const said = verdicts.map(
      ({ verdict }) => `${verdict.size} ${verdict.status} ${verdict.probed}`,
    );
    expect(new Set(said).size).toBe(said.length);
    expect(verdicts.at(-1).verdict).toMatchObject({ size: 8, status: "holds" });
    expect(await verify()).toMatchObject({ code: 0 });
  });
});

/** Starts the live verifier and kills it after so many milliseconds. */
async function killedVerifier(ms: number): Promise<void> {
  const program = new URL("../../packages/cli/bin/palimpsest.mjs", import.meta.url);
  const args = ["verifier", "--store", "s.db", "--state", "state", "--quiet", "0"];
  const child = spawn(process.execPath, [fileURLToPath(program), ...args], {
    cwd: folder.path,
    stdio: "ignore",
  });
  await new Promise((resolve) => setTimeout(resolve, ms + 250));
  child.kill("SIGKILL");
  await once(child, "close");
}
