import type { Refusal, RefusalCode } from "../commands/refusals.ts";

/** What the convenience API throws for a refused command; told apart by `code`. */
export class CommandRefusedError extends Error {
  override readonly name: string = "CommandRefusedError";
  /** Code of the first refusal. */
  readonly code: RefusalCode;
  readonly refusals: readonly Refusal[];
  constructor(refusals: readonly Refusal[]) {
    super(refusals.map(({ code, message }) => `${code}: ${message}`).join("\n"));
    this.code = refusals[0]?.code ?? "invalid-command";
    this.refusals = refusals;
  }
}

/** Content that an edit took is lost; nothing was changed, and nothing is made up in its place. */
export class IrreversibleEditError extends CommandRefusedError {
  override readonly name = "IrreversibleEditError";
}

/** True for a refused command, and of the given code when one is named. */
export function isRefused(error: unknown, code?: RefusalCode): error is CommandRefusedError {
  return error instanceof CommandRefusedError && (code === undefined || error.code === code);
}

export function refusedError(refusals: readonly Refusal[]): CommandRefusedError {
  const lost = refusals[0]?.code === "irreversible-edit";
  return lost ? new IrreversibleEditError(refusals) : new CommandRefusedError(refusals);
}
