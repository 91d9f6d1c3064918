import type { Universe } from "./enumerate.ts";
import type { PlainCommand, PureCommand, PureWindow } from "./pure.ts";
import { opened, referenceOf, runAll } from "./pure.ts";
import { admit, call, evict, redo, result, rewind, rewrite, undo } from "./say.ts";
import { editById, isInPlace, isLive, liveIds } from "./views.ts";

/* The small worlds of the exhaustive tests. */

/** Two spans of text, admitted at any time, and every verb on everything. */
export const texts: Universe = {
  name: "two texts",
  start: opened,
  commands: (window) => {
    const live = liveIds(referenceOf(window));
    return [
      ...fresh(window, [admit("a"), admit("b")]),
      ...live.map((id) => evict(editId(window), [id])),
      ...live.map((id) => rewrite(editId(window), [id], productId(window))),
      ...(live.length > 1 ? [rewrite(editId(window), live, productId(window))] : []),
      ...inverses(window),
      ...rewinds(window),
    ];
  },
};

/** A call in a message with a text, its result, a text beside it, and edits that the call asks. */
export const calls: Universe = {
  name: "call, result, via",
  start: runAll(opened, [
    admit("x"),
    admit("t", { origin: "assistant", message: { id: "m", index: 0 } }),
    call("c", "k", { message: { id: "m", index: 1 } }),
  ]),
  commands: (window) => {
    const reference = referenceOf(window);
    const live = liveIds(reference);
    const texts = live.filter((id) => reference.spans.get(id)?.call === undefined);
    const bound = live.filter((id) => reference.spans.get(id)?.call !== undefined);
    return [
      ...fresh(window, [result("r", "k")]),
      ...bound.slice(-1).map((id) => rewrite(editId(window), [id], productId(window))),
      ...bound.slice(-1).map((id) => evict(editId(window), [id])),
      ...(bound.length > 1 ? [evict(editId(window), bound)] : []),
      ...(texts.length > 1 ? [rewrite(editId(window), texts, productId(window))] : []),
      ...texts.slice(0, 1).map((id) => evict(editId(window), [id], { via: "k" })),
      ...reversals(window),
      ...nearRewinds(window)
        .slice(0, 2)
        .map((rest) => ({ ...rest, abandonOpenCalls: true })),
      ...nearRewinds(window)
        .slice(-2)
        .map((rest) => ({ ...rest, via: "k" })),
    ];
  },
};

/** A group of two, one of them sealed, and a text that may be summed up with them. */
export const groups: Universe = {
  name: "group of two",
  start: runAll(opened, [admit("x")]),
  commands: (window) => {
    const reference = referenceOf(window);
    const live = liveIds(reference);
    const members = live.filter((id) => reference.spans.get(id)?.group !== undefined);
    const [one, two] = [admit("g", { group: "G" }), admit("h", { group: "G", sealed: true })];
    return [
      ...fresh(window, [one, two]),
      ...(fresh(window, [one, two]).length === 2 ? [batchOf(one, two)] : []),
      ...live.map((id) => evict(editId(window), [id])),
      ...members.map((id) => rewrite(editId(window), [id], productId(window))),
      ...(members.length > 1
        ? [
            evict(editId(window), members),
            rewrite(editId(window), members, productId(window)),
            rewrite(editId(window), live, productId(window)),
          ]
        : []),
      ...reversals(window),
      ...nearRewinds(window),
    ];
  },
};

const LINES = ["one", "two", "three", "four", "five"];

/** A text of five lines whose first and last line are edited, merged, cascaded, in batches. */
export const merges: Universe = {
  name: "merge, cascade, batch",
  start: runAll(opened, [admit("a", { content: LINES.join("\n") })]),
  commands: (window) => {
    const [only] = liveIds(referenceOf(window));
    const edits = reversible(window);
    const change = (line: number, step: number): PlainCommand[] => {
      if (only === undefined) return [];
      const content = changed(window, only, line);
      const [edit, product] = [`${editId(window)}.${step}`, `${productId(window)}.${step}`];
      return [rewrite(edit, [only], product, { content })];
    };
    const [first] = change(0, 0);
    return [
      ...change(0, 0),
      ...change(4, 0),
      ...(only === undefined ? [] : [evict(editId(window), [only])]),
      ...edits.flatMap(undosOf(window)),
      ...(first === undefined
        ? []
        : [batchOf(first, evict(`${editId(window)}.1`, [`${productId(window)}.0`]))]),
      ...nearRewinds(window),
    ];
  },
};

