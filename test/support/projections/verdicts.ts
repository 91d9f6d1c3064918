import { randomUUID } from "node:crypto";
import type { EventToAppend, JsonObject } from "@palimpsest/core";

/** An event of a verdict stream, as far as projections read it. */
export function verdict(type: "VerdictIssued" | "EditProbed", data: JsonObject): EventToAppend {
  return { id: randomUUID(), type, data, metadata: { schemaVersion: 1 } };
}
