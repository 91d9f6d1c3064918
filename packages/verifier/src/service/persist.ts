import type { VerdictLog } from "../check/reader.ts";

/** Pauses between tries, in milliseconds. A server that is away for longer ends the verifier. */
const PAUSES = [50, 100, 200, 400, 800, 1_600, 3_200, 6_400];

/**
 * Appends; false when something else stands in the stream where the events belong. When the
 * connection is lost on the way, nobody knows whether the events are stored. They are sent again,
 * for the log recognises the same events.
 */
export async function persist(
  log: Pick<VerdictLog, "append">,
  ...append: Parameters<VerdictLog["append"]>
): Promise<boolean> {
  for (const pause of [...PAUSES, undefined]) {
    try {
      await log.append(...append);
      return true;
    } catch (error) {
      const code = codeOf(error);
      if (code === "wrong-expected-revision") return false;
      // The codes of the log port for a store that does not answer.
      const mayPass = code === "outcome-unknown" || code === "store-unavailable";
      if (!mayPass || pause === undefined) throw error;
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  }
  return false;
}

function codeOf(error: unknown): unknown {
  return ((error ?? {}) as { readonly code?: unknown }).code;
}
