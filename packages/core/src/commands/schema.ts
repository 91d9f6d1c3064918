import { z } from "zod";
import { idSchema } from "../events/ids.ts";
import {
  kindSchema,
  messageSchema,
  originSchema,
  sourceSchema,
  toolSchema,
} from "../events/schema.ts";
import type { Json } from "../json/json.ts";

/** JSON is checked as a whole before the schema runs (json/guard.ts). */
const jsonSchema = z.custom<Json>((value) => value !== undefined);

const base = {
  commandId: idSchema.exactOptional(),
  /** `party/name`, or a bare name, which belongs to `model`. Default: the first vouched for. */
  by: z.string().min(1).max(160).exactOptional(),
  /** The tool call that asked for this command. */
  via: idSchema.exactOptional(),
  expectedRevision: z.union([z.int().nonnegative(), z.enum(["no-stream", "any"])]).exactOptional(),
};

const consumes = z
  .array(idSchema)
  .min(1)
  .refine((ids) => new Set(ids).size === ids.length, "an id is named twice");

/** The commands that write, by name. */
export const writeCommandSchemas = {
  openWindow: z.strictObject({
    command: z.literal("openWindow"),
    ...base,
    budgetTokens: z.int().positive().exactOptional(),
    tokenizer: z.string().min(1).max(128).exactOptional(),
  }),
  admitSpan: z.strictObject({
    command: z.literal("admitSpan"),
    ...base,
    spanId: idSchema.exactOptional(),
    origin: originSchema,
    kind: kindSchema.exactOptional(),
    content: jsonSchema,
    message: messageSchema.exactOptional(),
    call: idSchema.exactOptional(),
    tool: toolSchema.exactOptional(),
    group: idSchema.exactOptional(),
    sealed: z.boolean().exactOptional(),
    pinned: z.boolean().exactOptional(),
    source: sourceSchema.exactOptional(),
    provider: jsonSchema.exactOptional(),
  }),
  markRead: z.strictObject({ command: z.literal("markRead"), ...base, spanIds: consumes }),
  rewrite: z.strictObject({
    command: z.literal("rewrite"),
    ...base,
    editId: idSchema.exactOptional(),
    consumes,
    content: jsonSchema,
    spanId: idSchema.exactOptional(),
  }),
  evict: z.strictObject({
    command: z.literal("evict"),
    ...base,
    editId: idSchema.exactOptional(),
    consumes,
  }),
  undo: z.strictObject({
    command: z.literal("undo"),
    ...base,
    editId: idSchema,
    as: idSchema.exactOptional(),
    strategy: z.enum(["revert", "cascade", "merge"]).exactOptional(),
    /** Resolves a merge conflict; belongs to strategy `merge` only. */
    content: jsonSchema.exactOptional(),
  }),
  redo: z.strictObject({
    command: z.literal("redo"),
    ...base,
    editId: idSchema,
    as: idSchema.exactOptional(),
  }),
  rewind: z.strictObject({
    command: z.literal("rewind"),
    ...base,
    /** An append boundary; what is none (negative, future) is `out-of-range`. */
    to: z.int(),
    as: idSchema.exactOptional(),
    abandonOpenCalls: z.boolean().exactOptional(),
  }),
  recall: z.strictObject({
    command: z.literal("recall"),
    ...base,
    spanId: idSchema,
    as: idSchema.exactOptional(),
  }),
  render: z.strictObject({ command: z.literal("render"), ...base }),
} as const;

/** The commands that answer and write nothing, by name. */
export const readCommandSchemas = {
  probe: z.strictObject({ command: z.literal("probe"), ...base, editId: idSchema }),
  show: z.strictObject({
    command: z.literal("show"),
    ...base,
    at: z.int().exactOptional(),
  }),
  status: z.strictObject({
    command: z.literal("status"),
    ...base,
    editId: idSchema.exactOptional(),
  }),
  history: z.strictObject({ command: z.literal("history"), ...base }),
} as const;

/** The commands of a batch are decided one after another, each on the state the others left. */
export const batchSchema = z.strictObject({
  command: z.literal("batch"),
  ...base,
  commands: z.array(z.unknown()),
});

type Of<S extends Record<string, z.ZodType>> = { [K in keyof S]: z.infer<S[K]> }[keyof S];

export type BatchCommand = z.infer<typeof batchSchema>;
/** A command that writes and is no batch. */
export type WriteCommand = Of<typeof writeCommandSchemas>;
export type ReadCommand = Of<typeof readCommandSchemas>;
export type Command = WriteCommand | BatchCommand | ReadCommand;
export type CommandName = Command["command"];
export type CommandOf<N extends CommandName> = Extract<Command, { command: N }>;
