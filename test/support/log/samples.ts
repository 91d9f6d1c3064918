import { randomUUID } from "node:crypto";
import type { EventToAppend } from "@palimpsest/core";

/** The events of append number `append`, which know their place in it. */
export function appendOf(append: number, count: number, text = ""): EventToAppend[] {
  return Array.from({ length: count }, (_, index) => ({
    id: randomUUID(),
    type: "SpanAdmitted",
    data: { append, text },
    metadata: { index, count },
  }));
}
