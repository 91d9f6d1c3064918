import assert from "node:assert/strict";
import type { LogReader, ReadOptions, StoredEvent } from "../log/port.ts";

/** All events of a stream, or of the part of it that `options` name. */
export async function readAll(
  log: LogReader,
  stream: string,
  options?: ReadOptions,
): Promise<StoredEvent[]> {
  const events: StoredEvent[] = [];
  for await (const page of log.read(stream, options)) events.push(...page);
  return events;
}

/** What holds of a stream whatever happened: dense revisions, no id twice, head = the last. */
export async function checkWholeStream(log: LogReader, stream: string): Promise<StoredEvent[]> {
  const events = await readAll(log, stream);
  events.forEach((event, index) => {
    assert.equal(event.revision, index, `${stream}: revision ${index} is missing or out of place`);
    assert.equal(event.stream, stream);
  });
  const ids = new Set(events.map((event) => event.id));
  assert.equal(ids.size, events.length, `${stream}: an event id is there twice`);
  assert.equal(await log.head(stream), events.at(-1)?.revision);
  return events;
}
