import type { StoredEvent } from "@palimpsest/core/events";
import type { VerdictEvent, VerdictEventType } from "./schema.ts";
import { verdictEventSchemas, verdictMetadataSchema } from "./schema.ts";

/** Who may write an event of a type (design §9). */
const mayWrite: Readonly<Record<VerdictEventType, (by: string) => boolean>> = {
  VerdictIssued: isVerifier,
  EditProbed: isVerifier,
  VerdictAcknowledged: mayAcknowledge,
};

/**
 * Reads a stored event of the verdict stream of a window. Undefined for anything else, and for an
 * event whose writer may not write it. Total: takes any value.
 */
export function readVerdictEvent(stored: StoredEvent, window: string): VerdictEvent | undefined {
  const { type, data, metadata, undecodable } = stored;
  const meta = verdictMetadataSchema.safeParse(metadata);
  if (undecodable !== undefined || !meta.success || !isVerdictEventType(type)) return undefined;
  if (!mayWrite[type](meta.data.by)) return undefined;
  switch (type) {
    case "VerdictIssued": {
      const parsed = verdictEventSchemas[type].safeParse(data);
      const isOfWindow = parsed.success && parsed.data.window === window;
      return isOfWindow ? { type, data: parsed.data } : undefined;
    }
    case "EditProbed": {
      const parsed = verdictEventSchemas[type].safeParse(data);
      return parsed.success ? { type, data: parsed.data } : undefined;
    }
    case "VerdictAcknowledged": {
      const parsed = verdictEventSchemas[type].safeParse(data);
      return parsed.success ? { type, data: parsed.data } : undefined;
    }
    default:
      // A type that is not handled above does not compile.
      return type satisfies never;
  }
}

function isVerdictEventType(type: string): type is VerdictEventType {
  return Object.hasOwn(verdictEventSchemas, type);
}

function isVerifier(by: string): boolean {
  return by.startsWith("verifier/");
}

/** Only a person or the host may say that a verdict was seen (design §9). */
export function mayAcknowledge(by: string): boolean {
  return /^(host|human)\/./.test(by);
}
