import { VERDICT_STREAM_PREFIX } from "@palimpsest/core/events";
import type { Follower } from "../check/reader.ts";
import type { Scope } from "./scope.ts";

/**
 * Windows with a verdict that left edits to be probed. Only a hint, for a later verdict may have
 * covered them. A window comes once for each such verdict. Reads what is stored now.
 */
export async function* windowsToProbe(
  log: Follower,
  { window, prefix = "" }: Scope,
  signal: AbortSignal,
): AsyncGenerator<string, undefined> {
  const target =
    window === undefined
      ? { prefix: VERDICT_STREAM_PREFIX + prefix }
      : { stream: VERDICT_STREAM_PREFIX + window };
  for await (const message of log.subscribe(target, { signal })) {
    if (message.kind === "caught-up") return;
    for (const { stream, type, data } of message.events) {
      if (type !== "VerdictIssued" || typeof data !== "object" || data === null) continue;
      const { edits, probed } = data as { readonly edits?: unknown; readonly probed?: unknown };
      if (edits !== probed) yield stream.slice(VERDICT_STREAM_PREFIX.length);
    }
  }
}
