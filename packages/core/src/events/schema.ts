import * as z from "zod/mini";
import { jsonSchema, strictObject } from "../json/schema.ts";
import { digestSchema, idSchema, principalSchema } from "./ids.ts";

/*
 * ─────────────────────────────────────────────────────────────────────────────────────────────────
 * These names and fields are the storage format. A stored event is never changed; a field that
 * changes its meaning gets a new schema version and an upcaster (upcast.ts).
 * ─────────────────────────────────────────────────────────────────────────────────────────────────
 */

export const SCHEMA_VERSION = 1;

const count = z.int().check(z.nonnegative());
const revision = z.int().check(z.nonnegative());

export const originSchema = z.enum(["system", "user", "assistant", "tool", "host"]);
export const kindSchema = z.enum(["text", "reasoning", "tool-call", "tool-result", "other"]);
export const messageSchema = strictObject({ id: idSchema, index: count });
export const toolSchema = strictObject({
  name: z.string(),
  status: z.exactOptional(z.enum(["ok", "error", "denied", "interrupted"])),
});
export const sourceSchema = strictObject({
  uri: z.string().check(z.minLength(1)),
  digest: digestSchema,
});
export const verbSchema = z.enum(["rewrite", "evict", "undo", "redo", "rewind"]);

export type Origin = z.infer<typeof originSchema>;
export type SpanKind = z.infer<typeof kindSchema>;
export type Verb = z.infer<typeof verbSchema>;

const windowOpened = strictObject({
  window: idSchema,
  budgetTokens: z.exactOptional(z.int().check(z.positive())),
  tokenizer: z.string().check(z.minLength(1)),
});

const spanAdmitted = strictObject({
  spanId: idSchema,
  origin: originSchema,
  kind: kindSchema,
  message: z.exactOptional(messageSchema),
  /** Absent for a recall only: its content lies where the span `recallOf` was born. */
  content: z.exactOptional(jsonSchema),
  tokens: count,
  digest: digestSchema,
  call: z.exactOptional(idSchema),
  tool: z.exactOptional(toolSchema),
  group: z.exactOptional(idSchema),
  sealed: z.exactOptional(z.boolean()),
  pinned: z.exactOptional(z.boolean()),
  source: z.exactOptional(sourceSchema),
  provider: z.exactOptional(jsonSchema),
  recallOf: z.exactOptional(idSchema),
});

const spansRead = strictObject({ spanIds: z.array(idSchema).check(z.minLength(1)) });

const recoveryRecorded = strictObject({
  editId: idSchema,
  ordinal: z.int().check(z.positive()),
  /** `revision` is where the span was born. */
  consumed: z.array(strictObject({ spanId: idSchema, revision, digest: digestSchema })),
});

const windowEdited = strictObject({
  editId: idSchema,
  ordinal: z.int().check(z.positive()),
  verb: verbSchema,
  target: z.exactOptional(idSchema),
  to: z.exactOptional(revision),
  mergeOf: z.exactOptional(idSchema),
  creates: z.exactOptional(
    strictObject({
      spanId: idSchema,
      kind: kindSchema,
      origin: originSchema,
      content: jsonSchema,
      tokens: count,
      digest: digestSchema,
    }),
  ),
  proposalId: z.exactOptional(idSchema),
  abandoned: z.exactOptional(z.array(idSchema).check(z.minLength(1))),
});

const windowRendered = strictObject({
  /** The revision that was rendered. */
  at: revision,
  renderer: z.string().check(z.minLength(1)),
  digest: digestSchema,
  tokens: count,
  ledgerTokens: count,
  /** Smallest position that changed since the last rendering; null when nothing did. */
  firstChanged: z.nullable(revision),
});

/** What a claim rests on: words in a span, another claim, or a source at a digest. */
export const sourceRefSchema = z.union([
  strictObject({ span: idSchema, quote: z.string() }),
  strictObject({ claim: idSchema }),
  strictObject({ uri: z.string().check(z.minLength(1)), digest: digestSchema }),
]);
export const claimKindSchema = z.enum(["fact", "decision"]);

