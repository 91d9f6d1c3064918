import { ownOf } from "./reference.ts";
import type { Rules } from "./rule.ts";
import { onEdit } from "./rules-records.ts";
import { editById, isInPlace, isLive, isReverted, liveSpans } from "./views.ts";

/* Design §4: which marks each verb may change, and when. */

const REVERSIBLE: readonly string[] = ["rewrite", "evict", "rewind"];

export const verbRules = {
  /** Each verb has its own fields and no other. */
  "verb-fields": onEdit(({ data }) => {
    const inverse = data.verb === "undo" || data.verb === "redo";
    const fits =
      (data.target !== undefined) === inverse &&
      (data.to !== undefined) === (data.verb === "rewind") &&
      (data.mergeOf === undefined || data.verb === "rewrite") &&
      (data.abandoned === undefined || data.verb === "rewind");
    return fits ? [] : [`${data.verb} ${data.editId} has fields of another verb`];
  }),

  /** A rewrite creates one span, nothing else creates any. */
  creates: onEdit(({ data }) =>
    (data.creates !== undefined) === (data.verb === "rewrite")
      ? []
      : [`${data.verb} ${data.editId} creates ${data.creates?.spanId ?? "nothing"}`],
  ),

  /** Rewrite and evict take live spans, at least one. */
  "takes-live": onEdit(({ data, record, before, edit }) => {
    if (data.verb !== "rewrite" && data.verb !== "evict") return [];
    const named = record?.consumed.map(({ spanId }) => spanId) ?? [];
    const dead = named.filter((id) => !isLive(before, id));
    if (dead.length > 0) return [`${data.editId} takes ${dead.join()}, not live`];
    const taken = [...edit.before.keys()].filter((id) => id !== edit.product);
    return taken.length === 0 ? [`${data.editId} takes nothing`] : [];
  }),

  /** No live span between those that a rewrite takes. */
  contiguous: onEdit(({ data, before, edit }) => {
    if (data.verb !== "rewrite") return [];
    const taken = liveSpans(before).map(({ id }) => edit.before.get(id) === "live");
    const between = taken
      .slice(taken.indexOf(true), taken.lastIndexOf(true) + 1)
      .filter((isTaken) => !isTaken);
    return between.length === 0 ? [] : [`${between.length} live span(s) inside ${data.editId}`];
  }),

  "sealed-alone": onEdit(({ data, record, before }) => {
    if (data.verb !== "rewrite" || record?.consumed.length !== 1) return [];
    const [only] = record.consumed;
    return before.spans.get(only?.spanId ?? "")?.sealed === true
      ? [`${data.editId} rewrites a sealed span alone`]
      : [];
  }),

  /** An undo or redo is never a target itself. */
  target: onEdit(({ data, before }) => {
    if (data.target === undefined) return [];
    const target = editById(before, data.target);
    return target !== undefined && REVERSIBLE.includes(target.verb)
      ? []
      : [`${data.verb} ${data.editId} is about ${data.target}, which is not an edit to undo`];
  }),

  /** The marks on T(e) are what e wrote. */
  "undo-in-place": onEdit(({ data, before }) => {
    const target = data.verb === "undo" ? editById(before, data.target) : undefined;
    return target === undefined || isInPlace(before, target)
      ? []
      : [`${data.editId} undoes ${target.id}, whose spans are not as it left them`];
  }),

  /** The mirror: the marks on T(e) are what e found. */
  "redo-in-place": onEdit(({ data, before }) => {
    const target = data.verb === "redo" ? editById(before, data.target) : undefined;
    return target === undefined || isReverted(before, target)
      ? []
      : [`${data.editId} redoes ${target.id}, whose spans are not as it found them`];
  }),

  /** Targets are append boundaries, and 0. */
  "rewind-boundary": onEdit(({ data, before }) => {
    const { to } = data;
    return to === undefined || to === 0 || before.boundaries.includes(to)
      ? []
      : [`${data.editId} rewinds to ${to}, which is not a boundary`];
  }),

  /** The marks are exactly M(to), outside the spans of the call that asked. */
  "rewind-exact": onEdit(({ data, event, before, after }) => {
    if (data.verb !== "rewind") return [];
    const own = ownOf(before, event.metadata.via);
    const then = before.tables[data.to ?? 0];
    const now = [...(after.tables.at(-1) ?? [])];
    return now
      .filter(([id, mark]) => !own.has(id) && mark !== (then?.get(id) ?? "absent"))
      .map(([id, mark]) => `${id} is ${mark} after the rewind, which it was not at ${data.to}`);
  }),

  /** Off T(e), and at any other event, no mark changes; a birth adds one. */
  "marks-elsewhere": ({ event, before, after }) => {
    const edit = event.type === "WindowEdited" ? after.edits.at(-1) : undefined;
    const now = after.tables.at(-1);
    return [...(before.tables.at(-1) ?? [])]
      .filter(([id]) => edit?.after.has(id) !== true)
      .filter(([id, mark]) => now?.get(id) !== undefined && now.get(id) !== mark)
      .map(([id]) => `the mark of ${id} changed at a ${event.type} that is not about it`);
  },

  /** On T(e) the marks are what e wrote. */
  "marks-written": onEdit(({ edit, after, data }) => {
    const now = after.tables.at(-1);
    return [...edit.after]
      .filter(([id, mark]) => now?.get(id) !== mark)
      .map(([id]) => `${data.editId} did not write the mark of ${id}`);
  }),

  /** Nothing changed: no event, no ordinal. */
  "nothing-changed": onEdit(({ data, edit, before }) => {
    const [only, ...more] = [...edit.before.keys()].filter((id) => id !== edit.product);
    if (data.creates !== undefined && only !== undefined && more.length === 0) {
      const { digest, content } = data.creates;
      const was = before.spans.get(only);
      const same = was?.digest === digest && was.json === (typeof content !== "string");
      return same ? [`${data.editId} rewrites ${only} to itself`] : [];
    }
    // An evict of nothing is the business of takes-live.
    if (data.verb === "evict") return [];
    const changed = [...edit.after].some(([id, mark]) => edit.before.get(id) !== mark);
    return changed ? [] : [`${data.verb} ${data.editId} changed nothing`];
  }),
} as const satisfies Rules;
