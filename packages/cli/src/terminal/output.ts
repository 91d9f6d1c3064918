import type { Refusal } from "@palimpsest/core";
import { safeJson, safeText } from "./safe-text.ts";

/** Exit codes of design §9a. */
export const EXIT = { done: 0, refused: 1, wrongUse: 2 } as const;

/** Wrong use of the command line, or a store that cannot be used: exit 2, with a message. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

let printed = false;
let endsUnread = true;

/** True once anything went to stdout. */
export function hasPrinted(): boolean {
  return printed;
}

/** Writes to stdout and waits until it is taken: what was answered was also sent. */
export function print(text: string): Promise<void> {
  printed = true;
  return new Promise((resolve, reject) => {
    process.stdout.write(text, (error) => (error ? reject(error) : resolve()));
  });
}

/**
 * False for a call that sees by itself, from a `print` that rejects, that nobody reads stdout any
 * longer. Any other call ends there: it only reads, or has done its work before it prints.
 */
export function endsWhenUnread(): boolean {
  return endsUnread;
}

/** For a call that writes to the store between its answers: it must say what it left undone. */
export function seeUnreadMyself(): void {
  endsUnread = false;
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
