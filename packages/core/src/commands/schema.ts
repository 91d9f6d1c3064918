import * as z from "zod/mini";
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
import { jsonSchema, strictObject } from "../json/schema.ts";

const base = {
  commandId: z.optional(idSchema),
  /** `party/name`, or a bare name, which belongs to `model`. Default: the first vouched for. */
  by: z.optional(z.string().check(z.minLength(1), z.maxLength(160))),
  /** The tool call that asked for this command. */
  via: z.optional(idSchema),
  expectedRevision: z.optional(
    z.union([z.int().check(z.nonnegative()), z.enum(["no-stream", "any"])]),
  ),
};

/** Longest statement, scope, key, reason or note, in code points: ledger lines stay lines. */
export const MAX_STATEMENT = 2000;
/** Most things that one justification cites. */
const MAX_BECAUSE = 64;

/** Spans, each named once. */
export const spanIdsSchema = z.array(idSchema).check(
  z.minLength(1),
  z.refine((ids) => new Set(ids).size === ids.length, "an id is named twice"),
);

/** The commands that write, by name. */
export const writeCommandSchemas = {
  openWindow: strictObject({
    command: z.literal("openWindow"),
    ...base,
    budgetTokens: z.optional(z.int().check(z.positive())),
    tokenizer: z.optional(z.string().check(z.minLength(1), z.maxLength(128))),
  }),
  admitSpan: strictObject({
    command: z.literal("admitSpan"),
    ...base,
    spanId: z.optional(idSchema),
    origin: originSchema,
    kind: z.optional(kindSchema),
    content: jsonSchema,
    message: z.optional(messageSchema),
    call: z.optional(idSchema),
    tool: z.optional(toolSchema),
    group: z.optional(idSchema),
    sealed: z.optional(z.boolean()),
    pinned: z.optional(z.boolean()),
    source: z.optional(sourceSchema),
    provider: z.optional(jsonSchema),
  }),
  markRead: strictObject({ command: z.literal("markRead"), ...base, spanIds: spanIdsSchema }),
  rewrite: strictObject({
    command: z.literal("rewrite"),
    ...base,
    editId: z.optional(idSchema),
    consumes: spanIdsSchema,
    content: jsonSchema,
    spanId: z.optional(idSchema),
  }),
  evict: strictObject({
    command: z.literal("evict"),
    ...base,
    editId: z.optional(idSchema),
    consumes: spanIdsSchema,
  }),
  undo: strictObject({
    command: z.literal("undo"),
    ...base,
    editId: idSchema,
    as: z.optional(idSchema),
    strategy: z.optional(z.enum(["revert", "cascade", "merge"])),
    /** Resolves a merge conflict; belongs to strategy `merge` only. */
    content: z.optional(jsonSchema),
  }),
  redo: strictObject({
    command: z.literal("redo"),
    ...base,
    editId: idSchema,
    as: z.optional(idSchema),
  }),
  rewind: strictObject({
    command: z.literal("rewind"),
    ...base,
    /** An append boundary; what is none (negative, future) is `out-of-range`. */
    to: z.int(),
    as: z.optional(idSchema),
    abandonOpenCalls: z.optional(z.boolean()),
  }),
  recall: strictObject({
    command: z.literal("recall"),
    ...base,
    spanId: idSchema,
    as: z.optional(idSchema),
  }),
  render: strictObject({ command: z.literal("render"), ...base }),
  assertClaim: strictObject({
    command: z.literal("assertClaim"),
    ...base,
    claimId: z.optional(idSchema),
    kind: z.optional(claimKindSchema),
    statement: z.string().check(z.minLength(1), z.maxLength(MAX_STATEMENT)),
    scope: z.optional(z.string().check(z.maxLength(MAX_STATEMENT))),
    key: z.optional(z.string().check(z.minLength(1), z.maxLength(MAX_STATEMENT))),
    value: z.optional(jsonSchema),
    evidence: z.optional(z.boolean()),
    carrier: z.optional(idSchema),
    quote: z.optional(z.string().check(z.minLength(1))),
    because: z.optional(z.array(sourceRefSchema).check(z.maxLength(MAX_BECAUSE))),
    supersedes: z.optional(idSchema),
  }),
  retractClaim: strictObject({
    command: z.literal("retractClaim"),
    ...base,
    claimId: idSchema,
    reason: z.string().check(z.regex(/\S/, "say why"), z.maxLength(MAX_STATEMENT)),
    supersededBy: z.optional(idSchema),
  }),
  noteConflict: strictObject({
    command: z.literal("noteConflict"),
    ...base,
    a: idSchema,
    b: idSchema,
    note: z.optional(z.string().check(z.maxLength(MAX_STATEMENT))),
  }),
  authorPolicy: strictObject({
    command: z.literal("authorPolicy"),
    ...base,
    policyId: z.optional(idSchema),
    /** The text of a policy, or the document itself. */
    document: jsonSchema,
  }),
  openEpoch: strictObject({
    command: z.literal("openEpoch"),
    ...base,
    policyId: z.optional(idSchema),
  }),
  proposePruning: strictObject({
    command: z.literal("proposePruning"),
    ...base,
    proposalId: z.optional(idSchema),
    /** Absent: the active policy picks. Raw: nothing is judged before settlement. */
    candidates: z.optional(z.array(pruningCandidateSchema)),
    policyId: z.optional(idSchema),
    baseRevision: z.optional(z.int().check(z.nonnegative())),
    rationale: z.optional(z.string().check(z.maxLength(20_000))),
  }),
  settlePruning: strictObject({
    command: z.literal("settlePruning"),
    ...base,
    proposalId: idSchema,
    decision: z.optional(z.enum(["commit", "refuse"])),
    onEvidence: z.optional(z.enum(["carry", "refuse"])),
    unattended: z.optional(z.boolean()),
    reason: z.optional(z.string().check(z.maxLength(MAX_STATEMENT))),
  }),
  observeSource: strictObject({
    command: z.literal("observeSource"),
    ...base,
    uri: z.string().check(z.minLength(1), z.maxLength(4096)),
    /** Null: the source is gone. */
    digest: z.nullable(digestSchema),
  }),
} as const;

