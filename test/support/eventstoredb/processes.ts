import type { ChildProcessWithoutNullStreams } from "node:child_process";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import type { Credentials } from "@palimpsest/eventstoredb";
import type { Result } from "../cli/palimpsest.ts";
import { palimpsest, scratchFolder } from "../cli/palimpsest.ts";
import { makeCertificates } from "./certificates.ts";
import type { Double } from "./server.ts";
import { ADMIN, startDouble } from "./server.ts";
import type { Identity } from "./target.ts";

/** A process that goes on, and the lines that it wrote to stdout and stderr. */
export interface Begun {
  readonly child: ChildProcessWithoutNullStreams;
  readonly heard: readonly string[];
}

/** A double that `palimpsest provision` set up, and processes with identities of its users. */
export interface Processes {
  readonly double: Double;
  /** Where the processes run; has the passwords. */
  readonly folder: string;
  /** A connection string. */
  store(identity: Identity): string;
  /** Runs a call to its end. */
  run(identity: Identity, call: string, args?: readonly string[], input?: string): Promise<Result>;
  begin(identity: Identity, call: string, ...args: readonly string[]): Begun;
  /** Ends what was begun, then the double. */
  stop(): Promise<void>;
}

const program = fileURLToPath(new URL("../../../packages/cli/bin/palimpsest.mjs", import.meta.url));

export async function startProcesses(): Promise<Processes> {
  const folder = scratchFolder();
  const certificates = await makeCertificates();
  const double = await startDouble({ certificates });
  const children: ChildProcessWithoutNullStreams[] = [];
  const operator = ["provision", "--store", double.url(ADMIN)];
  const { code, stderr } = await palimpsest(folder.path, operator);
  if (code !== 0) throw new Error(stderr);
  const file = join(folder.path, ".palimpsest", "credentials.json");
  const users: Record<string, Credentials> = JSON.parse(readFileSync(file, "utf8"));
  const store = (identity: Identity): string => double.url(users[identity] ?? ADMIN);
  return {
    double,
    folder: folder.path,
    store,
    run: (identity, call, args = [], input = "") =>
      palimpsest(folder.path, [call, "--store", store(identity), ...args], input),
    begin(identity, call, ...args) {
      const argv = [program, call, "--store", store(identity), ...args];
      const child = spawn(process.execPath, argv, { cwd: folder.path });
      children.push(child);
      const heard: string[] = [];
      for (const stream of [child.stdout, child.stderr]) {
        createInterface({ input: stream }).on("line", (line) => heard.push(line));
      }
      return { child, heard };
    },
    async stop() {
      for (const child of children) await ended(child);
      await double.stop();
      certificates.remove();
      folder.remove();
    },
  };
}

/** Tells a process to end, and waits until it has. */
export async function ended(child: ChildProcessWithoutNullStreams): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const closed = once(child, "close");
  child.kill("SIGTERM");
  await closed;
}
