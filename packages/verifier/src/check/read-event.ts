import type { EventMetadata, RecordedWindowEvent, StoredEvent } from "@palimpsest/core/events";
import { metadataSchema, upcast } from "@palimpsest/core/events";
import { checkEnvelope } from "../envelope.ts";
import { retractionReason } from "../rules/claims.ts";

/** A stored event as far as it can be read, and what is wrong with its form. */
export interface ReadEvent {
  /** Undefined when the event cannot be folded. */
  readonly event: RecordedWindowEvent | undefined;
  /** Undefined when not even its place in an append can be read. */
  readonly metadata: EventMetadata | undefined;
  readonly problems: readonly { readonly code: string; readonly message: string }[];
}

/** Form problems that leave an event as readable as any other. */
const READABLE: readonly string[] = ["wrong-stream", "index-beyond-count", "wrong-event-id"];

/** Reads one stored event of the window's stream. Total: takes any value. */
export function readEvent(stored: StoredEvent, stream: string): ReadEvent {
  const [known, reasonless] = withReason(stored);
  const problems: { code: string; message: string }[] = [...checkEnvelope(known)];
  const isElsewhere = stored.stream !== stream;
  if (isElsewhere && !problems.some(({ code }) => code === "wrong-stream")) {
    problems.push({ code: "wrong-stream", message: `it is of another stream than ${stream}` });
  }
  const readable = problems.every(({ code }) => READABLE.includes(code));
  if (reasonless) {
    const message = "the retraction gives no reason";
    problems.push({ code: retractionReason.code, message });
  }
  const event = readable ? upcast(known) : undefined;
  return { event, metadata: event?.metadata ?? metadataOf(known), problems };
}

/** A retraction without a reason is named so, and otherwise read as if it had one. */
function withReason(stored: StoredEvent): [event: StoredEvent, reasonless: boolean] {
  const { type, data } = stored;
  if (type !== "ClaimRetracted" || typeof data !== "object" || data === null) {
    return [stored, false];
  }
  const { reason } = data as { readonly reason?: unknown };
  if (reason !== undefined && (typeof reason !== "string" || reason.trim() !== "")) {
    return [stored, false];
  }
  return [{ ...stored, data: { ...data, reason: "(none)" } }, true];
}

function metadataOf({ metadata, undecodable }: StoredEvent): EventMetadata | undefined {
  if (undecodable !== undefined) return undefined;
  const parsed = metadataSchema.safeParse(metadata);
  return parsed.success ? parsed.data : undefined;
}
