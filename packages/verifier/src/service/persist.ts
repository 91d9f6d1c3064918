import type { VerdictLog } from "../check/reader.ts";

/** A server that is away for longer than these are together ends the verifier. */
const PAUSES = [50, 100, 200, 400, 800, 1_600, 3_200, 6_400];

/**
 * Appends. When the connection is lost on the way, nobody knows whether the events are stored; the
 * log recognises the very same ones, so they are sent again.
 */
export async function persist(
  log: VerdictLog,
  ...append: Parameters<VerdictLog["append"]>
): Promise<void> {
  for (const pause of PAUSES) {
    try {
      await log.append(...append);
      return;
    } catch (error) {
      if (!mayPass(error)) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
  await log.append(...append);
}

/** The codes of the log port for a store that does not answer. */
function mayPass(error: unknown): boolean {
  const { code } = (error ?? {}) as { readonly code?: unknown };
  return code === "outcome-unknown" || code === "store-unavailable";
}
