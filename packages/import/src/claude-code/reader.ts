import type { Json, JsonObject } from "@palimpsest/core";
import { admitMessage, closeCalls } from "../draft/admit.ts";
import type { Block, Source } from "../draft/blocks.ts";
import { isBlank, isObject, objectAt, stringAt } from "../draft/blocks.ts";
import type { Draft } from "../draft/draft.ts";
import { compact, replaceHistory, rollBack } from "../draft/edits.ts";
import type { LiveSpan } from "../draft/live.ts";
import type { RecordingReader, Steps } from "../draft/reader.ts";
import { count } from "../report.ts";
import type { Scan } from "../scan.ts";
import {
  assistantBlocks,
  attachmentBlock,
  queuedBlock,
  summaryBlock,
  userBlocks,
} from "./blocks.ts";
import { PromptQueue } from "./queue.ts";
import { RecordedLines } from "./repeated-lines.ts";
import type { Boundary } from "./view.ts";
import { boundaryOf, contentReplacement, microcompact } from "./view.ts";

/** Lines that hold no part of the conversation. */
const IGNORED_TYPES = new Set([
  "agent-color",
  "agent-name",
  "agent-setting",
  "ai-title",
  "attribution-snapshot",
  "custom-title",
  "file-history-snapshot",
  "last-prompt",
  "mode",
  "permission-mode",
  "pr-link",
  "progress",
  "speculation-accept",
  "summary",
  "tag",
  "task-summary",
  "worktree-state",
]);

/** Subtypes of `system` lines that the program keeps for itself. */
const IGNORED_SYSTEM = new Set(["api_error", "api_metrics", "stop_hook_summary", "turn_duration"]);

/** One answer of the model, spread over several lines with one message id. */
interface Answer {
  readonly id: string | undefined;
  readonly blocks: Block[];
}

/** Reads the JSONL files of Claude Code. */
export class ClaudeCodeReader implements RecordingReader {
  readonly #draft: Draft;
  readonly #scan: Scan;
  readonly #queue = new PromptQueue();
  readonly #lines = new RecordedLines();
  #answer: Answer | undefined;
  #boundary: Boundary | undefined;
  #compactedAt = 0;
  #lastAt = 1;

  constructor(draft: Draft, scan: Scan) {
    this.#draft = draft;
    this.#scan = scan;
  }

