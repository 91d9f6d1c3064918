import type { Tokenizer, WindowView } from "@palimpsest/core";
import type { WindowState } from "@palimpsest/core/state";
import { initialState } from "@palimpsest/core/state";
import type { Gap, WindowTokens } from "@palimpsest/core/view";
import { shownSpans, viewOf, windowTokens } from "@palimpsest/core/view";
import type { WindowChanges } from "./changes.ts";
import { changesBetween } from "./changes.ts";
import { contentIn } from "./contents.ts";
import type { Reading } from "./reading.ts";

/**
 * A window at one revision. A value: it never changes, whatever is appended later. What costs as
 * much as the window is large (`spans`, `gaps`, `ledger`, `rendered`) is made when it is read.
 */
export class LiveWindow {
  readonly #reading: Reading;
  readonly #tokenizer: Tokenizer;
  readonly #before: WindowState;
  /** Revision up to which a verdict covers the window; null: none does. */
  readonly verified: number | null;
  #tokens: WindowTokens | undefined;
  #changes: WindowChanges | undefined;
  #spans: Pick<WindowView, "spans" | "gaps"> | undefined;
  #view: WindowView | undefined;

  constructor(parts: {
    readonly reading: Reading;
    readonly tokenizer: Tokenizer;
    readonly verified?: number | null;
    /** What `changes` counts from; absent: from nothing. */
    readonly before?: WindowState | undefined;
  }) {
    const { reading, tokenizer, before, verified = null } = parts;
    this.#reading = reading;
    this.#tokenizer = tokenizer;
    this.#before = before ?? initialState(reading.state.window);
    this.verified = verified === null ? null : Math.min(verified, reading.state.revision);
  }

  /** The fold's state, without its memory of commands: for looking, not for deciding. */
  get state(): WindowState {
    return this.#reading.state;
  }

  get window(): string {
    return this.state.window;
  }

  /** Revision of the last event; −1: the window is not open yet. */
  get revision(): number {
    return this.state.revision;
  }

  get epoch(): number {
    return this.state.epoch;
  }

  /** Number of edits. */
  get edits(): number {
    return this.state.edits.size;
  }

  /** Number of recovery records; an alarm when it differs from `edits`. */
  get records(): number {
    return this.state.recordCount;
  }

  /** Tokens of the live spans and of the ledger's claim lines. */
  get tokens(): number {
    return this.#windowTokens.tokens;
  }

  /** Null: the window has no budget. */
  get budget(): number | null {
    return this.state.budget ?? null;
  }

  get overBudget(): boolean {
    return this.#windowTokens.overBudget;
  }

  /** What entered, left and came back since the window that this subscriber was given before. */
  get changes(): WindowChanges {
    this.#changes ??= changesBetween(this.#before, this.state);
    return this.#changes;
  }

  /** Live spans in order of position. */
  get spans(): WindowView["spans"] {
    return this.#shownSpans.spans;
  }

  get gaps(): readonly Gap[] {
    return this.#shownSpans.gaps;
  }

  get ledger(): WindowView["ledger"] {
    return this.view.ledger;
  }

  /** The bytes that a model is shown. */
  get rendered(): string {
    return this.view.rendered;
  }

  /** The whole window as one JSON value: what `show` answers. */
  get view(): WindowView {
    this.#view ??= this.#makeView();
    return this.#view;
  }

  /**
   * The same window with its `changes` counted from `earlier`, a window seen before: the changes
   * of everything that was skipped between the two, merged. Absent: from nothing.
   */
  since(earlier?: LiveWindow): LiveWindow {
    return new LiveWindow({
      reading: this.#reading,
      tokenizer: this.#tokenizer,
      verified: this.verified,
      before: earlier?.state,
    });
  }

  toJSON(): WindowView & { readonly changes: WindowChanges } {
    return { ...this.view, changes: this.changes };
  }

  /** Nothing is rendered for them. */
  get #shownSpans(): Pick<WindowView, "spans" | "gaps"> {
    this.#spans ??= this.#view ?? shownSpans(this.state, contentIn(this.#reading.contents));
    return this.#spans;
  }

  get #windowTokens(): WindowTokens {
    this.#tokens ??= windowTokens(this.state, this.#tokenizer);
    return this.#tokens;
  }

  #makeView(): WindowView {
    const { state, contents } = this.#reading;
    return viewOf(state, contentIn(contents), this.#tokenizer, this.verified);
  }
}
