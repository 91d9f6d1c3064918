import type {
  EditStatus,
  Guarantees,
  LogReader,
  RecordedWindowEvent,
  Recovery,
  StoredEvent,
} from "@palimpsest/core";
import type { Edit, WindowState } from "@palimpsest/core/state";
import { recordedSpans, statusWith } from "@palimpsest/core/view";
import type { Observable } from "rxjs";
import { combineLatest, map } from "rxjs";
import type { ProjectionOptions } from "../options.ts";
import { defaultOptions } from "../options.ts";
import type { Verdicts } from "../verdicts.ts";
import { verdictReducer, verdictsOf } from "../verdicts.ts";
import { foldWindow } from "../window/fold.ts";
import { readings } from "../window/reading.ts";

/**
 * Every edit with its two axes and the word that is shown. The effect is read from the marks;
 * recovery is what the verifier said in its stream, `unknown` where it said nothing: a projection
 * does not probe.
 */
export class EditStatuses {
  readonly #state: WindowState;
  readonly #verdicts: Verdicts;
  readonly #guarantees: Guarantees;
  #edits: readonly EditStatus[] | undefined;

  constructor(state: WindowState, verdicts: Verdicts, guarantees: Guarantees) {
    this.#state = state;
    this.#verdicts = verdicts;
    this.#guarantees = guarantees;
  }

  get revision(): number {
    return this.#state.revision;
  }

  /** In order of ordinal. Made when it is read. */
  get edits(): readonly EditStatus[] {
    this.#edits ??= [...this.#state.edits].map((edit) => this.#statusOf(edit));
    return this.#edits;
  }

  /** One edit alone; undefined when there is none of that id. */
  of(editId: string): EditStatus | undefined {
    const ordinal = this.#state.editOrdinal.get(editId);
    const edit = ordinal === undefined ? undefined : this.#state.edits.get(ordinal - 1);
    return edit === undefined ? undefined : this.#statusOf(edit);
  }

  /** The edits with an ordinal above `ordinal`. */
  after(ordinal: number): readonly EditStatus[] {
    return [...this.#state.edits.slice(ordinal)].map((edit) => this.#statusOf(edit));
  }

  toJSON() {
    return { revision: this.revision, edits: this.edits };
  }

  #statusOf(edit: Edit): EditStatus {
    const recovery = recoveryBy(this.#verdicts, this.#state, edit);
    return statusWith(this.#state, edit, recovery, this.#guarantees);
  }
}

function recoveryBy(verdicts: Verdicts, state: WindowState, edit: Edit): Recovery {
  if (recordedSpans(state, edit).length === 0) return "proven";
  const probed = verdicts.probes.get(edit.id);
  if (probed !== undefined) return probed;
  return edit.revision < verdicts.covered ? "proven" : "unknown";
}

/** The status of every edit after every append, verdict and probe. */
export function editStatus(
  log: LogReader,
  window: string,
  options: ProjectionOptions = defaultOptions,
): Observable<EditStatuses> {
  const both = combineLatest([readings(log, window, options), verdictsOf(log, window, options)]);
  return both.pipe(
    map(([{ state }, verdicts]) => new EditStatuses(state, verdicts, log.guarantees)),
  );
}

/** The same of an array of events, with the verdict stream's beside it where there are some. */
export function foldEditStatus(
  events: readonly RecordedWindowEvent[],
  beside: { readonly verdicts?: readonly StoredEvent[]; readonly guarantees: Guarantees },
): EditStatuses {
  const verdicts = verdictReducer.fold(verdictReducer.initial, beside.verdicts ?? []);
  return new EditStatuses(foldWindow(events).state, verdicts, beside.guarantees);
}
