import type { History } from "./damage.ts";
import { entryOf, recordAndEdit, sealed, withAppend, withData, withMetadata } from "./damage.ts";
import type { Mutant } from "./mutant.ts";
import { eventMutant, foldMutant } from "./mutant.ts";
import type { Reference, RefMark } from "./reference.ts";
import { admit, call, evict, redo, result, rewind, rewrite, undo } from "./say.ts";

/* DELIBERATE DAMAGE to what edits do, to the fold of it and to the bonds, one rule each. */

const two = [admit("a"), admit("b")];
/** Both are evicted and back; then a alone is evicted. Revisions 3 to 8. */
const backAndGone = [...two, evict("e1", ["a", "b"]), undo("e1"), evict("e3", ["a"])];
const batch = { command: "batch", commands: [admit("a"), admit("b")] } as const;

export const verbMutants: readonly Mutant[] = [
  eventMutant(
    "verb-fields",
    "an evict with a revision",
    [admit("a"), evict("e1", ["a"])],
    (events) => withData(events, [3], { to: 0 }),
  ),
  eventMutant(
    "takes-live",
    "takes a span that is gone",
    [...two, evict("e1", ["a"]), evict("e2", ["b"])],
    (events) => withData(events, [5], { consumed: [entryOf(events, "a"), entryOf(events, "b")] }),
  ),
  eventMutant("takes-live", "takes nothing", [...two, evict("e1", ["a"])], (events) =>
    withData(events, [3], { consumed: [] }),
  ),
  eventMutant(
    "contiguous",
    "a rewrite around a live span",
    [...two, admit("c"), rewrite("e1", ["a", "b", "c"], "p")],
    (events) => withData(events, [4], { consumed: [entryOf(events, "a"), entryOf(events, "c")] }),
  ),
  eventMutant(
    "sealed-alone",
    "a sealed span is rewritten",
    [admit("a"), rewrite("e1", ["a"], "p")],
    (events) => withData(events, [1], { sealed: true }),
  ),
  eventMutant(
    "target",
    "the undo of an undo",
    [admit("a"), evict("e1", ["a"]), undo("e1", { as: "u" }), redo("e1")],
    (events) => withData(events, [7], { verb: "undo", target: "u" }),
  ),
  eventMutant("undo-in-place", "an undo over another edit", backAndGone, (events) =>
    withAppend(events, recordAndEdit(events, { editId: "x", verb: "undo", target: "e1" }, [])),
  ),
  eventMutant("redo-in-place", "a redo over another edit", backAndGone, (events) =>
    withAppend(events, recordAndEdit(events, { editId: "x", verb: "redo", target: "e1" }, ["b"])),
  ),
  eventMutant(
    "rewind-boundary",
    "a rewind into an append",
    [batch, admit("c"), rewind(2, { as: "r" })],
    (events) =>
      withData(withData(events, [5], { to: 1 }), [4], {
        consumed: [entryOf(events, "b"), entryOf(events, "c")],
      }),
  ),
];

export const permissionMutants: readonly Mutant[] = [
  eventMutant("party", "the model speaks as the user", [admit("a")], (events) =>
    sealed(withMetadata(events, [1], { by: "model/m" })),
  ),
  eventMutant("party", "a verifier writes", [admit("a")], (events) =>
    sealed(withMetadata(events, [1], { by: "verifier/v" })),
  ),
  eventMutant("pinned", "a pinned span is evicted", [admit("a"), evict("e1", ["a"])], (events) =>
    withData(events, [1], { pinned: true }),
  ),
  eventMutant(
    "pinned",
    "the model rewinds past a pin",
    [admit("a", { pinned: true }), rewind(0)],
    (events) => sealed(withMetadata(events, [2, 3], { by: "model/m" })),
  ),
  eventMutant(
    "own-call",
    "a call evicts the text of its own message",
    [
      call("c", "k", { message: { id: "m", index: 0 } }),
      admit("a", { origin: "assistant", message: { id: "m", index: 1 } }),
      evict("e1", ["a"]),
    ],
    (events) => withMetadata(events, [3, 4], { via: "k" }),
  ),
  eventMutant(
    "product-origin",
    "a summary in the user's name",
    [admit("a"), rewrite("e1", ["a"], "p")],
    (events) => withData(events, [3], { creates: { ...createdBy(events, 3), origin: "user" } }),
  ),
  eventMutant(
    "abandoned",
    "a rewind abandons a call that stays",
    [call("a", "k"), admit("b"), rewind(1)],
    (events) => withData(events, [4], { abandoned: ["k"] }),
  ),
  eventMutant(
    "merge-of",
    "merges what has nothing to do with it",
    [...two, rewrite("e1", ["a"], "p"), rewrite("e2", ["b"], "q")],
    (events) => withData(events, [6], { mergeOf: "e1" }),
  ),
];

