import { z } from "zod";
import { digestSchema, idSchema } from "../events/ids.ts";
import {
  claimKindSchema,
  kindSchema,
  messageSchema,
  originSchema,
  pruningCandidateSchema,
  sourceRefSchema,
  sourceSchema,
  toolSchema,
} from "../events/schema.ts";
import type { Json } from "../json/json.ts";

/** JSON is checked as a whole before the schema runs (json/guard.ts). */
const jsonSchema = z.custom<Json>((value) => value !== undefined);

const base = {
  commandId: idSchema.optional(),
  /** `party/name`, or a bare name, which belongs to `model`. Default: the first vouched for. */
  by: z.string().min(1).max(160).optional(),
  /** The tool call that asked for this command. */
  via: idSchema.optional(),
  expectedRevision: z.union([z.int().nonnegative(), z.enum(["no-stream", "any"])]).optional(),
};

/** Longest statement, scope, key, reason or note, in UTF-16 code units: ledger lines stay lines. */
export const MAX_STATEMENT = 2000;
/** Most things that one justification cites. */
const MAX_BECAUSE = 64;

const consumes = z
  .array(idSchema)
  .min(1)
  .refine((ids) => new Set(ids).size === ids.length, "an id is named twice");

/** The commands that write, by name. */
export const writeCommandSchemas = {
  openWindow: z.strictObject({
    command: z.literal("openWindow"),
    ...base,
    budgetTokens: z.int().positive().optional(),
    tokenizer: z.string().min(1).max(128).optional(),
  }),
  admitSpan: z.strictObject({
    command: z.literal("admitSpan"),
    ...base,
    spanId: idSchema.optional(),
    origin: originSchema,
    kind: kindSchema.optional(),
    content: jsonSchema,
    message: messageSchema.optional(),
    call: idSchema.optional(),
    tool: toolSchema.optional(),
    group: idSchema.optional(),
    sealed: z.boolean().optional(),
    pinned: z.boolean().optional(),
    source: sourceSchema.optional(),
    provider: jsonSchema.optional(),
  }),
  markRead: z.strictObject({ command: z.literal("markRead"), ...base, spanIds: consumes }),
  rewrite: z.strictObject({
    command: z.literal("rewrite"),
    ...base,
    editId: idSchema.optional(),
    consumes,
    content: jsonSchema,
    spanId: idSchema.optional(),
  }),
  evict: z.strictObject({
    command: z.literal("evict"),
    ...base,
    editId: idSchema.optional(),
    consumes,
  }),
  undo: z.strictObject({
    command: z.literal("undo"),
    ...base,
    editId: idSchema,
    as: idSchema.optional(),
    strategy: z.enum(["revert", "cascade", "merge"]).optional(),
    /** Resolves a merge conflict; belongs to strategy `merge` only. */
    content: jsonSchema.optional(),
  }),
  redo: z.strictObject({
    command: z.literal("redo"),
    ...base,
    editId: idSchema,
    as: idSchema.optional(),
  }),
  rewind: z.strictObject({
    command: z.literal("rewind"),
    ...base,
    /** An append boundary; what is none (negative, future) is `out-of-range`. */
    to: z.int(),
    as: idSchema.optional(),
    abandonOpenCalls: z.boolean().optional(),
  }),
  recall: z.strictObject({
    command: z.literal("recall"),
    ...base,
    spanId: idSchema,
    as: idSchema.optional(),
  }),
  render: z.strictObject({ command: z.literal("render"), ...base }),
  assertClaim: z.strictObject({
    command: z.literal("assertClaim"),
    ...base,
    claimId: idSchema.optional(),
    kind: claimKindSchema.optional(),
    statement: z.string().min(1).max(MAX_STATEMENT),
    scope: z.string().max(MAX_STATEMENT).optional(),
    key: z.string().min(1).max(MAX_STATEMENT).optional(),
    value: jsonSchema.optional(),
    evidence: z.boolean().optional(),
    carrier: idSchema.optional(),
    quote: z.string().min(1).optional(),
    because: z.array(sourceRefSchema).max(MAX_BECAUSE).optional(),
    supersedes: idSchema.optional(),
  }),
  retractClaim: z.strictObject({
    command: z.literal("retractClaim"),
    ...base,
    claimId: idSchema,
    reason: z.string().regex(/\S/, "say why").max(MAX_STATEMENT),
    supersededBy: idSchema.optional(),
  }),
  noteConflict: z.strictObject({
    command: z.literal("noteConflict"),
    ...base,
    a: idSchema,
    b: idSchema,
    note: z.string().max(MAX_STATEMENT).optional(),
  }),
  authorPolicy: z.strictObject({
    command: z.literal("authorPolicy"),
    ...base,
    policyId: idSchema.optional(),
    /** The text of a policy, or the document itself. */
    document: jsonSchema,
  }),
  openEpoch: z.strictObject({
    command: z.literal("openEpoch"),
    ...base,
    policyId: idSchema.optional(),
  }),
  proposePruning: z.strictObject({
    command: z.literal("proposePruning"),
    ...base,
    proposalId: idSchema.optional(),
    /** Absent: the active policy picks. Raw: nothing is judged before settlement. */
    candidates: z.array(pruningCandidateSchema).optional(),
    policyId: idSchema.optional(),
    baseRevision: z.int().nonnegative().optional(),
    rationale: z.string().max(20_000).optional(),
  }),
  settlePruning: z.strictObject({
    command: z.literal("settlePruning"),
    ...base,
    proposalId: idSchema,
    decision: z.enum(["commit", "refuse"]).optional(),
    onEvidence: z.enum(["carry", "refuse"]).optional(),
    unattended: z.boolean().optional(),
    reason: z.string().max(MAX_STATEMENT).optional(),
  }),
  observeSource: z.strictObject({
    command: z.literal("observeSource"),
    ...base,
    uri: z.string().min(1).max(4096),
    /** Null: the source is gone. */
    digest: digestSchema.nullable(),
  }),
} as const;

/** The commands that answer and write nothing, by name. */
export const readCommandSchemas = {
  probe: z.strictObject({ command: z.literal("probe"), ...base, editId: idSchema }),
  show: z.strictObject({
    command: z.literal("show"),
    ...base,
    at: z.int().optional(),
  }),
  policies: z.strictObject({ command: z.literal("policies"), ...base }),
  claims: z.strictObject({ command: z.literal("claims"), ...base, at: z.int().optional() }),
  status: z.strictObject({
    command: z.literal("status"),
    ...base,
    editId: idSchema.optional(),
  }),
  history: z.strictObject({ command: z.literal("history"), ...base }),
} as const;

/** The commands of a batch are decided one after another, each on the state the others left. */
export const batchSchema = z.strictObject({
  command: z.literal("batch"),
  ...base,
  commands: z.array(z.unknown()),
});

/**
 * The guard leaves out what is undefined, so an optional field of a parsed command is absent or
 * holds a value. (`exactOptional` would say so in the schema, at four times the cost.)
 */
type Defined<T> = { [K in keyof T]: Exclude<T[K], undefined> };
type Of<S extends Record<string, z.ZodType>> = {
  [K in keyof S]: Defined<z.infer<S[K]>>;
}[keyof S];

export type BatchCommand = Defined<z.infer<typeof batchSchema>>;
/** A command that writes and is no batch. */
export type WriteCommand = Of<typeof writeCommandSchemas>;
export type ReadCommand = Of<typeof readCommandSchemas>;
export type Command = WriteCommand | BatchCommand | ReadCommand;
export type CommandOf<N extends Command["command"]> = Extract<Command, { command: N }>;