/** A pinned rule, a text, recalls, and the model as well as the host at work. */
export const parties: Universe = {
  name: "pins, recalls, two parties",
  start: runAll(opened, [admit("p", { origin: "system" })]),
  commands: (window) => {
    const reference = referenceOf(window);
    const live = liveIds(reference);
    const gone = [...reference.spans.keys()].filter((id) => !isLive(reference, id));
    const by = "model/m";
    return [
      ...fresh(window, [admit("a"), admit("b", { origin: "assistant", by })]),
      ...live.map((id) => evict(editId(window), [id])),
      ...live.map((id) => rewrite(editId(window), [id], productId(window), { by })),
      ...gone.map((spanId) => ({ command: "recall", spanId }) as const),
      ...reversals(window),
      ...nearRewinds(window).map((command, i) => (i % 2 === 0 ? command : { ...command, by })),
    ];
  },
};

export const universes: readonly Universe[] = [texts, calls, groups, merges, parties];

/** An edit that is in place is undone alike by every strategy, so it is tried with one. */
function undosOf(window: PureWindow): (id: string) => PlainCommand[] {
  const reference = referenceOf(window);
  return (id) => {
    const edit = editById(reference, id);
    if (edit === undefined || isInPlace(reference, edit)) return [undo(id)];
    return [
      undo(id),
      undo(id, { strategy: "cascade" }),
      undo(id, { strategy: "merge" }),
      undo(id, { strategy: "merge", content: "resolved" }),
      redo(id),
    ];
  };
}

function batchOf(...commands: PlainCommand[]): PureCommand {
  return { command: "batch", commands };
}

/** Ids that no history of this world uses twice. */
function editId({ events }: PureWindow): string {
  return `e${events.length}`;
}

function productId({ events }: PureWindow): string {
  return `p${events.length}`;
}

function editIds(window: PureWindow): string[] {
  return referenceOf(window).edits.map(({ id }) => id);
}

/** The admissions of spans that were never admitted. */
function fresh(window: PureWindow, admissions: readonly ReturnType<typeof admit>[]) {
  const { spans } = referenceOf(window);
  return admissions.filter(({ spanId }) => spanId !== undefined && !spans.has(spanId));
}

/** Undo and redo of every edit, undos and redos included. */
function inverses(window: PureWindow): PlainCommand[] {
  return editIds(window).flatMap((id) => [undo(id), redo(id)]);
}

/** Undo and redo of every edit that is not itself one: what the others come down to. */
function reversals(window: PureWindow): PlainCommand[] {
  return reversible(window).flatMap((id) => [undo(id), redo(id)]);
}

function reversible(window: PureWindow): string[] {
  return referenceOf(window)
    .edits.filter(({ verb }) => verb !== "undo" && verb !== "redo")
    .map(({ id }) => id);
}

/** To every revision, the middle of appends and one in the future included. */
function rewinds({ events }: PureWindow): ReturnType<typeof rewind>[] {
  return Array.from({ length: events.length + 1 }, (_, to) => rewind(to));
}

/** To nothing, and to the last two boundaries before this one. */
function nearRewinds(window: PureWindow): ReturnType<typeof rewind>[] {
  return [...new Set([0, ...referenceOf(window).boundaries.slice(-3, -1)])].map((to) => rewind(to));
}

function changed({ events }: PureWindow, spanId: string, line: number): string {
  const lines = LINES.slice();
  for (const event of events) {
    const born =
      event.type === "SpanAdmitted"
        ? event.data
        : event.type === "WindowEdited"
          ? event.data.creates
          : undefined;
    if (born?.spanId === spanId && typeof born.content === "string") {
      lines.splice(0, lines.length, ...born.content.split("\n"));
    }
  }
  lines[line] = `${lines[line] ?? ""}+${events.length}`;
  return lines.join("\n");
}