export const bondMutants: readonly Mutant[] = [
  eventMutant("open-call", "an open call is evicted", [admit("a"), evict("e1", ["a"])], (events) =>
    withData(events, [1], { kind: "tool-call", call: "k" }),
  ),
  eventMutant(
    "call-result",
    "a result is evicted alone",
    [call("a", "k"), admit("b"), evict("e1", ["b"])],
    (events) => withData(events, [2], { kind: "tool-result", call: "k" }),
  ),
  eventMutant("group", "half a group is evicted", [...two, evict("e1", ["a"])], (events) =>
    withData(events, [1, 2], { group: "g" }),
  ),
  eventMutant(
    "result-place",
    "a result before its call",
    [{ command: "batch", commands: [call("a", "k"), result("b", "k")] }],
    (events) => sealed([events[0], events[2], events[1]].filter((event) => event !== undefined)),
  ),
];

export const foldMutants: readonly Mutant[] = [
  foldMutant(
    "rewind-exact",
    "a rewind forgets a consumed span",
    [...two, admit("c"), evict("e1", ["b"]), rewind(1)],
    (head) => {
      const edit = head.edits.at(-1);
      const untouched = (table: ReadonlyMap<string, RefMark>) =>
        new Map([...table].filter(([id]) => id !== "b"));
      if (edit === undefined) return head;
      const forgetful = { ...edit, before: untouched(edit.before), after: untouched(edit.after) };
      return withMark({ ...head, edits: head.edits.with(-1, forgetful) }, "b", 1);
    },
  ),
  foldMutant("marks-elsewhere", "an admission takes another span away", two, (head) =>
    withMark(head, "a", "absent"),
  ),
  foldMutant(
    "marks-written",
    "an edit loses one of its marks",
    [...two, evict("e1", ["a", "b"])],
    (head) => withMark(head, "b", "absent"),
  ),
  foldMutant("one-mark", "a span loses its mark", two, (head) => ({
    ...head,
    tables: head.tables.with(-1, new Map([["b", "live"]])),
  })),
  foldMutant(
    "ancestor-live",
    "a source stays live beside its summary",
    [...two, rewrite("e1", ["a", "b"], "p")],
    (head) => withWritten(head, "b", "live"),
  ),
  foldMutant("position-twice", "two spans at one place", two, (head) => {
    const moved = [...head.spans].map(([id, span]) => [id, { ...span, position: 1 }] as const);
    return { ...head, spans: new Map(moved) };
  }),
  foldMutant("uncovered", "a product vanishes", [admit("a"), rewrite("e1", ["a"], "p")], (head) =>
    withWritten(head, "p", "absent"),
  ),
];

/** The state with one mark of its last table changed. */
function withMark(head: Reference, id: string, mark: RefMark): Reference {
  const now = new Map([...(head.tables.at(-1) ?? []), [id, mark] as const]);
  return { ...head, tables: head.tables.with(-1, now) };
}

/** The same, as if the last edit had meant it. */
function withWritten(head: Reference, id: string, mark: RefMark): Reference {
  const edit = head.edits.at(-1);
  if (edit === undefined) return head;
  const after = new Map([...edit.after, [id, mark] as const]);
  return withMark({ ...head, edits: head.edits.with(-1, { ...edit, after }) }, id, mark);
}

function createdBy(events: History, revision: number) {
  const event = events[revision];
  return event?.type === "WindowEdited" ? event.data.creates : undefined;
}
