import * as z from "zod/mini";
import { sha256Hex } from "#platform";

/** Ids of windows, spans, edits, calls, groups, messages and commands. */
export const idSchema = z.string().check(z.regex(/^[A-Za-z0-9_.:-]{1,128}$/));

/** `party/name`: who acts. The party decides what is allowed (design §2). */
export const principalSchema = z
  .string()
  .check(z.regex(/^(host|model|human|verifier)\/[A-Za-z0-9_.:@-]{1,128}$/));

/** SHA-256, 64 lowercase hex digits. */
export const digestSchema = z.string().check(z.regex(/^[0-9a-f]{64}$/));

/** What the names of all window streams begin with. */
export const WINDOW_STREAM_PREFIX = "window-";
/** What the names of all verdict streams begin with. */
export const VERDICT_STREAM_PREFIX = "verdict-";

/** Name of the stream of a window. */
export function windowStream(window: string): string {
  return WINDOW_STREAM_PREFIX + window;
}

/** Name of the stream of verdicts on a window. */
export function verdictStream(window: string): string {
  return VERDICT_STREAM_PREFIX + window;
}

/**
 * The id of event `index` of the append that `commandId` caused: a UUIDv8 (RFC 9562 §5.8) from the
 * SHA-256 of the JSON array [window, by, commandId, index], so that a retried append is the same
 * append.
 */
export function eventId(window: string, by: string, commandId: string, index: number): string {
  return eventIds(window, by, commandId)(index);
}

/** The ids of all events of one append by one principal: what they share is written once. */
export function eventIds(window: string, by: string, commandId: string): (index: number) => string {
  const shared = JSON.stringify([window, by, commandId]).slice(0, -1);
  return (index) => uuidOf(sha256Hex(`${shared},${index}]`));
}

/** A UUIDv8 from the first 122 free bits of a digest in hexadecimal. */
function uuidOf(hex: string): string {
  const variant = "89ab"[Number.parseInt(hex[16] ?? "0", 16) & 3];
  return (
    `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-` +
    `${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`
  );
}
