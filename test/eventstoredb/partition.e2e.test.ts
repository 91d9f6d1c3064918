import { join } from "node:path";
import type { EventLog } from "@palimpsest/core";
import { openWindow } from "@palimpsest/core";
import type { Provisioner } from "@palimpsest/eventstoredb";
import { openEventStoreDbLog, openProvisioner } from "@palimpsest/eventstoredb";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Processes } from "../support/eventstoredb/processes.ts";
import { ended, startProcesses } from "../support/eventstoredb/processes.ts";

/* Several verifiers divide the windows of one cluster among them (docs/scaling.md). */

let processes: Processes;
let provisioner: Provisioner;
let host: EventLog;
let flags: readonly string[];
beforeAll(async () => {
  processes = await startProcesses();
  provisioner = openProvisioner(processes.store("operator"));
  host = await openEventStoreDbLog(processes.store("host"));
  const state = join(processes.folder, "state");
  flags = ["--key-file", join(state, "key.json"), "--state", state, "--json"];
  // The key is made once, before several processes ask for it at the same time.
  await processes.run("verifier", "verifier", [...flags, "--print-key"]);
});
afterAll(async () => {
  await host.close();
  await provisioner.close();
  await processes.stop();
});

const WINDOWS = Array.from({ length: 12 }, (_, n) => `w${n}`);

/** Opens a window as a host, once it is provisioned, and gives it this many spans. */
async function write(window: string, spans: number): Promise<void> {
  await provisioner.window(window);
  const opened = await openWindow(host, window);
  for (let n = 0; n < spans; n += 1) await opened.admit({ origin: "user", content: `text ${n}` });
}

interface Said {
  readonly window: string;
  readonly size: number;
}

function saidBy(heard: readonly string[]): Said[] {
  return heard.flatMap((line) => {
    try {
      return [JSON.parse(line).verdict as Said];
    } catch {
      return [];
    }
  });
}

/** What lies in the verdict streams, as the server has it. */
function stored(): Said[] {
  return processes.double.database.all
    .filter(({ stream, type }) => stream.startsWith("verdict-") && type === "VerdictIssued")
    .map(({ data }) => JSON.parse(Buffer.from(data).toString()) as Said);
}

const nameOf = ({ window, size }: Said): string => `${window} ${size}`;

describe("two verifiers, each with half of the windows", () => {
  it("publish each verdict exactly once, and go on through a restart of the server", async () => {
    const parts = [1, 2].map((part) =>
      processes.begin("verifier", "verifier", ...flags, "--partition", `${part}/2`),
    );
    await Promise.all(WINDOWS.slice(0, 6).map((window) => write(window, 2)));
    await expect.poll(() => stored().length, { timeout: 20_000 }).toBeGreaterThan(0);
    await processes.double.restart(300);
    await Promise.all(WINDOWS.slice(6).map((window) => write(window, 2)));
    const whole = (): number => stored().filter(({ size }) => size === 3).length;
    await expect.poll(whole, { timeout: 30_000 }).toBe(WINDOWS.length);

    const said = parts.map(
      ({ heard }) =>
        () =>
          saidBy(heard),
    );
    const total = (): number => said.reduce((sum, list) => sum + list().length, 0);
    await expect.poll(total).toBe(stored().length);
    expect(said.flatMap((list) => list().map(nameOf)).sort()).toEqual(stored().map(nameOf).sort());
    expect(new Set(stored().map(nameOf)).size).toBe(stored().length);

    const windows = said.map((list) => new Set(list().map(({ window }) => window)));
    expect([...(windows[0] ?? [])].filter((window) => windows[1]?.has(window))).toEqual([]);
    expect(windows.flatMap((part) => [...part]).sort()).toEqual([...WINDOWS].sort());
    for (const { child } of parts) await ended(child);
  });

  it("leave it to the next ones to begin where they were, in other parts too", async () => {
    const before = stored().map(nameOf).sort();
    for (const part of ["1/2", "3/3"]) {
      const call = [...flags, "--once", "--partition", part];
      const { code, stdout, stderr } = await processes.run("verifier", "verifier", call);
      expect(code, stderr).toBe(0);
      expect(saidBy(stdout.split("\n"))).toEqual([]);
    }
    expect(stored().map(nameOf).sort()).toEqual(before);
  });
});

describe("a verifier of the windows that begin so", () => {
  it("looks at those, and only at its part of them", async () => {
    for (const window of ["a1", "a2", "a3", "b1"]) await write(window, 1);
    const once = async (...call: string[]): Promise<string[]> => {
      const args = [...flags, "--once", ...call];
      const { code, stdout, stderr } = await processes.run("verifier", "verifier", args);
      expect(code, stderr).toBe(0);
      return saidBy(stdout.split("\n")).map(({ window }) => window);
    };
    const first = await once("--prefix", "a", "--partition", "1/2");
    expect(first).not.toHaveLength(0);
    const rest = await once("--prefix", "a");
    expect([...new Set([...first, ...rest])].sort()).toEqual(["a1", "a2", "a3"]);
    expect(first.filter((window) => rest.includes(window))).toEqual([]);
  });

  it("is told what is not a part", async () => {
    for (const part of ["0/2", "3/2"]) {
      const { code, stderr } = await processes.run("verifier", "verifier", ["--partition", part]);
      expect(code).toBe(2);
      expect(stderr).toContain("2/8");
    }
  });
});
