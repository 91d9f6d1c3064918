import type { EventMetadata, RecordedWindowEvent } from "@palimpsest/core/events";
import {
  EventNotUnderstoodError,
  eventId,
  metadataSchema,
  upcast,
  WINDOW_STREAM_PREFIX,
  windowEventSchemas,
} from "@palimpsest/core/events";

/** What is wrong with one stored event, whatever stands before and after it. */
export interface EnvelopeFinding {
  readonly code: EnvelopeFindingCode;
  /** For a person. Names places and rules, repeats no content. */
  readonly message: string;
}

export type EnvelopeFindingCode =
  /** Not a stored event at all, or one that cannot be read through (a throwing getter). */
  | "malformed-event"
  /** The stored bytes are not JSON. */
  | "undecodable-event"
  /** The stream is not a `window-*`. */
  | "wrong-stream"
  | "invalid-metadata"
  /** An unknown type, or a schema version newer than this verifier. */
  | "event-not-understood"
  | "invalid-data"
  /** `index` is not below `count`. */
  | "index-beyond-count"
  /** The id is not the one that window, principal, command and index give. */
  | "wrong-event-id";

/**
 * Checks one event of a window stream by itself: it decodes, its metadata and data satisfy the
 * schemas, and its id is derived as the format says. Everything found is reported, not just the
 * first. Pure; takes any value; never throws.
 */
export function checkEnvelope(event: unknown): readonly EnvelopeFinding[] {
  try {
    return check(event);
  } catch {
    return [{ code: "malformed-event", message: "the event cannot be read" }];
  }
}

type Stored = Parameters<typeof upcast>[0];

function check(event: unknown): EnvelopeFinding[] {
  if (!isStored(event)) {
    return [
      { code: "malformed-event", message: "not a stored event: a field is missing or wrong" },
    ];
  }
  if (event.undecodable !== undefined) {
    return [{ code: "undecodable-event", message: "the stored bytes are not JSON" }];
  }
  const findings: EnvelopeFinding[] = [];
  if (!event.stream.startsWith(WINDOW_STREAM_PREFIX)) {
    findings.push({ code: "wrong-stream", message: `not a stream ${WINDOW_STREAM_PREFIX}*` });
  }
  const metadata = metadataSchema.safeParse(event.metadata);
  if (metadata.success) findings.push(...checkPlace(event, metadata.data));
  else findings.push(invalid("invalid-metadata", metadata.error.issues));
  return [...findings, ...checkData(event)];
}

function isStored(event: unknown): event is Stored {
  if (typeof event !== "object" || event === null) return false;
  const { stream, id, type, revision, data, metadata } = event as Partial<Stored>;
  return (
    [stream, id, type].every((field) => typeof field === "string") &&
    typeof revision === "number" &&
    Number.isSafeInteger(revision) &&
    revision >= 0 &&
    data !== undefined &&
    metadata !== undefined
  );
}

function checkPlace(event: Stored, { by, commandId, index, count }: EventMetadata) {
  const findings: EnvelopeFinding[] = [];
  if (index >= count) {
    const message = `event ${index} of an append of ${count}, counted from 0`;
    findings.push({ code: "index-beyond-count", message });
  }
  const window = event.stream.slice(WINDOW_STREAM_PREFIX.length);
  if (event.id !== eventId(window, by, commandId, index)) {
    const message = "the id does not follow from window, principal, command and index";
    findings.push({ code: "wrong-event-id", message });
  }
  return findings;
}

/** The schemas describe the current version; an older event is brought there first. */
function checkData(event: Stored): EnvelopeFinding[] {
  let current: RecordedWindowEvent;
  try {
    current = upcast(event);
  } catch (error) {
    if (!(error instanceof EventNotUnderstoodError)) throw error;
    return [{ code: "event-not-understood", message: error.message }];
  }
  const parsed = windowEventSchemas[current.type].safeParse(current.data);
  return parsed.success ? [] : [invalid("invalid-data", parsed.error.issues)];
}

interface Issue {
  readonly code?: string | undefined;
  readonly path: readonly PropertyKey[];
}

/** One finding for all issues of a schema: each by its place, as a JSON Pointer, and its rule. */
function invalid(code: EnvelopeFindingCode, issues: readonly Issue[]): EnvelopeFinding {
  const places = issues.map((issue) => {
    const pointer = issue.path.map((key) => `/${String(key)}`).join("");
    return `${pointer === "" ? "the whole" : pointer}: ${issue.code ?? "invalid"}`;
  });
  return { code, message: places.join("; ") };
}