/** The commands that answer and write nothing, by name. */
export const readCommandSchemas = {
  probe: strictObject({ command: z.literal("probe"), ...base, editId: idSchema }),
  show: strictObject({
    command: z.literal("show"),
    ...base,
    at: z.optional(z.int()),
  }),
  policies: strictObject({ command: z.literal("policies"), ...base }),
  claims: strictObject({ command: z.literal("claims"), ...base, at: z.optional(z.int()) }),
  status: strictObject({
    command: z.literal("status"),
    ...base,
    editId: z.optional(idSchema),
  }),
  history: strictObject({ command: z.literal("history"), ...base }),
} as const;

/** The commands of a batch are decided one after another, each on the state the others left. */
export const batchSchema = strictObject({
  command: z.literal("batch"),
  ...base,
  commands: z.array(z.unknown()),
});

/**
 * The guard leaves out what is undefined, so an optional field of a parsed command is absent or
 * holds a value. (`exactOptional` would say so in the schema, at four times the cost.)
 */
type Defined<T> = { [K in keyof T]: Exclude<T[K], undefined> };
type Of<S extends Record<string, z.ZodMiniType>> = {
  [K in keyof S]: Defined<z.infer<S[K]>>;
}[keyof S];

export type BatchCommand = Defined<z.infer<typeof batchSchema>>;
/** A command that writes, a batch apart. */
export type WriteCommand = Of<typeof writeCommandSchemas>;
export type ReadCommand = Of<typeof readCommandSchemas>;
export type Command = WriteCommand | BatchCommand | ReadCommand;
export type CommandOf<N extends Command["command"]> = Extract<Command, { command: N }>;
