import type { EventLog } from "@palimpsest/core";
import { openWindow } from "@palimpsest/core";
import type { Finding } from "@palimpsest/eventstoredb";
import { examine, openEventStoreDbLog, openProvisioner } from "@palimpsest/eventstoredb";
import { memoryHeads, signerKey, startVerifier } from "@palimpsest/verifier";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { event } from "../support/eventstoredb/events.ts";
import type { SecuredDouble } from "../support/eventstoredb/secured.ts";
import { startSecured } from "../support/eventstoredb/secured.ts";
import { startDouble } from "../support/eventstoredb/server.ts";

/* What `palimpsest doctor` says of servers that are wrong in one respect each. */

let target: SecuredDouble;
let host: EventLog;
beforeEach(async () => {
  target = await startSecured();
  const provisioner = openProvisioner(target.url("operator"));
  await provisioner.window("w");
  await provisioner.close();
  host = await openEventStoreDbLog(target.url("host"));
  const window = await openWindow(host, "w");
  for (const content of ["a", "b"]) await window.admit({ origin: "user", content });
});
afterEach(async () => {
  await host.close();
  await target.stop();
});

/** What an administrator of the server may write about a stream, past this library. */
function write(stream: string, metadata: object): void {
  target.double.database.append(`$$${stream}`, "any", [
    {
      id: crypto.randomUUID(),
      type: "$metadata",
      contentType: "application/json",
      data: Buffer.from(JSON.stringify(metadata)),
      metadata: new Uint8Array(),
    },
  ]);
}

const problems = (findings: readonly Finding[]) =>
  findings.filter(({ level }) => level === "problem");

describe("a stream of a window", () => {
  it.each([
    ["$maxCount", 2],
    ["$maxAge", 60],
    ["$tb", 1],
  ])("with %s loses events, and provision takes it off", async (limit, value) => {
    write("window-w", { ...target.double.database.metadata("window-w"), [limit]: value });
    const [found, ...more] = problems(await examine(target.url("host")));
    expect(more).toEqual([]);
    expect(found?.message).toContain(`window-w has ${limit} ${value}`);
    expect(found?.advice).toContain("provision");
    const provisioner = openProvisioner(target.url("operator"));
    expect(await provisioner.window("w")).toEqual(["corrected", "kept"]);
    await provisioner.close();
    expect(problems(await examine(target.url("host")))).toEqual([]);
  });

  it("with $maxCount is found by the verifier, too, which signs what it found", async () => {
    const log = await openEventStoreDbLog(target.url("verifier"));
    const key = signerKey("test", new Uint8Array(32).fill(3));
    const heads = memoryHeads();
    const said: string[] = [];
    const verdict = async (): Promise<void> => {
      const running = startVerifier(log, {
        key,
        heads,
        quietMs: 0,
        onVerdict: ({ verdict: { status, findings } }) => {
          said.push([status, ...findings.map(({ code }) => code)].join(" "));
        },
      });
      await running.idle();
      await running.stop();
    };
    await verdict();
    write("window-w", { ...target.double.database.metadata("window-w"), $maxCount: 1 });
    await verdict();
    expect(said[0]).toBe("holds");
    expect(said.at(-1)).toMatch(/^violated .*stream-start/);
    await log.close();
  });

  it("that anybody may write to is named, and so is one without a list of its own", async () => {
    const { $acl } = target.double.database.metadata("verdict-w");
    write("window-w", { $acl: { ...($acl as object), $w: ["$all"] } });
    write("verdict-w", {});
    expect(problems(await examine(target.url("host")))).toMatchObject([
      { check: "stream", message: "window-w has an access list that palimpsest did not write" },
      { check: "stream", message: "verdict-w has no access control of its own" },
    ]);
  });

  it("that has lost its beginning is named even when nothing limits it any more", async () => {
    const { database } = target.double;
    const { firstReadable } = database;
    database.firstReadable = (stream) =>
      stream === "window-w" ? 1 : firstReadable.call(database, stream);
    const [found] = problems(await examine(target.url("host")));
    expect(found?.message).toBe("window-w begins at revision 1: events are gone");
  });
});

describe("a server", () => {
  it("that nobody provisioned protects nothing, and an operator sees the defaults", async () => {
    const { certificates } = target;
    const bare = await startDouble({ certificates });
    bare.users.set("somebody", { password: "x", groups: [] });
    const somebody = await examine(bare.url({ username: "somebody", password: "x" }));
    expect(problems(somebody)).toMatchObject([
      { check: "access", advice: expect.stringContaining("provision") },
    ]);
    expect(problems(await examine(bare.url()))).toMatchObject([
      { check: "defaults", advice: expect.stringContaining("provision") },
    ]);
    await bare.stop();
  });

  it("of an unknown version is not a problem, but is told", async () => {
    for (const [version, level] of [
      ["21.10.0", "warning"],
      ["23.10.1", "ok"],
      ["25.1.0", "ok"],
    ] as const) {
      const other = await startDouble({ version });
      const found = await examine(other.url());
      expect(found.find(({ check }) => check === "version")).toMatchObject({ level });
      await other.stop();
    }
  });

  it("is looked at by each identity as far as it may, and nothing is written", async () => {
    const before = target.double.database.all.length;
    for (const role of ["host", "verifier", "auditor", "operator"] as const) {
      const found = await examine(target.url(role));
      expect(problems(found), role).toEqual([]);
      const about = new Set(found.map(({ check }) => check));
      const all = ["reach", "version", "tls", "access", "all", "defaults", "stream"];
      expect([...about], role).toEqual(all);
    }
    const policy = await examine(target.url("policy"));
    expect(policy.find(({ check }) => check === "all")).toMatchObject({ level: "unknown" });
    expect(target.double.database.all.length).toBe(before);
  });

  it("that cannot be reached gets advice on why", async () => {
    const wrong = await examine(target.double.url({ username: "host", password: "wrong" }));
    expect(wrong).toMatchObject([{ check: "reach", advice: expect.stringContaining("password") }]);
    const stranger = target.url("host").replace(/\?.*/, "");
    expect(await examine(stranger, { deadline: 2_000 })).toMatchObject([
      { check: "reach", advice: expect.stringContaining("tlsCAFile") },
    ]);
    const { port } = target.double;
    await target.stop();
    const gone = `esdb://host:x@localhost:${port}`;
    expect(await examine(gone, { deadline: 500 })).toMatchObject([
      { check: "reach", advice: expect.stringContaining("host and port") },
    ]);
  });
});

it("an event that is not JSON does not keep doctor from looking", async () => {
  target.double.database.append("window-w", "any", [
    {
      id: crypto.randomUUID(),
      type: "WindowOpened",
      contentType: "application/octet-stream",
      data: Buffer.from("\xff", "latin1"),
      metadata: new Uint8Array(),
    },
  ]);
  await host.append("window-w", [event()], "any");
  expect(problems(await examine(target.url("host")))).toEqual([]);
});
