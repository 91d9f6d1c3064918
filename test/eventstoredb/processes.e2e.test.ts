import { statSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Result } from "../support/cli/palimpsest.ts";
import { answers, lines, palimpsest } from "../support/cli/palimpsest.ts";
import type { Processes } from "../support/eventstoredb/processes.ts";
import { startProcesses } from "../support/eventstoredb/processes.ts";
import { startDouble } from "../support/eventstoredb/server.ts";

/* Processes of their own, each with an identity of its own, on the double. */

let processes: Processes;
beforeAll(async () => {
  processes = await startProcesses();
});
afterAll(() => processes.stop());

const run: Processes["run"] = (...args) => processes.run(...args);
const begin: Processes["begin"] = (...args) => processes.begin(...args);
const local = (args: readonly string[], input = ""): Promise<Result> =>
  palimpsest(processes.folder, [...args], input);

const commands = lines(
  { command: "openWindow" },
  { command: "admitSpan", spanId: "a", origin: "user", content: "the original words" },
  { command: "rewrite", editId: "e", consumes: ["a"], content: "fewer words" },
  { command: "undo", editId: "e" },
);

it("provision keeps the passwords to its user", () => {
  const file = join(processes.folder, ".palimpsest", "credentials.json");
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

describe("four processes with four identities", () => {
  it("provision, write, verify and audit one window", async () => {
    const operator = begin("operator", "provision", "--serve");
    await expect.poll(() => operator.heard.join("\n"), { timeout: 20_000 }).toContain("Ctrl-C");
    const state = join(processes.folder, "state");
    const keyFile = join(state, "key.json");
    const shownKey = await run("verifier", "verifier", ["--key-file", keyFile, "--print-key"]);
    const verifier = begin("verifier", "verifier", "--key-file", keyFile, "--state", state);
    const key = shownKey.stdout.trim();
    const auditor = begin("auditor", "auditor", "--key", key, "--json", "--no-state");

    const host = await run("host", "run", ["--window", "w1"], commands);
    expect(host.stderr).toBe("");
    expect(answers(host).map(({ outcome }) => outcome)).toEqual(Array(4).fill("accepted"));
    expect(operator.heard).toContain("provisioned window w1");

    const last = (): string => auditor.heard.at(-1) ?? "";
    await expect.poll(last, { timeout: 20_000 }).toMatch(/"isValid":true/);
    await expect.poll(last, { timeout: 20_000 }).toMatch(/"size":\d+.*"status":"holds"/);
    await expect.poll(() => verifier.heard.join("\n")).toContain("w1 holds");

    const shown = await run("host", "show", ["--window", "w1", "--json"]);
    expect(JSON.parse(shown.stdout).spans).toMatchObject([
      { spanId: "a", content: "the original words" },
    ]);
    const statuses = await run("host", "status", ["--window", "w1", "--json"]);
    expect(JSON.parse(statuses.stdout)[0].word).toBe("undone");
    const verified = await run("auditor", "verify", ["--window", "w1", "--no-state"]);
    expect(verified.code, verified.stdout + verified.stderr).toBe(0);
  });

  it("keep a policy out, with a code and nothing written", async () => {
    const before = processes.double.database.all.length;
    const policy = await run("policy", "run", ["--window", "w1"], commands);
    expect(policy.code).toBe(2);
    expect(policy.stderr).toContain("this user may not do that");
    expect(processes.double.database.all.length).toBe(before);
  });
});

describe("palimpsest doctor", () => {
  it("finds nothing wrong, then what somebody changed", async () => {
    const healthy = await run("host", "doctor");
    expect(healthy.stdout).toContain("is whole and protected");
    expect(healthy.code).toBe(0);
    const metadata = { ...processes.double.database.metadata("window-w1"), $maxCount: 2 };
    processes.double.database.append("$$window-w1", "any", [
      {
        id: crypto.randomUUID(),
        type: "$metadata",
        contentType: "application/json",
        data: Buffer.from(JSON.stringify(metadata)),
        metadata: new Uint8Array(),
      },
    ]);
    const sick = await run("host", "doctor");
    expect(sick.code).toBe(1);
    expect(sick.stdout).toContain("window-w1 has $maxCount 2");
    const verified = await run("auditor", "verify", ["--window", "w1", "--no-state"]);
    expect(verified.code).toBe(1);
    expect(verified.stdout).toContain("stream-start");
    expect((await run("operator", "provision")).code).toBe(0);
  });

  it("says of a server without TLS that it protects nothing, and so does every call", async () => {
    const insecure = await startDouble();
    const looked = await local(["doctor", "--store", insecure.url()]);
    expect(looked.code).toBe(1);
    expect(looked.stdout).toContain("without TLS");
    const ran = await local(["run", "--store", insecure.url()], commands);
    expect(ran.stderr.match(/at best provisional/g)).toHaveLength(1);
    const statuses = await local(["status", "--store", insecure.url(), "--json"]);
    expect(JSON.parse(statuses.stdout)[1].word).toBe("provisional");
    await insecure.stop();
  });

  it("says why it cannot look", async () => {
    const url = processes.double.url({ username: "host", password: "wrong" });
    const looked = await local(["doctor", "--store", url]);
    expect(looked.code).toBe(1);
    expect(looked.stdout).toContain("user or password is wrong");
  });
});

describe("palimpsest copy", () => {
  const copy = (): Promise<Result> =>
    local(["copy", "--from", "sqlite:here.db", "--to", processes.store("operator"), "--json"]);

  it("moves windows from SQLite to the server, compares them, and resumes", async () => {
    const here = ["--store", "sqlite:here.db", "--window", "moved"];
    await local(["run", ...here], commands);
    const first = await copy();
    expect(first.stderr).toContain("provisional");
    expect(JSON.parse(first.stdout)).toEqual([{ stream: "window-moved", found: 0, copied: 6 }]);
    const more = lines({ command: "admitSpan", spanId: "b", origin: "user", content: "later" });
    await local(["run", ...here], more);
    const second = await copy();
    expect(JSON.parse(second.stdout)).toEqual([{ stream: "window-moved", found: 6, copied: 1 }]);
    const there = await run("host", "show", ["--window", "moved", "--json"]);
    const shown = await local(["show", ...here, "--json"]);
    expect([there.code, shown.code], there.stderr + shown.stderr).toEqual([0, 0]);
    const view = JSON.parse(there.stdout);
    // A verifier is at work on the server only, and may have come so far or not.
    view.ledger.verified = null;
    expect(view).toEqual(JSON.parse(shown.stdout));
    const verify = ["--window", "moved", "--no-state", "--json"];
    const proven = await run("auditor", "verify", verify);
    const before = await local(["verify", "--store", "sqlite:here.db", ...verify]);
    expect(JSON.parse(proven.stdout)[0].root).toBe(JSON.parse(before.stdout)[0].root);
    expect((await run("host", "doctor")).stdout).toContain("window-moved is whole and protected");
  });

  it("goes on where the connection was lost, and copies nothing twice", async () => {
    const spans = Array.from({ length: 4 }, (_, n) => {
      return {
        command: "admitSpan",
        spanId: `s${n}`,
        origin: "user",
        content: "x".repeat(400_000),
      };
    });
    const input = lines({ command: "openWindow" }, ...spans);
    await local(["run", "--store", "sqlite:large.db", "--window", "large"], input);
    const to = ["--to", processes.store("operator"), "--json"];
    const again = () => local(["copy", "--from", "sqlite:large.db", ...to]);
    // Two probes, two access lists and the first portion go well.
    processes.double.faults.plan({ method: "append", when: "before", how: "cut", skip: 5 });
    const first = await again();
    processes.double.faults.clear();
    expect(first.code).toBe(1);
    expect(JSON.parse(first.stdout)[0]).toMatchObject({ problem: "outcome-unknown" });
    const second = await again();
    expect(second.code, second.stdout).toBe(0);
    const [{ found, copied }] = JSON.parse(second.stdout);
    expect([found > 0, copied > 0, found + copied]).toEqual([true, true, 5]);
    expect(processes.double.database.lastRevision("window-large")).toBe(4);
  });

  it("moves a window and its verdicts to an archive, where its root is the same", async () => {
    const verdicts = processes.double.database.lastRevision("verdict-moved");
    const from = ["--from", processes.store("auditor"), "--to", "sqlite:archive.db"];
    const copied = await local(["copy", ...from, "--window", "moved", "--json"]);
    expect(copied.code, copied.stderr).toBe(0);
    expect(JSON.parse(copied.stdout).map(({ stream }: { stream: string }) => stream)).toEqual(
      verdicts === undefined ? ["window-moved"] : ["window-moved", "verdict-moved"],
    );
    const args = ["--window", "moved", "--no-state", "--json"];
    const archived = await local(["verify", "--store", "archive.db", ...args]);
    const proven = await run("auditor", "verify", args);
    expect(JSON.parse(archived.stdout)[0]).toMatchObject({
      status: "holds",
      root: JSON.parse(proven.stdout)[0].root,
    });
  });

  it("finds a target that holds another history, and adds nothing to it", async () => {
    await run("host", "run", ["--window", "moved"], lines({ command: "render" }));
    const length = processes.double.database.lastRevision("window-moved");
    const again = await copy();
    expect(again.code).toBe(1);
    expect(JSON.parse(again.stdout)[0].problem).toContain("is in excess");
    expect(processes.double.database.lastRevision("window-moved")).toBe(length);
  });
});
