import type { BatchItem, Json, JsonObject } from "@palimpsest/core";
import { admissible } from "../exact-json.ts";
import type { ImportReport } from "../report.ts";
import type { ImportNote, ImportStep } from "../step.ts";
import type { Source } from "./blocks.ts";
import { CallBook } from "./calls.ts";
import { IdBook, SpanNamer } from "./ids.ts";
import type { LiveSpan } from "./live.ts";
import { LiveView } from "./live.ts";

export type AdmitSpan = Extract<BatchItem, { command: "admitSpan" }>;

/** What says which message of the window a message of a recording is. */
export interface RecordedMessage {
  /** The recorder's id; absent where the format has none. */
  readonly id?: string | undefined;
  /** The recorder spreads messages over several places; else a known id is a repeated one. */
  readonly mayContinue?: boolean;
}

/** A message that has spans already; further blocks of it go on counting. */
export interface PlacedMessage {
  readonly id: string;
  nextIndex: number;
}

/**
 * What is known of the window while a recording is read, and the commands of the step that is being
 * written. The formats decide what happens; this keeps the books of it.
 */
export class Draft {
  readonly report: ImportReport;
  readonly live = new LiveView();
  readonly calls = new CallBook();
  readonly spanIds = new SpanNamer();
  readonly #messageIds = new IdBook("m");
  readonly #messages = new Map<string, PlacedMessage>();
  #commands: BatchItem[] = [];
  #notes: ImportNote[] = [];

  constructor(report: ImportReport) {
    this.report = report;
  }

  push(command: BatchItem): void {
    this.#commands.push(command);
  }

  admit(command: AdmitSpan, live: LiveSpan): void {
    this.#commands.push(command);
    this.live.add(live);
    this.report.spans += 1;
  }

  note(what: ImportNote["what"], at: number, id: string): void {
    this.#notes.push({ what, at, id });
  }

  /** The message of a recorded id: the one that it continues, or a new one. */
  messageOf({ id: recordedId, mayContinue }: RecordedMessage, at: number): PlacedMessage {
    const placed = recordedId === undefined ? undefined : this.#messages.get(recordedId);
    if (placed && mayContinue === true) {
      this.report.splitMessages += 1;
      this.note("split-message", at, placed.id);
      return placed;
    }
    const { id, renamed } = this.#messageIds.give(recordedId, at);
    if (renamed) this.report.renamedMessages += 1;
    this.report.messages += 1;
    const message = { id, nextIndex: 0 };
    if (recordedId !== undefined && mayContinue === true) this.#messages.set(recordedId, message);
    return message;
  }

  /** A value as the window takes it; what is not stored as it was recorded is counted. */
  stored<T extends Json | JsonObject>(value: T, from: Source, spanId: string): T | string {
    const taken = admissible(value, from.text);
    if (taken === value) return value;
    this.report.altered += 1;
    this.note("altered", from.at, spanId);
    return taken as string;
  }

  /** The step written so far, if anything was, and a new one begins. */
  take(bytesRead: number): ImportStep | undefined {
    if (this.#commands.length === 0) return undefined;
    const step = { commands: this.#commands, bytesRead, notes: this.#notes };
    this.#commands = [];
    this.#notes = [];
    return step;
  }
}
