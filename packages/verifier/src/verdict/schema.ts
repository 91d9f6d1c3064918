import { digestSchema, idSchema, principalSchema } from "@palimpsest/core/events";
import { z } from "zod";

/*
 * ─────────────────────────────────────────────────────────────────────────────────────────────────
 * The storage format of the verdict stream. These names and fields are stored and signed; a field
 * that changes its meaning, or a new one, gets a new schema version.
 * ─────────────────────────────────────────────────────────────────────────────────────────────────
 */

export const VERDICT_SCHEMA_VERSION = 1;

const count = z.int().nonnegative();
const level = z.enum(["store", "process", "none"]);

export const findingSchema = z.strictObject({
  code: z.string().min(1),
  /** Of the event that breaks the rule; -1 when there is none to point at. */
  revision: z.int().min(-1),
  id: z.string(),
  message: z.string(),
  stream: z.literal("verdict").exactOptional(),
});

export const verdictIssued = z.strictObject({
  window: idSchema,
  /** Events covered: the verdict is about revisions 0 to size − 1. */
  size: count,
  /** Root of the RFC 6962 tree over them, 64 hex digits. */
  root: digestSchema,
  /** Claims by id: unretracted and retracted ones. */
  distinct: count,
  retracted: count,
  edits: count,
  records: count,
  /** Edits whose content was re-read from the store and hashed. */
  probed: count,
  status: z.enum(["holds", "incomplete", "violated"]),
  /** The first ones; `findingCount` counts all. */
  findings: z.array(findingSchema),
  findingCount: count,
  counts: z.strictObject({
    direct: count,
    settled: count,
    selfCommitted: count,
    refused: count,
  }),
  /** Whether renderings were recorded and compared, and whether a head was kept elsewhere. */
  shown: z.enum(["checked", "unchecked"]),
  rollback: z.enum(["checked", "unchecked"]),
  guarantees: z.strictObject({ appendOnly: level, writersSeparated: level }),
  /** SHA-256 of the note of the verdict before; null for the first one. */
  previous: digestSchema.nullable(),
  /** The verifier key, as `name+id+base64`. */
  key: z.string().min(1),
  /** The head as a C2SP signed note that binds all of the above. */
  note: z.string().min(1),
});

export const editProbed = z.strictObject({
  editId: idSchema,
  /** Where the edit lies in the window stream. */
  revision: count,
  outcome: z.enum(["proven", "lost"]),
});

/** A person or the host has seen what the verdict before it says (docs/decisions). */
export const verdictAcknowledged = z.strictObject({
  /** SHA-256 of the note of the last valid verdict before this event. */
  verdict: digestSchema,
});

export const verdictEventSchemas = {
  VerdictIssued: verdictIssued,
  EditProbed: editProbed,
  VerdictAcknowledged: verdictAcknowledged,
} as const;

type Schemas = typeof verdictEventSchemas;
export type VerdictEventType = keyof Schemas;

/** Type and data of an event of a verdict stream. */
export type VerdictEvent = {
  [T in VerdictEventType]: { readonly type: T; readonly data: z.infer<Schemas[T]> };
}[VerdictEventType];

export const verdictMetadataSchema = z.strictObject({
  /** Of the verifier's party; of an acknowledgement, who gives it: of the host's or a human. */
  by: principalSchema,
  /** ISO 8601, UTC. */
  at: z.iso.datetime(),
  schemaVersion: z.literal(VERDICT_SCHEMA_VERSION),
});

export type Verdict = z.infer<typeof verdictIssued>;
export type VerdictStatus = Verdict["status"];
export type Probe = z.infer<typeof editProbed>;
