import type {
  AppendResult,
  EventLog,
  EventToAppend,
  Json,
  LogReader,
  StoredEvent,
} from "@palimpsest/core";
import { isLogError } from "@palimpsest/core";

/** An event with an id of its own. */
export function event(data: Json = {}, type = "SpanAdmitted"): EventToAppend {
  return { id: crypto.randomUUID(), type, data, metadata: { by: "host/test" } };
}

/** `count` events whose data count from `start`. */
export function events(count: number, start = 0): EventToAppend[] {
  return Array.from({ length: count }, (_, index) => event({ n: start + index }));
}

export async function readWhole(log: LogReader, stream: string): Promise<StoredEvent[]> {
  const all: StoredEvent[] = [];
  for await (const page of log.read(stream)) all.push(...page);
  return all;
}

/** Appends as the port asks: what has an unknown outcome is tried again, the very same. */
export async function persist(
  log: EventLog,
  stream: string,
  list: readonly EventToAppend[],
): Promise<AppendResult> {
  for (;;) {
    try {
      return await log.append(stream, list, "any");
    } catch (error) {
      const again = isLogError(error, "outcome-unknown") || isLogError(error, "store-unavailable");
      if (!again) throw error;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
}
