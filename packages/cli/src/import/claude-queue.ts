import type { JsonObject } from "@palimpsest/core";
import type { Source } from "./blocks.ts";
import { stringAt } from "./blocks.ts";

interface Queued {
  readonly text: string;
  readonly from: Source;
}

/**
 * What the user typed while the model was at work. Such a text is recorded when it is queued; when
 * it is sent, it comes again on a line of its own, or, handed over in the middle of a turn, on no
 * line at all. So a text that left the queue waits for the next message and is placed before it,
 * unless that message is the text itself.
 */
export class PromptQueue {
  #waiting: Queued[] = [];
  #leaving: Queued[] = [];

  record(line: JsonObject, from: Source): void {
    const operation = stringAt(line, "operation");
    const text = stringAt(line, "content");
    if (operation === "enqueue" && text !== undefined) this.#waiting.push({ text, from });
    if (operation === "remove") this.#leaving.push(...this.#waiting.splice(0, 1));
  }

  /** A line repeats this text: it was sent. */
  seen(text: unknown): void {
    const other = (queued: Queued) => queued.text !== text;
    this.#waiting = this.#waiting.filter(other);
    this.#leaving = this.#leaving.filter(other);
  }

  /** The texts that were handed to the model without a line of their own. */
  takeSent(): Queued[] {
    return this.#leaving.splice(0);
  }

  /** The texts that were never sent. */
  takeUnsent(): Queued[] {
    return this.#waiting.splice(0);
  }
}
