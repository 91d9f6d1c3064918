import { verdictStream } from "../events/ids.ts";
import type { Json } from "../json/json.ts";
import { isJsonObject } from "../json/json.ts";
import type { LogReader, StoredEvent } from "../log/port.ts";

/** The version of the verdict stream's schema whose words are understood here. */
const UNDERSTOOD = 1;

/**
 * Number of events of the window that an event of its verdict stream says are covered; 0 when it
 * says `violated`, undefined when it says nothing of it. The stream belongs to the verifier: fields
 * that are known here are believed, everything else is passed by. Bad news is believed of any
 * version, good news of one that is understood. No signature is checked: that is an auditor's work.
 */
export function coverageOf({ type, data, metadata }: StoredEvent): number | undefined {
  if (type !== "VerdictIssued") return undefined;
  const { status, size } = fieldsOf(data);
  if (status === "violated") return 0;
  if (status !== "holds" || fieldsOf(metadata).schemaVersion !== UNDERSTOOD) return undefined;
  return typeof size === "number" && Number.isSafeInteger(size) && size >= 0 ? size : undefined;
}

/** What an event of the verdict stream says of the content of an edit; believed as verdicts are. */
export function probeOf({
  type,
  data,
  metadata,
}: StoredEvent): { editId: string; outcome: "proven" | "lost" } | undefined {
  if (type !== "EditProbed") return undefined;
  const { editId, outcome } = fieldsOf(data);
  if (typeof editId !== "string" || (outcome !== "proven" && outcome !== "lost")) return undefined;
  const isUnderstood = fieldsOf(metadata).schemaVersion === UNDERSTOOD;
  return outcome === "lost" || isUnderstood ? { editId, outcome } : undefined;
}

function fieldsOf(value: Json): Readonly<Record<string, Json | undefined>> {
  return isJsonObject(value) ? value : {};
}

/** Events of the first look back; each further one is twice as long, up to `MOST`. */
const FIRST = 16;
const MOST = 1_000;

/** How much of a window the last verdict covers. Reads what came since it was asked last. */
export class Coverage {
  #head = -1;
  #covered = 0;

  /** Number of events covered; 0 when there is no verdict, or a violation. */
  async upToNow(log: LogReader, window: string): Promise<number> {
    const stream = verdictStream(window);
    const head = (await log.head(stream)) ?? -1;
    // A stream that became shorter is another one: what was read of it counts no more.
    const known = head < this.#head ? -1 : this.#head;
    const found = await lastCoverage(log, stream, known + 1, head);
    this.#covered = found ?? (known < 0 ? 0 : this.#covered);
    this.#head = head;
    return this.#covered;
  }
}

/** Looks back from the end, so that a long stream of probes costs no more than its last verdict. */
async function lastCoverage(
  log: LogReader,
  stream: string,
  first: number,
  last: number,
): Promise<number | undefined> {
  let size = FIRST;
  for (let to = last; to >= first; size = Math.min(2 * size, MOST)) {
    const from = Math.max(first, to - size + 1);
    let found: number | undefined;
    for await (const page of log.read(stream, { from, to })) {
      for (const event of page) found = coverageOf(event) ?? found;
    }
    if (found !== undefined) return found;
    to = from - 1;
  }
  return undefined;
}
