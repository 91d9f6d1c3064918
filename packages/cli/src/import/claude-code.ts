import type { Json, JsonObject } from "@palimpsest/core";
import { admitMessage, closeCalls } from "./admit.ts";
import type { Block, Source } from "./blocks.ts";
import { isObject, stringAt } from "./blocks.ts";
import { assistantBlocks, attachmentBlock, summaryBlock, userBlocks } from "./claude-blocks.ts";
import { PromptQueue } from "./claude-queue.ts";
import type { Boundary } from "./claude-view.ts";
import { boundaryOf, contentReplacement, microcompact } from "./claude-view.ts";
import type { Draft } from "./draft.ts";
import { compact, replaceHistory, rollBack } from "./edits.ts";
import type { LiveSpan } from "./live.ts";
import type { RecordingReader, Steps } from "./reader.ts";
import { count } from "./report.ts";

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
  readonly #answered: ReadonlySet<string>;
  readonly #queue = new PromptQueue();
  /** Line of each recorded uuid. */
  readonly #lines = new Map<string, number>();
  #answer: Answer | undefined;
  #boundary: Boundary | undefined;
  #compactedAt = 0;
  #lastAt = 1;
  /** Whether this file is the record of a side chain; the first message decides. */
  #sidechain: boolean | undefined;

  constructor(draft: Draft, answered: ReadonlySet<string>) {
    this.#draft = draft;
    this.#answered = answered;
  }

  *accept(value: Json, line: Source): Steps {
    const { report } = this.#draft;
    this.#lastAt = line.at;
    if (!isObject(value)) return count(report.unplaced, "line that is no JSON object", line.at);
    const uuid = stringAt(value, "uuid");
    const from = { ...line, uuid };
    if (uuid !== undefined) {
      if (this.#lines.has(uuid)) return count(report.ignored, "repeated line", line.at);
      this.#lines.set(uuid, line.at);
    }
    const type = stringAt(value, "type") ?? "without a type";
    if (IGNORED_TYPES.has(type)) return count(report.ignored, type, line.at);
    if (this.#isOtherChain(value, type)) {
      return count(report.unplaced, "message of a side chain", line.at);
    }
    if (type === "assistant") yield* this.#acceptAnswer(value, from);
    else if (type === "user") yield* this.#acceptUser(value, from);
    else if (type === "system") yield* this.#acceptSystem(value, from);
    else if (type === "attachment") yield* this.#place(attachmentBlock(value, from));
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

  #isOtherChain(line: JsonObject, type: string): boolean {
    const sidechain = line.isSidechain;
    if (type === "user" || type === "assistant") this.#sidechain ??= sidechain === true;
    if (this.#sidechain === undefined || typeof sidechain !== "boolean") return false;
    return sidechain !== this.#sidechain;
  }

  *#acceptAnswer(line: JsonObject, from: Source): Steps {
    const id = stringAt(line.message, "id");
    if (id === undefined || id !== this.#answer?.id) {
      yield* this.#finishAnswer();
      yield* this.#compactWithoutSummary();
      yield* this.#placeQueued();
    }
    const blocks = assistantBlocks(line, from);
    if (blocks.length === 0) count(this.#draft.report.ignored, "empty message", from.at);
    else if (this.#answer) this.#answer.blocks.push(...blocks);
    else this.#answer = { id, blocks };
  }

  *#finishAnswer(): Steps {
    const answer = this.#answer;
    const last = answer?.blocks.at(-1);
    if (!answer || !last) return;
    this.#answer = undefined;
    admitMessage(this.#draft, answer);
    closeCalls(this.#draft, last.from, (call) => !this.#answered.has(call.recordedId));
    yield;
  }

  *#acceptUser(line: JsonObject, from: Source): Steps {
    yield* this.#finishAnswer();
    if (line.isCompactSummary === true) {
      yield* this.#acceptSummary(line, from);
      return;
    }
    const blocks = userBlocks(line, from);
    if (blocks.length === 0) return count(this.#draft.report.ignored, "empty message", from.at);
    if (blocks.every((block) => block.kind !== "tool-result") && line.isMeta !== true) {
      yield* this.#goBack(line, from);
    }
    for (const block of blocks) if (block.origin === "user") this.#queue.seen(block.content);
    yield* this.#placeQueued();
    admitMessage(this.#draft, { id: from.uuid, blocks });
    yield;
  }

  *#acceptSummary(line: JsonObject, from: Source): Steps {
    const boundary = this.#boundary;
    this.#boundary = undefined;
    this.#compactedAt = from.at;
    if (!boundary) closeCalls(this.#draft, from);
    compact(this.#draft, summaryBlock(line, from), boundary?.takes ?? (() => true));
    yield;
  }

  *#acceptSystem(line: JsonObject, from: Source): Steps {
    const subtype = stringAt(line, "subtype") ?? "";
    const content = stringAt(line, "content") ?? "";
    if (subtype === "compact_boundary") {
      yield* this.#finishAnswer();
      yield* this.#compactWithoutSummary();
      yield* this.#placeQueued();
      closeCalls(this.#draft, from);
      yield;
      this.#boundary = boundaryOf(line, from, this.#draft);
    } else if (subtype === "microcompact_boundary") {
      yield* this.#finishAnswer();
      microcompact(line, from, this.#draft);
      yield;
    } else if (IGNORED_SYSTEM.has(subtype) || content === "") {
      count(this.#draft.report.ignored, `system ${subtype}`.trim(), from.at);
    } else yield* this.#place({ from, origin: "host", kind: "text", content });
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

  /** One block that is a message of its own. */
  *#place(block: Block): Steps {
    yield* this.#finishAnswer();
    this.#queue.seen(block.content);
    yield* this.#placeQueued();
    admitMessage(this.#draft, { id: block.from.uuid, blocks: [block] });
    yield;
  }

  #acceptQueue(line: JsonObject, from: Source): void {
    this.#queue.record(line, from);
    count(this.#draft.report.ignored, "queue-operation", from.at);
  }

  *#placeQueued(): Steps {
    for (const { text, from } of this.#queue.takeSent()) {
      yield* this.#finishAnswer();
      admitMessage(this.#draft, {
        blocks: [{ from, origin: "user", kind: "text", content: text }],
      });
      yield;
    }
  }

  /**
   * A prompt whose parent lies before messages still in view: the user went back and said something
   * else, and the model no longer saw what came between. Results of parallel calls branch too; a
   * bond to a call that stays keeps them.
   */
  *#goBack(line: JsonObject, from: Source): Steps {
    const parent = this.#lines.get(stringAt(line, "parentUuid") ?? "");
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