  *accept(value: Json, line: Source): Steps {
    const { report } = this.#draft;
    this.#lastAt = line.at;
    if (!isObject(value)) return count(report.unplaced, "line that is not a JSON object", line.at);
    const uuid = stringAt(value, "uuid");
    const from = { ...line, uuid };
    const type = stringAt(value, "type") ?? "without a type";
    const isRepeated = this.#lines.repeats(value, from);
    if (this.#isOfOtherChain(value)) {
      return count(report.unplaced, "message of a side chain", line.at);
    }
    if (IGNORED_TYPES.has(type)) return count(report.ignored, type, line.at);
    if (isRepeated) return count(report.ignored, "repeated line", line.at);
    if (type === "assistant") yield* this.#acceptAnswer(value, from);
    else if (type === "user") yield* this.#acceptUser(value, from);
    else if (type === "system") yield* this.#acceptSystem(value, from);
    else if (type === "attachment") yield* this.#acceptAttachment(value, from);
    else if (type === "queue-operation") this.#acceptQueue(value, from);
    else if (type === "content-replacement") {
      yield* this.#finishAnswer();
      contentReplacement(value, from, this.#draft);
      yield;
    } else count(report.unplaced, `line of type ${type}`, line.at);
  }

  *end(): Steps {
    yield* this.#finishAnswer();
    yield* this.#compactWithoutSummary();
    yield* this.#placeQueued();
    for (const { from } of this.#queue.takeUnsent()) {
      count(this.#draft.report.unplaced, "queued text that was never sent", from.at);
    }
    closeCalls(this.#draft, { at: this.#lastAt, text: "" });
    yield;
  }

  /** The progress of a side chain repeats its messages. */
  #isOfOtherChain(line: JsonObject): boolean {
    if (line.type === "progress") return objectAt(line.data, "message") !== undefined;
    return this.#scan.hasMainChain && line.isSidechain === true;
  }

  *#acceptAnswer(line: JsonObject, from: Source): Steps {
    const id = stringAt(line.message, "id");
    if (id === undefined || id !== this.#answer?.id) {
      yield* this.#finishAnswer();
      yield* this.#compactWithoutSummary();
      yield* this.#placeQueued();
    }
    const blocks = assistantBlocks(line, from);
    if (!blocks) return this.#unreadable(from);
    if (blocks.length === 0) count(this.#draft.report.ignored, "empty message", from.at);
    else if (this.#answer) this.#answer.blocks.push(...blocks);
    else this.#answer = { id, blocks };
  }

  *#finishAnswer(): Steps {
    const answer = this.#answer;
    const last = answer?.blocks.at(-1);
    if (!answer || !last) return;
    this.#answer = undefined;
    admitMessage(this.#draft, { ...answer, mayContinue: true });
    closeCalls(this.#draft, last.from, (call) => !this.#scan.answered.has(call.recordedId));
    yield;
  }

  *#acceptUser(line: JsonObject, from: Source): Steps {
    yield* this.#finishAnswer();
    if (line.isCompactSummary === true) {
      yield* this.#acceptSummary(line, from);
      return;
    }
    const blocks = userBlocks(line, from);
    if (!blocks) return this.#unreadable(from);
    if (blocks.length === 0) return count(this.#draft.report.ignored, "empty message", from.at);
    if (blocks.every((block) => block.kind !== "tool-result") && line.isMeta !== true) {
      yield* this.#goBack(line, from);
    }
    for (const block of blocks) this.#queue.seen(block.content);
    yield* this.#placeQueued();
    admitMessage(this.#draft, { id: from.uuid, blocks });
    yield;
  }

  #unreadable(from: Source): void {
    count(this.#draft.report.unplaced, "message of an unknown form", from.at);
  }

  *#acceptSummary(line: JsonObject, from: Source): Steps {
    const summary = summaryBlock(line, from);
    if (!summary) return this.#unreadable(from);
    const boundary = this.#boundary;
    this.#boundary = undefined;
    this.#compactedAt = from.at;
    if (!boundary) closeCalls(this.#draft, from);
    compact(this.#draft, summary, boundary?.takes ?? (() => true));
    yield;
  }

  *#acceptSystem(line: JsonObject, from: Source): Steps {
    const subtype = stringAt(line, "subtype") ?? "";
    const content = line.content ?? "";
    if (subtype === "compact_boundary") {
      yield* this.#finishAnswer();
      yield* this.#compactWithoutSummary();
      yield* this.#placeQueued();
      this.#boundary = boundaryOf(line, from, this.#draft);
      yield;
    } else if (subtype === "microcompact_boundary") {
      yield* this.#finishAnswer();
      microcompact(line, from, this.#draft);
      yield;
    } else if (IGNORED_SYSTEM.has(subtype) || line.content === "") {
      count(this.#draft.report.ignored, `system ${subtype}`.trim(), from.at);
    } else if (isBlank(content)) {
      count(this.#draft.report.unplaced, `system ${subtype}`.trim(), from.at);
    } else {
      this.#queue.seen(content);
      yield* this.#placeQueued();
      const kind = typeof content === "string" ? "text" : "other";
      yield* this.#place({ from, origin: "host", kind, content });
    }
  }

  /** A boundary whose summary never came: what it removed left the view all the same. */
  *#compactWithoutSummary(): Steps {
    const boundary = this.#boundary;
    if (!boundary) return;
    this.#boundary = undefined;
    this.#compactedAt = boundary.from.at;
    replaceHistory(this.#draft, boundary.from, boundary.takes, []);
    yield;
  }

  /** Other texts that left the queue with a queued one have attachments of their own to come. */
  *#acceptAttachment(line: JsonObject, from: Source): Steps {
    const attachment = line.attachment ?? null;
    if (isBlank(attachment)) return count(this.#draft.report.ignored, "empty attachment", from.at);
    const block = attachmentBlock(attachment, from);
    this.#queue.seen(block.content);
    if (block.kind === "other") yield* this.#placeQueued();
    yield* this.#place(block);
  }

  /** One block that is a message of its own. */
  *#place(block: Block): Steps {
    yield* this.#finishAnswer();
    admitMessage(this.#draft, { id: block.from.uuid, blocks: [block] });
    yield;
  }

  #acceptQueue(line: JsonObject, from: Source): void {
    const { ignored, unplaced } = this.#draft.report;
    if (this.#queue.record(line, from)) count(ignored, "queue-operation", from.at);
    else count(unplaced, "queue-operation of an unknown form", from.at);
  }

  *#placeQueued(): Steps {
    for (const { text, from } of this.#queue.takeHandedOver())
      yield* this.#place(queuedBlock(text, from));
  }

  /**
   * A prompt whose parent lies before messages still in view: the user went back and said something
   * else, and the model no longer saw what came between. Results of parallel calls branch too; a
   * bond to a call that stays keeps them.
   */
  *#goBack(line: JsonObject, from: Source): Steps {
    const parent = this.#lines.lineOf(stringAt(line, "parentUuid") ?? "");
    if (parent === undefined) return;
    const isTurn = ({ at, origin }: LiveSpan) =>
      at > parent && (origin === "assistant" || origin === "user");
    if (!this.#draft.live.spans.some(isTurn)) return;
    if (parent < this.#compactedAt) {
      return count(this.#draft.report.unplaced, "return to before a compaction", from.at);
    }
    rollBack(this.#draft, from, (span) => span.at > parent);
    yield;
  }
}
