import { windowStream } from "@palimpsest/core/events";
import { sha256Hex } from "#platform";
import type { Reader } from "../check/reader.ts";
import { readContents } from "../check/stored-contents.ts";
import { LIVE } from "../fold/spans.ts";
import { contentText } from "../json/canonical.ts";
import type { Probe } from "../verdict/schema.ts";
import type { WindowSession } from "../verify/session.ts";

/** Numbers of the edits that were not probed yet, in order. */
export function* unprobed(session: WindowSession): Generator<number> {
  const { check, probes } = session;
  const { edits } = check.fold;
  for (let number = session.firstUnprobed; number <= edits.size; number += 1) {
    if (!probes.has(edits.id(number))) yield number;
    else if (number === session.firstUnprobed) session.firstUnprobed += 1;
  }
}

/** Reads the content of every span that the edit took from the store again, and hashes it. */
export async function probeEdit(
  log: Reader,
  { check }: WindowSession,
  number: number,
): Promise<{ readonly probe: Probe; readonly spans: number }> {
  const { edits, spans } = check.fold;
  const taken = [...edits.writes(number)]
    .filter(({ before, after }) => before === LIVE && after !== LIVE)
    .map(({ span }) => span);
  const revisions = taken.map((span) => spans.contentRevision(span));
  const contents = await readContents(log, windowStream(check.window), revisions);
  const isProven = taken.every((span) => {
    const content = contents.get(spans.contentRevision(span));
    if (content === undefined || (typeof content !== "string") !== spans.isJson(span)) return false;
    return spans.hasDigest(span, sha256Hex(contentText(content)));
  });
  const outcome = isProven ? "proven" : "lost";
  const probe: Probe = { editId: edits.id(number), revision: edits.revision(number), outcome };
  return { probe, spans: taken.length };
}
