import { randomUUID } from "node:crypto";
import type { EventToAppend, Json, WindowEvent } from "@palimpsest/core";

/** One append as somebody writes it who does not ask what this library would refuse. */
export function foreignEvents(commandId: string, events: readonly WindowEvent[]): EventToAppend[] {
  return events.map(({ type, data }, index) => ({
    id: randomUUID(),
    type,
    data: data as Json,
    metadata: {
      by: "host/foreign",
      commandId,
      commandDigest: "0".repeat(64),
      index,
      count: events.length,
      at: "2025-01-01T00:00:00.000Z",
      schemaVersion: 1,
    },
  }));
}

/** A rewind that nobody checked. */
export function rewindEvents({ to, ordinal }: { to: number; ordinal: number }): EventToAppend[] {
  const editId = `foreign-${ordinal}`;
  return foreignEvents(editId, [
    { type: "RecoveryRecorded", data: { editId, ordinal, consumed: [] } },
    { type: "WindowEdited", data: { editId, ordinal, verb: "rewind", to } },
  ]);
}
