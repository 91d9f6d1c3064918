import type { Json, JsonObject } from "@palimpsest/core";
import { admitMessage, closeCalls } from "../draft/admit.ts";
import type { Block, Source } from "../draft/blocks.ts";
import {
  arrayAt,
  isBlank,
  isObject,
  leftOver,
  objectAt,
  providerOf,
  stringAt,
} from "../draft/blocks.ts";
import type { Draft } from "../draft/draft.ts";
import { replaceHistory, rollBack } from "../draft/edits.ts";
import type { LiveSpan } from "../draft/live.ts";
import type { RecordingReader, Steps } from "../draft/reader.ts";
import { count } from "../report.ts";
import type { Scan } from "../scan.ts";
import { DisplayedTexts } from "./displayed-texts.ts";
import { isAnswerItem, itemBlocks, likenessOf } from "./items.ts";

/** Items of the recorder's own: a commit it made of the working tree. */
const IGNORED_ITEMS = new Set(["ghost_snapshot"]);

/** Reads the rollout files of Codex. */
export class CodexReader implements RecordingReader {
  readonly #draft: Draft;
  readonly #scan: Scan;
  /** What the model wrote since the last message of anybody else. */
  #answer: Block[] = [];
  readonly #displayed = new DisplayedTexts();
  #instructions: string | undefined;
  #lastAt = 1;

  constructor(draft: Draft, scan: Scan) {
    this.#draft = draft;
    this.#scan = scan;
  }

  *accept(value: Json, from: Source): Steps {
    const { report } = this.#draft;
    this.#lastAt = from.at;
    if (!isObject(value)) return count(report.unplaced, "line that is not a JSON object", from.at);
    const type = stringAt(value, "type") ?? "without a type";
    const payload = objectAt(value, "payload");
    if (type === "turn_context") return count(report.ignored, type, from.at);
    if (!payload) return count(report.unplaced, `line of type ${type}`, from.at);
    if (type === "response_item") yield* this.#acceptItem(payload, from);
    else if (type === "compacted") yield* this.#acceptCompaction(payload, from);
    else if (type === "session_meta") yield* this.#acceptMeta(payload, from);
    else if (type === "event_msg") yield* this.#acceptEvent(payload, from);
    else count(report.unplaced, `line of type ${type}`, from.at);
  }

