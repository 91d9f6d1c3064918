/*
 * `@palimpsest/core/events`: the stored format and nothing else. The verifier imports this entry
 * alone, so no decision code may ever be reachable from here.
 */
export type { Json, JsonObject } from "../json/json.ts";
export type { StoredEvent } from "../log/port.ts";
export {
  digestSchema,
  eventId,
  idSchema,
  principalSchema,
  VERDICT_STREAM_PREFIX,
  verdictStream,
  WINDOW_STREAM_PREFIX,
  windowStream,
} from "./ids.ts";
export type {
  ClaimKind,
  EventMetadata,
  Origin,
  RecordedWindowEvent,
  RetainedWhy,
  SourceRef,
  SpanKind,
  Verb,
  WindowEvent,
  WindowEventOf,
  WindowEventType,
} from "./schema.ts";
export { metadataSchema, SCHEMA_VERSION, windowEventSchemas } from "./schema.ts";
export type { Upcaster, UpcasterTable } from "./upcast.ts";
export { EventNotUnderstoodError, upcast, upcastWith, windowUpcasters } from "./upcast.ts";
