import type { LogReader } from "@palimpsest/core";
import type { WindowState } from "@palimpsest/core/state";
import type { ProjectionOptions } from "../options.ts";
import { tokenizerOf } from "../options.ts";
import { verdictReducer } from "../verdicts.ts";
import { Claims } from "../views/claims.ts";
import { EditStatuses } from "../views/edit-status.ts";
import { PolicyHistory } from "../views/policy-history.ts";
import { Reads } from "../views/reads.ts";
import { RenderedWindow } from "../views/rendered.ts";
import { TokenBudget } from "../views/token-budget.ts";
import { LiveWindow } from "../window/live-window.ts";
import type { Folded } from "../window/reading.ts";
import type { ContentCache } from "./content-cache.ts";

/** Where a moment's content is read, and what it is counted with. */
export interface MomentSources {
  readonly log: LogReader;
  readonly contents: ContentCache;
  readonly options: ProjectionOptions;
  /** What was found on the way there: snapshots that did not fit. */
  readonly notes: readonly string[];
}

/**
 * A window as it was after one event. Every projection of a moment is read off the same state, so
 * all of them belong to that revision. Verdicts play no part, for they are about the present store.
 */
export class Moment {
  /** The fold's state, without its memory of commands: for looking, not for deciding. */
  readonly state: WindowState;
  /** Snapshots that did not fit, and why; the moment was folded without them. */
  readonly notes: readonly string[];
  readonly #folded: Folded;
  readonly #sources: MomentSources;
  #window: Promise<LiveWindow> | undefined;

  constructor(folded: Folded, sources: MomentSources) {
    this.state = folded.state;
    this.#folded = folded;
    this.notes = sources.notes;
    this.#sources = sources;
  }

  get revision(): number {
    return this.state.revision;
  }

  get edits(): EditStatuses {
    return new EditStatuses(this.state, verdictReducer.initial, this.#sources.log.guarantees);
  }

  get reads(): Reads {
    return new Reads(this.state);
  }

  get claims(): Claims {
    return new Claims(this.state);
  }

  get policies(): PolicyHistory {
    return new PolicyHistory(this.#folded);
  }

  get budget(): TokenBudget {
    return new TokenBudget(this.state, tokenizerOf(this.state, this.#sources.options));
  }

  /** The window with its content, which is read from the log and re-hashed, or lost. */
  window(): Promise<LiveWindow> {
    this.#window ??= this.#readWindow();
    return this.#window;
  }

  async rendered(): Promise<RenderedWindow> {
    return new RenderedWindow(await this.window());
  }

  async #readWindow(): Promise<LiveWindow> {
    const { log, contents, options } = this.#sources;
    const reading = {
      ...this.#folded,
      contents: await contents.contentsOf(this.state, log),
    };
    return new LiveWindow({ reading, tokenizer: tokenizerOf(this.state, options) });
  }
}
