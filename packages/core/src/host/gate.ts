import type { Refusal } from "../commands/refusals.ts";
import { refusal } from "../commands/refusals.ts";

/**
 * Somebody outside who is asked before a command is decided: a host that requires verdicts passes
 * the verifier's `verdictGate`. Anything but undefined stops the command.
 */
export interface CommandGate {
  /** Undefined: the command may go on. Anything else stops it, with `permission-denied`. */
  stops(window: string, command: unknown): Promise<unknown>;
}

/** Why a command is stopped; undefined: it may go on. */
export async function stoppedBy(
  gate: CommandGate | undefined,
  window: string,
  command: unknown,
): Promise<Refusal | undefined> {
  const stopped = await gate?.stops(window, command);
  if (stopped === undefined) return undefined;
  return refusal(
    "permission-denied",
    `the last verdict on window ${window} stops this command: look at what it found, then let a ` +
      "person or the host acknowledge it",
  );
}
