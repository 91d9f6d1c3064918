import type { Json } from "@palimpsest/core";
import type { Source } from "./blocks.ts";

/** Complete whenever it yields: what was drafted up to there belongs into one append. */
export type Steps = Generator<void, void, void>;

/** Reads the values of one recording in their order and drafts commands for them. */
export interface RecordingReader {
  /** One line of a JSONL file, or a whole JSON document. */
  accept(value: Json, from: Source): Steps;
  /** Nothing comes any more. */
  end(): Steps;
}
