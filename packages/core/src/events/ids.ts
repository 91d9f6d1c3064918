import { z } from "zod";
import { sha256Hex } from "#platform";

/** Ids of windows, spans, edits, calls, groups, messages and commands. */
export const idSchema = z.string().regex(/^[A-Za-z0-9_.:-]{1,128}$/);

/** `party/name`: who acts. The party decides what is allowed (DESIGN §2). */
export const principalSchema = z
  .string()
  .regex(/^(host|model|human|verifier)\/[A-Za-z0-9_.:@-]{1,128}$/);

/** SHA-256, 64 lowercase hex digits. */
export const digestSchema = z.string().regex(/^[0-9a-f]{64}$/);

export const WINDOW_STREAM_PREFIX = "window-";
export const VERDICT_STREAM_PREFIX = "verdict-";

export function windowStream(window: string): string {
  return WINDOW_STREAM_PREFIX + window;
}

export function verdictStream(window: string): string {
  return VERDICT_STREAM_PREFIX + window;
}

/**
 * A UUIDv8 (RFC 9562 §5.8) from the SHA-256 of the JSON array [window, by, commandId, index]: what
 * the id of an event starts with, and all of it in events that were stored before there was a part
 * of chance in it.
 */
export function eventId(window: string, by: string, commandId: string, index: number): string {
  return eventIds(window, by, commandId)(index);
}

/**
 * The ids of all events of one append by one principal. With `chance`, twelve hexadecimal digits,
 * they end in these: the same command in another append then has other ids, so that no store can
 * take one for the other (docs/decisions/event-ids.md).
 */
export function eventIds(
  window: string,
  by: string,
  commandId: string,
  chance?: string,
): (index: number) => string {
  const shared = JSON.stringify([window, by, commandId]).slice(0, -1);
  return (index) => {
    const derived = uuidOf(sha256Hex(`${shared},${index}]`));
    return chance === undefined ? derived : derived.slice(0, DERIVED) + chance;
  };
}

/** So many characters of an id follow from where its event stands; the rest is left to chance. */
const DERIVED = "xxxxxxxx-xxxx-8xxx-xxxx-".length;
const CHANCE = /^[0-9a-f]{12}$/;

/** Whether the event of this place may have this id: what does not follow may be anything. */
export function isEventId(
  id: string,
  ...[window, by, commandId, index]: Parameters<typeof eventId>
): boolean {
  const derived = eventId(window, by, commandId, index).slice(0, DERIVED);
  return id.startsWith(derived) && CHANCE.test(id.slice(DERIVED));
}

/** A UUIDv8 from the first 122 free bits of a digest in hexadecimal. */
function uuidOf(hex: string): string {
  const variant = "89ab"[Number.parseInt(hex[16] ?? "0", 16) & 3];
  return (
    `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-` +
    `${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`
  );
}
