import { z } from "zod";
import type { Json } from "../json/json.ts";
import { digestSchema, idSchema, principalSchema } from "./ids.ts";

/*
 * ─────────────────────────────────────────────────────────────────────────────────────────────────
 * These names and fields are the storage format. A stored event is never changed; a field that
 * changes its meaning gets a new schema version and an upcaster (upcast.ts).
 * ─────────────────────────────────────────────────────────────────────────────────────────────────
 */

export const SCHEMA_VERSION = 1;

const count = z.int().nonnegative();
const revision = z.int().nonnegative();

/** Any JSON value; what may stand in it is checked where it enters (json/guard.ts). */
const jsonSchema = z.custom<Json>((value) => value !== undefined);

export const originSchema = z.enum(["system", "user", "assistant", "tool", "host"]);
export const kindSchema = z.enum(["text", "reasoning", "tool-call", "tool-result", "other"]);
export const messageSchema = z.strictObject({ id: idSchema, index: count });
export const toolSchema = z.strictObject({
  name: z.string(),
  status: z.enum(["ok", "error", "denied", "interrupted"]).exactOptional(),
});
export const sourceSchema = z.strictObject({ uri: z.string().min(1), digest: digestSchema });
export const verbSchema = z.enum(["rewrite", "evict", "undo", "redo", "rewind"]);

export type Origin = z.infer<typeof originSchema>;
export type SpanKind = z.infer<typeof kindSchema>;
export type Verb = z.infer<typeof verbSchema>;

const windowOpened = z.strictObject({
  window: idSchema,
  budgetTokens: z.int().positive().exactOptional(),
  tokenizer: z.string().min(1),
});

const spanAdmitted = z.strictObject({
  spanId: idSchema,
  origin: originSchema,
  kind: kindSchema,
  message: messageSchema.exactOptional(),
  /** Absent for a recall only: its content lies where the span `recallOf` was born. */
  content: jsonSchema.exactOptional(),
  tokens: count,
  digest: digestSchema,
  call: idSchema.exactOptional(),
  tool: toolSchema.exactOptional(),
  group: idSchema.exactOptional(),
  sealed: z.boolean().exactOptional(),
  pinned: z.boolean().exactOptional(),
  source: sourceSchema.exactOptional(),
  provider: jsonSchema.exactOptional(),
  recallOf: idSchema.exactOptional(),
});

const spansRead = z.strictObject({ spanIds: z.array(idSchema).min(1) });

const recoveryRecorded = z.strictObject({
  editId: idSchema,
  ordinal: z.int().positive(),
  /** `revision` is where the span was born. */
  consumed: z.array(z.strictObject({ spanId: idSchema, revision, digest: digestSchema })),
});

const windowEdited = z.strictObject({
  editId: idSchema,
  ordinal: z.int().positive(),
  verb: verbSchema,
  target: idSchema.exactOptional(),
  to: revision.exactOptional(),
  mergeOf: idSchema.exactOptional(),
  creates: z
    .strictObject({
      spanId: idSchema,
      kind: kindSchema,
      origin: originSchema,
      content: jsonSchema,
      tokens: count,
      digest: digestSchema,
    })
    .exactOptional(),
  proposalId: idSchema.exactOptional(),
  abandoned: z.array(idSchema).min(1).exactOptional(),
});

const windowRendered = z.strictObject({
  /** The revision that was rendered. */
  at: revision,
  renderer: z.string().min(1),
  digest: digestSchema,
  tokens: count,
  ledgerTokens: count,
  /** Smallest position that changed since the last rendering; null when nothing did. */
  firstChanged: revision.nullable(),
});

/** Data schema of every event of a window stream, by type, in the current version. */
export const windowEventSchemas = {
  WindowOpened: windowOpened,
  SpanAdmitted: spanAdmitted,
  SpansRead: spansRead,
  RecoveryRecorded: recoveryRecorded,
  WindowEdited: windowEdited,
  WindowRendered: windowRendered,
} as const;

export const metadataSchema = z.strictObject({
  by: principalSchema,
  /** The tool call that asked. */
  via: idSchema.exactOptional(),
  commandId: idSchema,
  /** SHA-256 of the command in RFC 8785 form. */
  commandDigest: digestSchema,
  /** Place in its append, from 0, and the number of events of the append. */
  index: count,
  count: z.int().positive(),
  /** ISO 8601, UTC. */
  at: z.iso.datetime(),
  schemaVersion: z.int().positive(),
});

export type EventMetadata = z.infer<typeof metadataSchema>;

type Schemas = typeof windowEventSchemas;
export type WindowEventType = keyof Schemas;

/** Type and data of a window event, as `decide` returns it. */
export type WindowEvent = {
  [T in WindowEventType]: { readonly type: T; readonly data: z.infer<Schemas[T]> };
}[WindowEventType];

export type WindowEventOf<T extends WindowEventType> = Extract<WindowEvent, { type: T }>;

/** A window event at its place in the stream, in the current version. */
export type RecordedWindowEvent = WindowEvent & {
  readonly revision: number;
  readonly id: string;
  readonly metadata: EventMetadata;
};
