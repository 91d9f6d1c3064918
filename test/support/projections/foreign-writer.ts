import { randomUUID } from "node:crypto";
import type { EventToAppend, Json } from "@palimpsest/core";

/** A rewind as somebody writes it who does not ask whether the content can still be had. */
export function rewindEvents({ to, ordinal }: { to: number; ordinal: number }): EventToAppend[] {
  const editId = `foreign-${ordinal}`;
  const data: [string, Json][] = [
    ["RecoveryRecorded", { editId, ordinal, consumed: [] }],
    ["WindowEdited", { editId, ordinal, verb: "rewind", to }],
  ];
  return data.map(([type, fields], index) => ({
    id: randomUUID(),
    type,
    data: fields,
    metadata: {
      by: "host/foreign",
      commandId: editId,
      commandDigest: "0".repeat(64),
      index,
      count: data.length,
      at: "2025-01-01T00:00:00.000Z",
      schemaVersion: 1,
    },
  }));
}
