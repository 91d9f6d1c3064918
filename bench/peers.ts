import { fork } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { run } from "../scripts/child.mjs";

/*
 * The libraries we compare with. They have a package.json and a lock file of their own in peers/,
 * are installed on demand, and run in a process of their own: nothing of them is loaded here.
 */

const FOLDER = join(import.meta.dirname, "peers");

/** A peer cannot be installed or does not run here; the message says why. */
export class PeerError extends Error {}

/** Installs the peers' packages, and builds the native module that `native` names, if any. */
export async function installPeers(native?: string): Promise<void> {
  const packages = join(FOLDER, "node_modules");
  if (!existsSync(join(packages, ".package-lock.json"))) {
    // Without scripts: a native module that does not build must cost its own peer alone.
    await npm("ci", "--ignore-scripts", "--no-audit", "--no-fund");
  }
  if (native === undefined) return;
  const built = join(packages, native, "build", "Release");
  if (existsSync(built) && readdirSync(built).some((name) => name.endsWith(".node"))) return;
  process.stderr.write(`building ${native}, which may take some minutes ...\n`);
  await npm("rebuild", native);
}

async function npm(...args: readonly string[]): Promise<void> {
  const nodedir = headersOf(process.execPath);
  const code = await run("npm", args, {
    cwd: FOLDER,
    env: { ...process.env, ...(nodedir !== undefined && { npm_config_nodedir: nodedir }) },
    stdio: ["ignore", process.stderr, process.stderr],
    shell: process.platform === "win32",
  });
  if (code !== 0) throw new PeerError(`npm ${args[0]} failed with exit code ${code}`);
}

/** The folder with the headers of this very Node, which a native module has to be built with. */
function headersOf(node: string): string | undefined {
  const root = dirname(dirname(node));
  const folders = [root, join(root, "node_modules", `node-${process.platform}-${process.arch}`)];
  return folders.find((folder) => existsSync(join(folder, "include", "node", "node_api.h")));
}

/** A process that runs jobs of `peers/worker.mjs`, one at a time. */
export interface Peer {
  /** Resolves with the milliseconds the job took, as the worker measured them. */
  perform(job: string, input: object): Promise<number>;
  end(): void;
}

type Reply = { readonly ms: number } | { readonly error: string };

export function startPeer(): Peer {
  const worker = fork(join(FOLDER, "worker.mjs"), {
    stdio: ["ignore", process.stderr, process.stderr, "ipc"],
  });
  return {
    async perform(job, input) {
      const reply = await new Promise<Reply>((resolve) => {
        const died = (code: number | null) => resolve({ error: `the process ended with ${code}` });
        worker.once("exit", died);
        worker.once("message", (message) => {
          worker.off("exit", died);
          resolve(message as Reply);
        });
        worker.send({ job, ...input });
      });
      if ("error" in reply) throw new PeerError(reply.error);
      return reply.ms;
    },
    end: () => worker.kill(),
  };
}
