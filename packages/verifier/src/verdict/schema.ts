import { digestSchema, idSchema, principalSchema } from "@palimpsest/core/events";
import * as z from "zod/mini";

/*
 * ─────────────────────────────────────────────────────────────────────────────────────────────────
 * The storage format of the verdict stream. These names and fields are stored and signed; a field
 * that changes its meaning, or a new one, gets a new schema version.
 * ─────────────────────────────────────────────────────────────────────────────────────────────────
 */

/** The version that events of the verdict stream are written in. */
export const VERDICT_SCHEMA_VERSION = 1;

const count = z.int().check(z.nonnegative());
const level = z.enum(["store", "process", "none"]);

export const findingSchema = z.strictObject({
  /** The code of the rule. */
  code: z.string().check(z.minLength(1)),
  /** Revision of the event that breaks the rule; -1 when there is no event to point at. */
  revision: z.int().check(z.minimum(-1)),
  /** Id of that event, or the empty string. */
  id: z.string(),
  /** For a person; cut off after 500 characters. */
  message: z.string(),
  /** Present when the event is in the verdict stream and not in the window. */
  stream: z.exactOptional(z.literal("verdict")),
});

export const verdictIssued = z.strictObject({
  /** The id of the window. */
  window: idSchema,
  /** Events covered: the verdict is about revisions 0 to size − 1. */
  size: count,
  /** Root of the RFC 6962 tree over them, 64 hex digits. */
  root: digestSchema,
  /** Claims that are not retracted, each id once. */
  distinct: count,
  /** Claims that are retracted, each id once. */
  retracted: count,
  /** Edits in the window. */
  edits: count,
  /** Recovery records in the window: as many, or something is wrong. */
  records: count,
  /** Edits whose content was re-read from the store and hashed. */
  probed: count,
  /** `incomplete`: nothing was found, and edits are still to be probed. */
  status: z.enum(["holds", "incomplete", "violated"]),
  /** What was found: the first 100. */
  findings: z.array(findingSchema),
  /** How many findings there are, also those beyond the first 100. */
  findingCount: count,
  /** How the edits of the window came about. */
  counts: z.strictObject({
    /** Rewrites and evicts without a proposal. */
    direct: count,
    /** Settlements that committed. */
    settled: count,
    /** Settlements with `unattended`. */
    selfCommitted: count,
    /** Settlements that refused. */
    refused: count,
  }),
  /** `checked` when renderings were recorded and all of them were compared. */
  shown: z.enum(["checked", "unchecked"]),
  /** `checked` when a head that was kept outside the store was compared. */
  rollback: z.enum(["checked", "unchecked"]),
  /** What the log states of itself. */
  guarantees: z.strictObject({ appendOnly: level, writersSeparated: level }),
  /** SHA-256 of the note of the verdict before; null for the first one. */
  previous: z.nullable(digestSchema),
  /** The verifier key, as `name+id+base64`. */
  key: z.string().check(z.minLength(1)),
  /** The head as a C2SP signed note that binds all of the above. */
  note: z.string().check(z.minLength(1)),
});

export const editProbed = z.strictObject({
  /** The id of the edit. */
  editId: idSchema,
  /** Where the edit lies in the window stream. */
  revision: count,
  /** `proven`: the content of every span that it took was read again and has its digest. */
  outcome: z.enum(["proven", "lost"]),
});

/** A person or the host has seen what the verdict before it says. */
export const verdictAcknowledged = z.strictObject({
  /** SHA-256 of the note of the last valid verdict before this event. */
  verdict: digestSchema,
});

/** The schemas of the data of each event, by its type. */
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
  /** Who wrote the event: the verifier; of an acknowledgement, the host or a person. */
  by: principalSchema,
  /** ISO 8601, UTC. */
  at: z.iso.datetime(),
  schemaVersion: z.literal(VERDICT_SCHEMA_VERSION),
});

/** What the verifier says of a window up to a revision, signed. */
export type Verdict = z.infer<typeof verdictIssued>;
export type VerdictStatus = Verdict["status"];
/** How the probe of an edit ended. */
export type Probe = z.infer<typeof editProbed>;
