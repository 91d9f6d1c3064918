import { CommandRefusedError } from "@palimpsest/core";
import type { Span, WindowState } from "@palimpsest/core/state";
import { spanAt } from "@palimpsest/core/state";
import type { Between } from "@palimpsest/projections";
import { OutOfRangeError, timeTravel } from "@palimpsest/projections";
import type { GlobalOptions } from "../options.ts";
import { withWindow } from "../options.ts";
import { EXIT, print, printJson } from "../terminal/output.ts";
import { safeLine } from "../terminal/safe.ts";
import { table } from "../terminal/table.ts";
import { withKnownErrors } from "./projection-errors.ts";

/** What changed between two revisions. */
export function diff(from: number, to: number, options: GlobalOptions): Promise<number> {
  return withWindow(options, "look", async (window, log) => {
    try {
      const between = await withKnownErrors(timeTravel(log, window.id).between(from, to));
      await (options.json ? printJson(jsonOf(between)) : print(diffText(between)));
      return EXIT.done;
    } catch (error) {
      if (!(error instanceof OutOfRangeError)) throw error;
      const { message, revision, last } = error;
      const code = last < 0 ? "window-not-open" : error.code;
      throw new CommandRefusedError([{ code, message, revision, last }]);
    }
  });
}

function jsonOf({ from, to, changes, edits }: Between) {
  const { since: _, ...spans } = changes;
  return {
    window: to.state.window,
    from: from.revision,
    to: to.revision,
    ...spans,
    tokens: { from: from.budget.tokens, to: to.budget.tokens },
    edits,
  };
}

function diffText({ from, to, changes, edits }: Between): string {
  const later = from.revision > to.revision ? from.state : to.state;
  const lines = [
    ...changes.entered.map((id) => ["+", "entered", ...spanWords(later, id)]),
    ...changes.returned.map((id) => ["+", "came back", ...spanWords(later, id)]),
    ...changes.left.map((id) => ["-", "left", ...spanWords(later, id)]),
  ];
  const spans = lines.length === 0 ? "the same spans are live\n" : table(COLUMNS, lines);
  const passed = changes.passed === 0 ? "" : `${changes.passed} spans came and went between\n`;
  const made = edits.map(({ ordinal, editId, verb, word }) =>
    safeLine(`edit ${ordinal} ${editId}: ${verb}, ${word}`, 100),
  );
  return (
    spans +
    passed +
    made.map((line) => `${line}\n`).join("") +
    `── window ${to.state.window} from revision ${from.revision} to ${to.revision}: ` +
    `${from.budget.tokens} → ${to.budget.tokens} tokens\n`
  );
}

const COLUMNS = ["", "", "span", "origin", "kind", "position", "tokens"];

function spanWords(state: WindowState, id: string): string[] {
  const span: Span = spanAt(state, state.spans.indexOf(id) ?? -1);
  const { origin, kind, position, tokens } = span;
  return [id, origin, kind, String(position), String(tokens)];
}
