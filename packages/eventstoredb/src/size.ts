import type { SerializedEvent } from "@palimpsest/core/log";
import { LogError } from "@palimpsest/core/log";

/** Left for the types of the events, which the server counts too, two bytes a character. */
const ROOM_FOR_TYPES = 1 / 32;

/** How much JSON is certain to fit into an append of a few hundred events. */
export function maxAppendBytesOf(maxAppendSize: number): number {
  return Math.floor(maxAppendSize * (1 - ROOM_FOR_TYPES));
}

/** Throws `append-too-large` before anything is sent; the server counts the whole append. */
export function checkAppendSize(events: readonly SerializedEvent[], maxAppendSize: number): void {
  let size = 0;
  for (const { type, data, metadata } of events) {
    size += Buffer.byteLength(data) + Buffer.byteLength(metadata) + 2 * type.length;
  }
  if (size <= maxAppendSize) return;
  throw new LogError(
    "append-too-large",
    `the append has ${size} bytes with the types of its events, ` +
      `and the server takes at most ${maxAppendSize}`,
  );
}
