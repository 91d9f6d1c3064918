import { windowStream } from "../events/ids.ts";
import type { RecordedWindowEvent } from "../events/schema.ts";
import { contentDigest } from "../json/digest.ts";
import { frozen } from "../json/frozen.ts";
import type { Json } from "../json/json.ts";
import { isJsonObject } from "../json/json.ts";
import type { LogReader, StoredEvent } from "../log/port.ts";
import type { ContentFact, ContentRef } from "../state/content.ts";
import { contentRef } from "../state/content.ts";
import { editAt, LIVE, markOf } from "../state/marks.ts";
import type { Span, WindowState } from "../state/state.ts";
import { spanAt } from "../state/state.ts";
import { replay } from "./replay.ts";

/** Content this far apart in revisions is fetched in one read. */
const READ_TOGETHER = 32;

/**
 * Re-reads content from the store and re-hashes it; by revision. Content that is gone, does not
 * decode or hashes to something else is a fact about the store, not an error.
 */
export async function readContent(
  log: LogReader,
  window: string,
  wanted: readonly ContentRef[],
): Promise<Map<number, ContentFact>> {
  const facts = new Map<number, ContentFact>();
  const refs = [...new Map(wanted.map((ref) => [ref.revision, ref])).values()];
  refs.sort((a, b) => a.revision - b.revision);
  for (const ref of refs) facts.set(ref.revision, missing(ref));
  for (const run of runsOf(refs)) {
    const [first, last] = [run[0], run.at(-1)];
    if (first === undefined || last === undefined) continue;
    const byRevision = new Map(run.map((ref) => [ref.revision, ref]));
    const pages = log.read(windowStream(window), { from: first.revision, to: last.revision });
    for await (const page of pages) {
      for (const event of page) {
        const ref = byRevision.get(event.revision);
        if (ref !== undefined) facts.set(event.revision, factOf(event, ref));
      }
    }
  }
  return facts;
}

function* runsOf(refs: readonly ContentRef[]): Generator<ContentRef[]> {
  let run: ContentRef[] = [];
  for (const ref of refs) {
    const last = run.at(-1);
    if (last !== undefined && ref.revision - last.revision > READ_TOGETHER) {
      yield run;
      run = [];
    }
    run.push(ref);
  }
  if (run.length > 0) yield run;
}

function missing({ revision }: ContentRef): ContentFact {
  return { intact: false, problem: `the store returns nothing for revision ${revision}` };
}

function factOf(event: StoredEvent, { digest, json }: ContentRef): ContentFact {
  const content = storedContent(event);
  if (content === undefined) return { intact: false, problem: "its event holds no content" };
  if ((typeof content !== "string") !== json) {
    return { intact: false, problem: json ? "it is text now" : "it is no longer text" };
  }
  const actual = contentDigest(content);
  if (actual === digest) return { intact: true, content };
  return { intact: false, problem: `it hashes to ${actual}, not to ${digest}` };
}

/** The content in an event as the store gave it, which may be anything. */
function storedContent(event: StoredEvent): Json | undefined {
  if (event.type === "SpanAdmitted") return field(event.data, "content");
  if (event.type !== "WindowEdited") return undefined;
  const creates = field(event.data, "creates");
  return creates === undefined ? undefined : field(creates, "content");
}

function field(value: Json, name: string): Json | undefined {
  if (!isJsonObject(value)) return undefined;
  return Object.hasOwn(value, name) ? Reflect.get(value, name) : undefined;
}

/** Content of the live spans, kept as it passes by; content of spans out of view is let go. */
export class LiveContents {
  readonly #byIndex = new Map<number, Json>();
  /** Spans whose content came from the store and was not hashed yet. */
  readonly #unchecked = new Set<number>();

  /** Takes note of events that were read: `after` is the state they led to from `before`. */
  follow(events: readonly RecordedWindowEvent[], before: WindowState, after: WindowState): void {
    const first = before.spans.size;
    this.followOwn(events, before, after);
    for (let index = first; index < after.spans.size; index += 1) {
      if (this.#byIndex.has(index)) this.#unchecked.add(index);
    }
  }

  /** The same of events that this process appended: their digests were just taken. */
  followOwn(events: readonly RecordedWindowEvent[], before: WindowState, after: WindowState): void {
    let index = before.spans.size;
    for (const event of events) {
      if (event.type === "SpanAdmitted") this.#add(after, index++, event.data.content);
      else if (event.type === "WindowEdited" && event.data.creates !== undefined) {
        this.#add(after, index++, event.data.creates.content);
      }
    }
    for (let ordinal = before.edits.size + 1; ordinal <= after.edits.size; ordinal += 1) {
      for (const { span } of editAt(after, ordinal).writes) {
        if (markOf(after, span) !== LIVE) this.#forget(span);
      }
    }
  }

  /** The content of a span as far as it is at hand; nothing is read. */
  peek(index: number): Json | undefined {
    return this.#byIndex.get(index);
  }

  #forget(index: number): void {
    this.#byIndex.delete(index);
    this.#unchecked.delete(index);
  }

  /** Whether the content of a span is at hand and hashes to what it should. */
  #isSound(state: WindowState, index: number): boolean {
    const content = this.#byIndex.get(index);
    if (content === undefined) return false;
    if (!this.#unchecked.has(index)) return true;
    this.#unchecked.delete(index);
    if (contentDigest(content) === contentRef(state, spanAt(state, index)).digest) return true;
    this.#forget(index);
    return false;
  }

  #add(state: WindowState, index: number, content: Json | undefined): void {
    if (content !== undefined && markOf(state, index) === LIVE) {
      this.#byIndex.set(index, frozen(content));
    }
  }

  /**
   * A lookup that is complete for the live spans of `state`; what came back into view is read
   * from the store first. Content is hashed once before it is shown. What the store lost or changed
   * is shown as lost, never made up.
   */
  async lookup(log: LogReader, state: WindowState): Promise<(span: Span) => Json> {
    const wanted: Span[] = [];
    for (const { span, live } of state.slots.occupants()) {
      if (live && !this.#isSound(state, span)) wanted.push(spanAt(state, span));
    }
    const facts = await readContent(
      log,
      state.window,
      wanted.map((span) => contentRef(state, span)),
    );
    for (const span of wanted) {
      const fact = facts.get(span.contentRevision);
      if (fact?.intact === true) this.#byIndex.set(span.index, frozen(fact.content));
    }
    return (span) => {
      const content = this.#byIndex.get(span.index);
      return content === undefined ? lostText(span) : content;
    };
  }
}

/** What stands in a rendering for content that the store lost. */
export function lostText(span: Span): string {
  return `[the content of span ${span.id} is lost: the store no longer holds it]`;
}

/** The state of a window at revision `to`, and the content that was live there. */
export async function replayWithContents(
  log: LogReader,
  window: string,
  to: number,
): Promise<{ readonly state: WindowState; readonly contents: LiveContents }> {
  const contents = new LiveContents();
  const state = await replay(log, window, {
    to,
    onPage: (page, before, after) => contents.follow(page, before, after),
  });
  return { state, contents };
}
