import { algebraStore } from "../support/verifier/bases.ts";
import type { Damage } from "../support/verifier/corpus.ts";
import { atEnd, describeDamages, inWindow } from "../support/verifier/corpus.ts";
import type { Events } from "../support/verifier/damage.ts";
import {
  birthOf,
  edit,
  editAt,
  entryOf,
  lastOf,
  resealed,
  withAppend,
  withData,
  without,
} from "../support/verifier/damage.ts";
import { dataOf } from "../support/verifier/store.ts";

/* Records and edits, and the contents that records lead to. */

interface RecordFields {
  readonly consumed: readonly object[];
}

/** Damage to the record of a forged last edit that is otherwise true. */
function forgedRecord(
  rule: string,
  says: string,
  verb: { readonly verb: string; readonly target?: string },
  spans: readonly string[],
  change: (record: RecordFields, events: Events) => object,
  at: Damage["at"] = (store) => atEnd(store) - 1,
): Damage {
  const damage = inWindow((events) => {
    const [record, made] = edit(events, verb, spans);
    const data = { ...record.data, ...change(record.data as unknown as RecordFields, events) };
    return withAppend(events, { ...record, data }, made);
  });
  return { says, rule, at, damage };
}

const evict = { verb: "evict" };
const undoE6 = { verb: "undo", target: "e6" };

const damages: readonly Damage[] = [
  {
    says: "the record of the last edit dropped",
    rule: "record-missing",
    at: atEnd,
    damage: inWindow((events) => withAppend(events, edit(events, evict, ["q"])[1])),
  },
  {
    says: "a record in an append of its own",
    rule: "record-missing",
    at: atEnd,
    damage: inWindow((events) => {
      const [record, made] = edit(events, evict, ["q"]);
      return withAppend(withAppend(events, record), made);
    }),
  },
  {
    says: "a record written after its edit",
    rule: "record-missing",
    at: (store) => atEnd(store) - 1,
    damage: inWindow((events) => {
      const [record, made] = edit(events, evict, ["q"]);
      return withAppend(events, made, record);
    }),
  },
  forgedRecord(
    "record-of-another",
    "a record that names another edit",
    evict,
    ["q"],
    () => ({ editId: "else" }),
    atEnd,
  ),
  forgedRecord(
    "record-of-another",
    "a record with another ordinal",
    evict,
    ["q"],
    () => ({ ordinal: 1 }),
    atEnd,
  ),
  {
    says: "an edit id used again",
    rule: "edit-id-twice",
    at: atEnd,
    damage: inWindow((events) =>
      withAppend(events, ...edit(events, { ...evict, editId: "e2" }, ["q"])),
    ),
  },
  {
    says: "an ordinal skipped",
    rule: "ordinal",
    at: atEnd,
    damage: inWindow((events) => {
      const [record, made] = edit(events, evict, ["q"]);
      const ordinal = 99;
      return withAppend(
        events,
        { ...record, data: { ...record.data, ordinal } },
        { ...made, data: { ...made.data, ordinal } },
      );
    }),
  },
  forgedRecord(
    "record-span",
    "a record that names a span nobody knows",
    evict,
    ["q"],
    ({ consumed }) => ({
      consumed: [...consumed, { spanId: "nobody", revision: 1, digest: "0".repeat(64) }],
    }),
  ),
  forgedRecord("record-span", "a record that names a span twice", evict, ["q"], ({ consumed }) => ({
    consumed: [...consumed, ...consumed],
  })),
  forgedRecord("record-revision", "a record that points elsewhere", evict, ["q"], (_, events) => ({
    consumed: [{ ...entryOf(events, "q"), revision: birthOf(events, "a") }],
  })),
  forgedRecord(
    "record-digest",
    "a record with the digest of something else",
    evict,
    ["q"],
    (_, events) => ({
      consumed: [{ ...entryOf(events, "q"), digest: entryOf(events, "a").digest }],
    }),
  ),
  forgedRecord(
    "record-names",
    "a record of an undo that is too short",
    undoE6,
    ["a3"],
    () => ({ consumed: [] }),
    atEnd,
  ),
  forgedRecord(
    "record-names",
    "a record of an undo that is too long",
    undoE6,
    ["a3", "q"],
    () => ({}),
    atEnd,
  ),
  {
    says: "an edit dropped from the end, its record left behind",
    rule: "record-orphan",
    at: atEnd,
    damage: inWindow((events) => withAppend(events, edit(events, evict, ["q"])[0])),
  },
  {
    says: "an edit dropped from the middle",
    rule: "record-orphan",
    at: ({ window }) => lastOf(window, "RecoveryRecorded"),
    damage: inWindow((events) => {
      const record = edit(events, evict, ["q"])[0];
      return withAppend(withAppend(events, record), {
        type: "SpansRead",
        data: { spanIds: ["q"] },
      });
    }),
  },
  {
    says: "a record duplicated behind its edit",
    rule: "record-orphan",
    at: atEnd,
    damage: inWindow((events) => {
      const [record, made] = edit(events, evict, ["q"]);
      return withAppend(events, record, made, record);
    }),
  },
  {
    says: "a record duplicated before its edit",
    rule: "record-orphan",
    at: (store) => atEnd(store) - 2,
    damage: inWindow((events) => {
      const [record, made] = edit(events, evict, ["q"]);
      return withAppend(events, record, record, made);
    }),
  },
  {
    says: "a content changed",
    rule: "content-digest",
    at: ({ window }) => birthOf(window, "b"),
    damage: inWindow((events) =>
      withData(events, birthOf(events, "b"), { content: "content of z" }),
    ),
  },
  {
    says: "the content of a rewrite changed",
    rule: "content-digest",
    at: ({ window }) => editAt(window, "e1"),
    damage: inWindow((events) => {
      const at = editAt(events, "e1");
      const creates = dataOf(events[at]).creates as object;
      return withData(events, at, { creates: { ...creates, content: "longer! a" } });
    }),
  },
  {
    says: "a record and its edit dropped, the rest made true again",
    rule: "ordinal",
    at: ({ window }) => lastOf(window, "WindowEdited"),
    damage: inWindow((events) => {
      const at = editAt(events, "e8");
      const more = withAppend(events, ...edit(events, evict, ["q"]));
      // What only hangs on the dropped edit is mended: y stays out of view.
      const read = lastOf(more, "SpansRead");
      return withData(resealed(without(more, at - 1, at)), read - 2, { spanIds: ["q"] });
    }),
  },
];

describeDamages("damage to records and contents", algebraStore, damages);
