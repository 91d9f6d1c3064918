import type { EventToAppend, Json, LogReader, StoredEvent } from "@palimpsest/core";

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
