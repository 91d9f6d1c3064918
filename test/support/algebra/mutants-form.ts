import type { History } from "./damage.ts";
import { recordAndEdit, sealed, withAppend, withData, withEvent, withMetadata } from "./damage.ts";
import { digestOf } from "./json.ts";
import type { Mutant } from "./mutant.ts";
import { eventMutant } from "./mutant.ts";
import type { PureCommand } from "./pure.ts";
import { admit, call, evict, rewind, rewrite, undo } from "./say.ts";

/* DELIBERATE DAMAGE to metadata, records and contents, one rule each. */

const last = (events: History): number => events.length - 1;
const read = (id: string): PureCommand => ({ command: "markRead", spanIds: [id] });

/** a at 1; evict e1 at 2 and 3. */
const evicted = [admit("a"), evict("e1", ["a"])];
/** a at 1, b at 2; evict e1 at 3 and 4; its undo at 5 and 6. */
const undone = [admit("a"), admit("b"), evict("e1", ["a"]), undo("e1", { as: "u" })];

export const metadataMutants: readonly Mutant[] = [
  eventMutant("event-form", "an event of no known type", [admit("a"), read("a")], (events) =>
    withEvent(events, [last(events)], () => ({ type: "SpanForgotten" })),
  ),
  eventMutant("schema-version", "a version from the future", evicted, (events) =>
    withMetadata(events, [1], { schemaVersion: 2 }),
  ),
  eventMutant("revision", "a revision is left out", evicted, (events) =>
    withEvent(events, [last(events)], ({ revision }) => ({ revision: revision + 1 })),
  ),
  eventMutant("opened-once", "opened twice", [admit("a")], (events) =>
    withAppend(events, [{ type: "WindowOpened", data: events[0]?.data }]),
  ),
  eventMutant(
    "append-frame",
    "the last append is cut in half",
    [admit("a"), admit("b")],
    (events) => withMetadata(events, [last(events)], { count: 2 }),
  ),
  eventMutant("append-shared", "an append of two commands", evicted, (events) =>
    withMetadata(events, [last(events)], { commandDigest: digestOf("another") }),
  ),
  eventMutant("event-id", "an id that nobody can make again", evicted, (events) =>
    withEvent(events, [1], () => ({ id: "00000000-0000-8000-8000-000000000000" })),
  ),
  eventMutant("command-twice", "a retry that was appended", [admit("a"), admit("b")], (events) =>
    withEvent(events, [2], () => {
      const { id = "", metadata = undefined } = events[1] ?? {};
      return { id, ...(metadata !== undefined && { metadata }) };
    }),
  ),
];

export const recordMutants: readonly Mutant[] = [
  eventMutant("record-first", "the record is that of another edit", undone, (events) =>
    withData(events, [5], { editId: "other" }),
  ),
  eventMutant("record-alone", "a record without an edit", evicted, (events) =>
    withAppend(events, recordAndEdit(events, { editId: "e2", verb: "evict" }, []).slice(0, 1)),
  ),
  eventMutant("ordinals", "an ordinal is left out", undone, (events) =>
    withData(events, [5, 6], { ordinal: 3 }),
  ),
  eventMutant("record-born", "the record points elsewhere", evicted, (events) =>
    withData(events, [2], { consumed: [{ spanId: "a", revision: 0, digest: digestOf("a") }] }),
  ),
  eventMutant("record-digest", "the record has another digest", evicted, (events) =>
    withData(events, [2], { consumed: [{ spanId: "a", revision: 1, digest: digestOf("b") }] }),
  ),
  eventMutant(
    "record-names",
    "a rewind's record is empty",
    [admit("a"), admit("b"), rewind(1, { as: "r" })],
    (events) => withData(events, [3], { consumed: [] }),
  ),
  eventMutant("edit-id-twice", "two edits of one id", [...undone, evict("e3", ["b"])], (events) =>
    withData(events, [7, 8], { editId: "e1" }),
  ),
];

export const contentMutants: readonly Mutant[] = [
  eventMutant("content-digest", "a content was changed", [admit("a")], (events) =>
    withData(events, [1], { content: "b" }),
  ),
  eventMutant("content-tokens", "a content is counted as nothing", [admit("a")], (events) =>
    withData(events, [1], { tokens: 0 }),
  ),
  eventMutant(
    "recall",
    "a recall of other content",
    [...evicted, { command: "recall", spanId: "a", as: "again" }],
    (events) => withData(events, [4], { digest: digestOf("b") }),
  ),
  eventMutant(
    "recall",
    "a recall of a sealed span",
    [...evicted, { command: "recall", spanId: "a", as: "again" }],
    (events) => withData(events, [1], { sealed: true }),
  ),
  eventMutant("span-id-twice", "two spans of one id", [admit("a"), admit("b")], (events) =>
    withData(events, [2], { spanId: "a" }),
  ),
  eventMutant(
    "call-id-twice",
    "the id of an abandoned call comes back",
    [call("a", "k"), rewind(0, { abandonOpenCalls: true }), call("b", "l")],
    (events) => withData(events, [4], { call: "k" }),
  ),
  eventMutant("read-known", "a span is read that never was", [admit("a"), read("a")], (events) =>
    withData(events, [2], { spanIds: ["nobody"] }),
  ),
  eventMutant("creates", "an evict that puts something in its place", evicted, (events) => {
    const { content, digest, tokens } = { content: "x", digest: digestOf("x"), tokens: 1 };
    const creates = { spanId: "x", kind: "text", origin: "host", content, tokens, digest };
    return withData(events, [3], { creates });
  }),
  eventMutant(
    "nothing-changed",
    "a rewrite to the same content",
    [admit("a"), rewrite("e1", ["a"], "b")],
    (events) => {
      const creates = { spanId: "b", kind: "text", origin: "host", content: "a", tokens: 1 };
      return withData(events, [3], { creates: { ...creates, digest: digestOf("a") } });
    },
  ),
  eventMutant("nothing-changed", "a rewind to where it is", [admit("a")], (events) =>
    sealed(withAppend(events, recordAndEdit(events, { editId: "r", verb: "rewind", to: 1 }, []))),
  ),
];
