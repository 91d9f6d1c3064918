import type { EventMetadata } from "@palimpsest/core/events";
import { IdTable } from "../fold/id-table.ts";
import {
  appendFrame,
  appendShared,
  commandTwice,
  halfAppend,
  revisionGap,
  streamStart,
} from "../rules/history.ts";
import type { RuleInfo } from "../rules/rule.ts";

export interface FrameProblem {
  readonly rule: RuleInfo;
  readonly message: string;
  /** The event before is the one to point at. */
  readonly atPrevious?: boolean;
}

/** How events stand in their appends and in the stream. */
export class Frame {
  readonly #commands = new IdTable();
  #next = 0;
  #previous: EventMetadata | undefined;

  /** The append before is not complete yet. */
  get isOpen(): boolean {
    return this.#previous !== undefined && this.#previous.index < this.#previous.count - 1;
  }

  /** The place of the next event in the stream; `metadata` is undefined when it is not readable. */
  *next(revision: number, metadata: EventMetadata | undefined): Generator<FrameProblem> {
    if (revision !== this.#next) {
      const rule = this.#next === 0 ? streamStart : revisionGap;
      yield { rule, message: `revision ${revision} stands where ${this.#next} is expected` };
    }
    this.#next = revision + 1;
    if (metadata !== undefined) yield* this.#place(metadata, revision);
    this.#previous = metadata;
  }

  *#place(metadata: EventMetadata, revision: number): Generator<FrameProblem> {
    const { index, count, commandId, commandDigest } = metadata;
    const previous = this.#previous;
    const open = this.isOpen;
    if (index === 0) {
      if (open) yield { rule: halfAppend, message: halfMessage(previous), atPrevious: true };
      if (this.#commands.find(commandId) < 0) this.#commands.add(commandId);
      else yield { rule: commandTwice, message: `command ${commandId} has an append already` };
      return;
    }
    // A place beyond its append is found elsewhere, and says nothing here.
    if (index >= count || (previous === undefined && revision > 0)) return;
    if (previous === undefined) {
      yield { rule: appendFrame, message: `the stream begins with event ${index} of ${count}` };
    } else if (!open || index !== previous.index + 1 || count !== previous.count) {
      const before = `${previous.index} of ${previous.count}`;
      yield { rule: appendFrame, message: `event ${index} of ${count} follows ${before}` };
    } else if (commandId !== previous.commandId || commandDigest !== previous.commandDigest) {
      yield { rule: appendShared, message: "the events of one append name different commands" };
    }
  }

  /** What is wrong if the stream ends here. */
  *end(): Generator<FrameProblem> {
    if (this.isOpen) {
      yield { rule: halfAppend, message: halfMessage(this.#previous), atPrevious: true };
    }
  }
}

function halfMessage(metadata: EventMetadata | undefined): string {
  return `the append stops after ${(metadata?.index ?? 0) + 1} of its ${metadata?.count} events`;
}
