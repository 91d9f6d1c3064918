import type { Json } from "@palimpsest/core";

/** Subscribers share the content of a live span; none of them may change it for the others. */
export function frozen(content: Json): Json {
  if (typeof content !== "object" || content === null || Object.isFrozen(content)) return content;
  for (const part of Object.values(content)) frozen(part);
  return Object.freeze(content);
}
