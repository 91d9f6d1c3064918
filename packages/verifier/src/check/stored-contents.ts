import type { Json, StoredEvent } from "@palimpsest/core/events";
import { windowStream } from "@palimpsest/core/events";
import { hasCanonicalForm } from "../json/canonical.ts";
import { contentOf } from "../merkle/leaf.ts";
import type { Reader } from "./reader.ts";
import type { Shown } from "./shown.ts";
import { shownNow } from "./shown.ts";
import { tokenCounter } from "./tokens.ts";
import type { CheckOptions, WindowCheck } from "./window-check.ts";

/** Revisions this near to each other are read in one go. */
const NEAR = 64;

/**
 * Hands an event to the check, after whatever the check wants from the store for it. Most events
 * want nothing; then there is nothing to wait for.
 */
export function takeEvent(
  log: Reader,
  check: WindowCheck,
  event: StoredEvent,
): Promise<void> | undefined {
  const wanted = check.wants(event);
  if (wanted.length > 0) return supplyAndTake(log, check, event, wanted);
  check.take(event);
  return undefined;
}

async function supplyAndTake(
  log: Reader,
  check: WindowCheck,
  event: StoredEvent,
  wanted: readonly number[],
): Promise<void> {
  check.supply(await readContents(log, windowStream(check.window), wanted));
  check.take(event);
}

/** The contents at these revisions, as far as the store has them. */
export async function readContents(
  log: Reader,
  stream: string,
  revisions: readonly number[],
): Promise<Map<number, Json>> {
  const contents = new Map<number, Json>();
  const wanted = new Set(revisions);
  for (const [from, to] of stretches(revisions)) {
    for await (const page of log.read(stream, { from, to })) {
      for (const { revision, data } of page) {
        const content = wanted.has(revision) ? contentOf(data) : undefined;
        // What somebody has put there since may be anything.
        if (content !== undefined && hasCanonicalForm(content)) contents.set(revision, content);
      }
    }
  }
  return contents;
}

/** The rendering of the state that a check has reached. */
export async function renderedNow(
  log: Reader,
  check: WindowCheck,
  options: CheckOptions = {},
): Promise<Shown> {
  const wanted = check.liveContents().filter((revision) => !check.contents.has(revision));
  const contents = await readContents(log, windowStream(check.window), wanted);
  return shownNow(
    check.fold,
    (revision) => (contents.has(revision) ? contents.get(revision) : check.contents.at(revision)),
    tokenCounter(check.fold.tokenizer, options.tokenizers),
  );
}

function stretches(revisions: readonly number[]): [from: number, to: number][] {
  const sorted = [...revisions].sort((a, b) => a - b);
  const found: [number, number][] = [];
  for (const revision of sorted) {
    const last = found.at(-1);
    if (last !== undefined && revision - last[1] <= NEAR) last[1] = revision;
    else found.push([revision, revision]);
  }
  return found;
}
