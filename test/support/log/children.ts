import type { ChildProcess } from "node:child_process";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";

/** A process of its own that runs one of the `*.child.ts` scripts beside this file. */
export interface Child {
  readonly process: ChildProcess;
  /** What it printed, line by line. */
  readonly lines: AsyncIterableIterator<string>;
  /** Resolves when the process is gone and all it printed was read or can be. */
  readonly gone: Promise<void>;
}

/** With `largestFile`, in blocks of 512 bytes, the system fails every write beyond that. */
export function startChild(script: string, args: readonly string[], largestFile?: number): Child {
  const file = join(import.meta.dirname, `${script}.child.ts`);
  const node = [process.execPath, "--conditions=@palimpsest/source", file, ...args];
  const limited = ["sh", "-c", `ulimit -f ${largestFile} && exec "$@"`, "sh", ...node];
  const [command = "", ...rest] = largestFile === undefined ? node : limited;
  const child = spawn(command, rest, { stdio: ["pipe", "pipe", "inherit"] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return { process: child, lines, gone: once(child, "close").then(() => undefined) };
}

/** The next line that the child prints. */
export async function nextLine(child: Child): Promise<string> {
  const { value, done } = await child.lines.next();
  if (done) throw new Error("the child process ended");
  return value;
}
