import type { Principal } from "../commands/principals.ts";
import type { Refusal } from "../commands/refusals.ts";
import { refusal } from "../commands/refusals.ts";
import type { WriteCommand } from "../commands/schema.ts";
import type { Span } from "../state/state.ts";

/** Why the principal's party may not send this command at all (design §2), if it may not. */
export function forbidden(command: WriteCommand, by: Principal): Refusal | undefined {
  if (by.party === "verifier") {
    return refusal(
      "permission-denied",
      "a verifier reads the window and writes verdicts only: ask the host",
    );
  }
  if (by.party !== "model") return undefined;
  if (command.command === "observeSource") {
    return refusal("permission-denied", `${by.id} may not observe sources: ask the host`);
  }
  if (command.command === "openEpoch") {
    return refusal("permission-denied", `${by.id} may not open an epoch: ask the host`);
  }
  if (command.command !== "admitSpan") return undefined;
  if (command.origin !== "assistant") {
    return refusal(
      "permission-denied",
      `${by.id} may admit spans of origin assistant only, not ${command.origin}: ask the host`,
    );
  }
  if (command.kind === "tool-result") {
    const problem = `${by.id} may not answer a tool call: let the host admit what the tool said`;
    return refusal("permission-denied", problem);
  }
  for (const field of ["pinned", "sealed", "group"] as const) {
    if (command[field] !== undefined) {
      return refusal("permission-denied", `${by.id} may not set ${field}: leave it out`);
    }
  }
  return undefined;
}

/** The model's party takes no pinned span out of view, by whatever verb. */
export function pinnedAgainst(by: Principal, leaving: readonly Span[]): Refusal[] {
  if (by.party !== "model") return [];
  return leaving
    .filter((span) => span.pinned)
    .map((span) => pinnedRefusal(span, `${by.id} may not take it out of view`));
}

export function pinnedRefusal(span: Span, why: string): Refusal {
  return refusal("pinned", `span ${span.id} is pinned, ${why}: leave it out`, { spanId: span.id });
}
