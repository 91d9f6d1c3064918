import { once } from "node:events";
import type { Refusal } from "@palimpsest/core";
import { safeJson, safeText } from "./safe.ts";

/** Exit codes of DESIGN §9a. */
export const EXIT = { done: 0, refused: 1, wrongUse: 2 } as const;

/** Wrong use of the command line, or a store that cannot be used: exit 2, with a message. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

let printed = false;

/** True once anything went to stdout. */
export function hasPrinted(): boolean {
  return printed;
}

/** Writes to stdout and waits until it is taken: what was answered was also sent. */
export async function print(text: string): Promise<void> {
  printed = true;
  if (!process.stdout.write(text)) await once(process.stdout, "drain");
}

/** One JSON value on one line, which may go to a terminal too. */
export function printJson(value: unknown): Promise<void> {
  return print(`${safeJson(value)}\n`);
}

/** Everything that is not the result goes to stderr. */
export function say(message: string): void {
  process.stderr.write(`${safeText(message)}\n`);
}

/** Refusals for a person: the code, then the sentence. */
export function sayRefused(refusals: readonly Refusal[]): void {
  for (const { code, message } of refusals) say(`refused (${code}): ${message}`);
}
