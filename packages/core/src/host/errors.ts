import type { Refusal, RefusalCode } from "../commands/refusals.ts";

/** What the convenience API throws for a refused command; told apart by `code`. */
export class CommandRefusedError extends Error {
  override readonly name: string = "CommandRefusedError";
  /** Code of the first refusal. */
  readonly code: RefusalCode;
  /** Every reason, at least one. */
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

/** Evidence would have lost its last carrier, and the settlement was to refuse rather than that. */
export class ProvenanceOrphanError extends CommandRefusedError {
  override readonly name = "ProvenanceOrphanError";
}

/** One side of an open conflict would have lost its last carrier. */
export class ConflictAsymmetryError extends CommandRefusedError {
  override readonly name = "ConflictAsymmetryError";
}

/** A proposal named something other than live spans: records, edits, claims, spans out of view. */
export class RecoveryRegionError extends CommandRefusedError {
  override readonly name = "RecoveryRegionError";
}

/** True for a refused command, and of the given code when one is named. */
export function isRefused(error: unknown, code?: RefusalCode): error is CommandRefusedError {
  return error instanceof CommandRefusedError && (code === undefined || error.code === code);
}

export function refusedError(refusals: readonly Refusal[]): CommandRefusedError {
  switch (refusals[0]?.code) {
    case "irreversible-edit":
      return new IrreversibleEditError(refusals);
    case "provenance-orphan":
      return new ProvenanceOrphanError(refusals);
    case "conflict-asymmetry":
      return new ConflictAsymmetryError(refusals);
    case "recovery-region-addressed":
      return new RecoveryRegionError(refusals);
    default:
      return new CommandRefusedError(refusals);
  }
}
