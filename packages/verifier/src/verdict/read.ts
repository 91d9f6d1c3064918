import type { StoredEvent } from "@palimpsest/core/events";
import type { Probe, Verdict } from "./schema.ts";
import { verdictEventSchemas, verdictMetadataSchema } from "./schema.ts";

/** What an event of a verdict stream says; of an acknowledgement, the digest that it names. */
export type Said =
  | { readonly verdict: Verdict }
  | { readonly probe: Probe }
  | { readonly acknowledges: string };

/** Undefined for what is no event of the storage format, or said by a party that may not. */
export function readSaid(stored: StoredEvent, window: string): Said | undefined {
  const { type, data, metadata, undecodable } = stored;
  const meta = verdictMetadataSchema.safeParse(metadata);
  if (undecodable !== undefined || !meta.success) return undefined;
  const { by } = meta.data;
  if (type === "VerdictAcknowledged") {
    const parsed = verdictEventSchemas.VerdictAcknowledged.safeParse(data);
    return parsed.success && mayAcknowledge(by) ? { acknowledges: parsed.data.verdict } : undefined;
  }
  if (!by.startsWith("verifier/")) return undefined;
  if (type === "EditProbed") {
    const parsed = verdictEventSchemas.EditProbed.safeParse(data);
    return parsed.success ? { probe: parsed.data } : undefined;
  }
  if (type !== "VerdictIssued") return undefined;
  const parsed = verdictEventSchemas.VerdictIssued.safeParse(data);
  return parsed.success && parsed.data.window === window ? { verdict: parsed.data } : undefined;
}

/** Only a person or the host may say that a verdict was seen (design §9). */
export function mayAcknowledge(by: string): boolean {
  return /^(host|human)\/./.test(by);
}
