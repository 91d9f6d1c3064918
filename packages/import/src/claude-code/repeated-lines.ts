import type { JsonObject } from "@palimpsest/core";
import type { Source } from "../draft/blocks.ts";
import { isObject } from "../draft/blocks.ts";
import { textDigest, valueDigest } from "../exact-json.ts";

/** The lines of a recording by uuid. One that repeats means the last line that has it. */
export class RecordedLines {
  readonly #lines = new Map<string, { at: number; said: string }>();

  /** Takes a line in; true when the last line with its uuid said the same. */
  repeats(line: JsonObject, from: Source): boolean {
    if (from.uuid === undefined) return false;
    const said = saidBy(line, from);
    const isRepeated = this.#lines.get(from.uuid)?.said === said;
    if (!isRepeated) this.#lines.set(from.uuid, { at: from.at, said });
    return isRepeated;
  }

  /** Number of the line with this uuid. */
  lineOf(uuid: string): number | undefined {
    return this.#lines.get(uuid)?.at;
  }
}

/** Equal for lines that put the same before the model, whatever the recorder notes beside it. */
function saidBy(line: JsonObject, from: Source): string {
  const { type, isSidechain, message, attachment } = line;
  const content = isObject(message) ? message.content : message;
  const said = content ?? attachment;
  if (said === undefined) return textDigest(from.text);
  return valueDigest([type ?? null, isSidechain ?? null, said], from.text);
}
