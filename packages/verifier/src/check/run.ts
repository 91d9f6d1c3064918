import type { Json, StoredEvent } from "@palimpsest/core/events";
import { windowStream } from "@palimpsest/core/events";
import { hasCanonicalForm } from "../json/canonical.ts";
import { contentOf } from "../merkle/leaf.ts";
import type { Reader } from "./reader.ts";
import type { Shown } from "./shown.ts";
import { shownNow } from "./shown.ts";
import { tokenCounter } from "./tokens.ts";
import type { CheckOptions, Wanted } from "./window-check.ts";
import { WindowCheck } from "./window-check.ts";

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
  options: CheckOptions = {},
): Promise<void> | undefined {
  const wanted = check.wants(event);
  if (wanted.contents.length > 0 || wanted.renderAt !== undefined) {
    return supplyAndTake(log, check, event, wanted, options);
  }
  check.take(event);
  return undefined;
}

async function supplyAndTake(
  log: Reader,
  check: WindowCheck,
  event: StoredEvent,
  wanted: Wanted,
  options: CheckOptions,
): Promise<void> {
  const contents = await readContents(log, windowStream(check.window), wanted.contents);
  check.supply(contents, await renderedAt(log, check, wanted, options));
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

/** Another fold up to an earlier revision: hosts render the head, so this is rare. */
async function renderedAt(
  log: Reader,
  check: WindowCheck,
  { renderAt }: Wanted,
  options: CheckOptions,
): Promise<Shown | undefined> {
  if (renderAt === undefined || check.lateRenderings >= MAX_LATE) return undefined;
  check.lateRenderings += 1;
  const earlier = new WindowCheck(check.window, options);
  for await (const page of log.read(windowStream(check.window), { to: renderAt })) {
    for (const event of page) earlier.take(event);
  }
  return renderedNow(log, earlier, options);
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
    (revision) => check.contents.at(revision) ?? contents.get(revision),
    tokenCounter(check.fold.tokenizer, options.tokenizers),
  );
}

/** Most renderings of one check that are worth a fold of their own. */
const MAX_LATE = 16;

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