  *end(): Steps {
    yield* this.#finishAnswer();
    for (const { what, at } of this.#displayed.takeUnsaid()) {
      count(this.#draft.report.unplaced, what, at);
    }
    closeCalls(this.#draft, { at: this.#lastAt, text: "" });
    yield;
  }

  *#acceptItem(item: JsonObject, from: Source): Steps {
    const type = stringAt(item, "type") ?? "";
    if (IGNORED_ITEMS.has(type)) return count(this.#draft.report.ignored, type, from.at);
    const blocks = itemBlocks(item, from);
    this.#displayed.said(blocks);
    if (blocks.length === 0) return count(this.#draft.report.ignored, "empty message", from.at);
    if (isAnswerItem(item)) {
      this.#answer.push(...blocks);
      return;
    }
    yield* this.#finishAnswer();
    admitMessage(this.#draft, { blocks });
    yield;
  }

  *#finishAnswer(): Steps {
    const blocks = this.#answer;
    const last = blocks.at(-1);
    if (!last) return;
    this.#answer = [];
    admitMessage(this.#draft, { blocks });
    closeCalls(this.#draft, last.from, (call) => !this.#scan.answered.has(call.recordedId));
    yield;
  }

  /** The first line holds the system prompt; a session that was resumed has it again. */
  *#acceptMeta(meta: JsonObject, from: Source): Steps {
    const { report } = this.#draft;
    const base = meta.base_instructions ?? null;
    const text = stringAt(base, "text") ?? stringAt(meta, "base_instructions");
    const rest = isObject(base) ? leftOver(base, ["text"]) : undefined;
    const isUnknown = text === undefined && !isBlank(base);
    if (isUnknown || !isBlank(meta.instructions)) {
      count(report.unplaced, "session instructions", from.at);
    }
    if (!text || text === this.#instructions) {
      return count(report.ignored, "session_meta", from.at);
    }
    yield* this.#finishAnswer();
    this.#instructions = text;
    admitMessage(this.#draft, {
      blocks: [{ from, origin: "system", kind: "text", content: text, ...providerOf(rest) }],
    });
    yield;
  }

  /** Events repeat for the screen what items say; the one exception takes turns back. */
  *#acceptEvent(event: JsonObject, from: Source): Steps {
    const type = stringAt(event, "type") ?? "without a type";
    const turns = event.num_turns;
    if (type !== "thread_rolled_back" || typeof turns !== "number" || turns < 1) {
      this.#displayed.shown(event, from);
      return count(this.#draft.report.ignored, `event_msg ${type}`, from.at);
    }
    yield* this.#finishAnswer();
    const spans = this.#draft.live.spans;
    const prompts = spans.filter(
      (span, i) => span.origin === "user" && span.message !== spans[i - 1]?.message,
    );
    const first = prompts.at(-turns) ?? prompts[0];
    if (!first) return count(this.#draft.report.unplaced, "return to before all turns", from.at);
    const since = new Set(spans.slice(spans.indexOf(first)));
    rollBack(this.#draft, from, (span) => since.has(span));
    yield;
  }

  *#acceptCompaction(compacted: JsonObject, from: Source): Steps {
    yield* this.#finishAnswer();
    const summary = stringAt(compacted, "message") ?? "";
    const history = arrayAt(compacted, "replacement_history");
    const { message, replacement_history: replacement } = compacted;
    if ((summary === "" && !isBlank(message)) || (!history && !isBlank(replacement))) {
      count(this.#draft.report.unplaced, "compaction of an unknown form", from.at);
    }
    if (history) this.#replaceHistory(history, summary, from);
    else this.#keepPrompts(summary, from);
    yield;
  }

  /** What the new history repeats word for word stays where it is; the rest of it is added. */
  #replaceHistory(history: readonly Json[], summary: string, from: Source): void {
    const byLikeness = this.#liveByLikeness();
    const kept = new Set<LiveSpan>();
    const added: Block[][] = [];
    for (const item of history) {
      if (!isObject(item)) {
        count(this.#draft.report.unplaced, "history item that is not a JSON object", from.at);
        continue;
      }
      const original = byLikeness.get(likenessOf(item, from))?.shift();
      for (const span of original ?? []) kept.add(span);
      const blocks = original ? [] : itemBlocks(item, from).map(asInserted);
      this.#displayed.said(blocks);
      if (blocks.length > 0) added.push(blocks);
    }
    const isThere = added.some((blocks) => blocks.some((block) => block.content === summary));
    if (summary !== "" && !isThere) added.push([textByHost(summary, from)]);
    replaceHistory(this.#draft, from, (span) => !kept.has(span), added);
  }

  /** Spans of each message that still stands, oldest first. */
  #liveByLikeness(): Map<string, LiveSpan[][]> {
    const byLikeness = new Map<string, LiveSpan[][]>();
    let previous: LiveSpan | undefined;
    for (const span of this.#draft.live.spans) {
      if (span.likeness === undefined) continue;
      const known = byLikeness.get(span.likeness) ?? [];
      byLikeness.set(span.likeness, known);
      const continues = previous?.likeness === span.likeness && previous.at === span.at;
      if (continues) known.at(-1)?.push(span);
      else known.push([span]);
      previous = span;
    }
    return byLikeness;
  }

  /** Before histories were recorded, a compaction kept what was not the model's or a tool's. */
  #keepPrompts(summary: string, from: Source): void {
    const goes = (span: LiveSpan) =>
      span.origin === "assistant" || span.origin === "tool" || span.isResult === true;
    replaceHistory(this.#draft, from, goes, summary === "" ? [] : [[textByHost(summary, from)]]);
  }
}

function textByHost(content: string, from: Source): Block {
  return { from, origin: "host", kind: "text", content };
}

/** No text of a new history that nobody wrote before is the user's. */
function asInserted(block: Block): Block {
  return block.origin === "user" ? { ...block, origin: "host" } : block;
}