export type SourceRef = z.infer<typeof sourceRefSchema>;
export type ClaimKind = z.infer<typeof claimKindSchema>;

/** A claim that is said again keeps its id and gets one more event, one more justification. */
const claimAsserted = strictObject({
  claimId: idSchema,
  kind: claimKindSchema,
  scope: z.exactOptional(z.string()),
  key: z.exactOptional(z.string()),
  value: z.exactOptional(jsonSchema),
  statement: z.string(),
  evidence: z.exactOptional(z.boolean()),
  /** An extractor proposed it; never evidence by itself. */
  extracted: z.exactOptional(z.boolean()),
  carrier: z.exactOptional(idSchema),
  /** Literally in its carrier, widened to whole lines. */
  quote: z.exactOptional(z.string()),
  because: z.array(sourceRefSchema),
  supersedes: z.exactOptional(idSchema),
});

const claimRetracted = strictObject({
  claimId: idSchema,
  reason: z.string().check(z.minLength(1)),
  supersededBy: z.exactOptional(idSchema),
});

const conflictNoted = strictObject({
  a: idSchema,
  b: idSchema,
  note: z.exactOptional(z.string()),
});

/** What a source held when somebody looked; null: it was gone. */
const sourceObserved = strictObject({
  uri: z.string().check(z.minLength(1)),
  digest: z.nullable(digestSchema),
});

const policyAuthored = strictObject({
  policyId: idSchema,
  text: z.string(),
  digest: digestSchema,
  previous: z.exactOptional(idSchema),
  /** Unified diff against the text of `previous`. */
  diff: z.string(),
  epoch: z.int().check(z.positive()),
});

const epochOpened = strictObject({
  epoch: z.int().check(z.positive()),
  /** Absent: the policy of the epoch before stays. */
  policyId: z.exactOptional(idSchema),
});

/** Raw strings, kept as they came: judged at settlement only. */
export const pruningCandidateSchema = z.union([
  z.string(),
  strictObject({ consumes: z.array(z.string()), content: jsonSchema }),
]);

const pruningProposed = strictObject({
  proposalId: idSchema,
  policyId: z.exactOptional(idSchema),
  baseRevision: revision,
  candidates: z.array(pruningCandidateSchema),
  rationale: z.exactOptional(z.string()),
});

export const retainedWhySchema = z.enum([
  "pinned",
  "sealed",
  "bond",
  "open-call",
  "own-call",
  "revived",
  "contested",
  "evidence",
]);

const pruningSettled = strictObject({
  proposalId: idSchema,
  outcome: z.enum(["committed", "empty", "refused"]),
  retained: z.array(strictObject({ spanId: idSchema, why: retainedWhySchema })),
  refusals: z.array(z.looseObject({ code: z.string(), message: z.string() })),
  onEvidence: z.enum(["carry", "refuse"]),
  unattended: z.boolean(),
});

export type RetainedWhy = z.infer<typeof retainedWhySchema>;

/** Data schema of every event of a window stream, by type, in the current version. */
export const windowEventSchemas = {
  WindowOpened: windowOpened,
  SpanAdmitted: spanAdmitted,
  SpansRead: spansRead,
  RecoveryRecorded: recoveryRecorded,
  WindowEdited: windowEdited,
  WindowRendered: windowRendered,
  ClaimAsserted: claimAsserted,
  ClaimRetracted: claimRetracted,
  ConflictNoted: conflictNoted,
  SourceObserved: sourceObserved,
  PolicyAuthored: policyAuthored,
  EpochOpened: epochOpened,
  PruningProposed: pruningProposed,
  PruningSettled: pruningSettled,
} as const;

export const metadataSchema = strictObject({
  by: principalSchema,
  /** The tool call that asked. */
  via: z.exactOptional(idSchema),
  commandId: idSchema,
  /** SHA-256 of the command in RFC 8785 form. */
  commandDigest: digestSchema,
  /** Place in its append, from 0, and the number of events of the append. */
  index: count,
  count: z.int().check(z.positive()),
  /** ISO 8601, UTC. */
  at: z.iso.datetime(),
  schemaVersion: z.int().check(z.positive()),
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
