import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";

const palimpsestFile = "../../../packages/cli/bin/palimpsest.mjs";
const tourFile = "../../../scripts/demo.ts";

const compileCache = fileURLToPath(
  new URL("../../../node_modules/.cache/compiled", import.meta.url),
);

export interface Result {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the built command in `cwd` with `input` on stdin, as a user's shell would. */
export function palimpsest(
  cwd: string,
  args: readonly string[],
  input: string | Uint8Array = "",
): Promise<Result> {
  return run(palimpsestFile, cwd, args, input);
}

/** Runs what `npm start` runs, in `cwd` instead of the repository. */
export function tour(cwd: string, ...args: readonly string[]): Promise<Result> {
  return run(tourFile, cwd, args, "");
}

async function run(
  file: string,
  cwd: string,
  args: readonly string[],
  input: string | Uint8Array,
): Promise<Result> {
  const program = fileURLToPath(new URL(file, import.meta.url));
  // Half of a short call is compiling the same modules again.
  const env = { ...process.env, NODE_COMPILE_CACHE: compileCache };
  const child = spawn(process.execPath, [program, ...args], { cwd, env });
  child.stdin.on("error", () => undefined); // a program that refuses its arguments reads nothing
  child.stdin.end(input);
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, "close") as Promise<[number]>,
  ]);
  return { code, stdout, stderr };
}

/** Commands as lines for `run`. */
export function lines(...commands: readonly unknown[]): string {
  return commands.map((command) => `${JSON.stringify(command)}\n`).join("");
}

/** The answers that `run` gave, one for each line. */
export function answers({ stdout }: Result) {
  return stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
}

/** An empty folder for a test's store, and how to remove it. */
export function scratchFolder(): { readonly path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), "palimpsest-cli-"));
  return { path, remove: () => rmSync(path, { recursive: true }) };
}
