import { eventId } from "@palimpsest/core";
import { algebraStore } from "../support/verifier/bases.ts";
import type { Damage } from "../support/verifier/corpus.ts";
import { atEnd, describeDamages, inWindow } from "../support/verifier/corpus.ts";
import type { Events } from "../support/verifier/damage.ts";
import {
  admit,
  birthOf,
  resealed,
  withAppend,
  withData,
  withEvent,
  withMetadata,
  without,
} from "../support/verifier/damage.ts";

/* The form of events and of their appends. */

const last = (events: Events): number => events.length - 1;
const g1 = (events: Events): number => birthOf(events, "g1");

function atLast(
  rule: string,
  says: string,
  damage: (events: Events, at: number) => Events,
): Damage {
  return { says, rule, at: atEnd, damage: inWindow((events) => damage(events, last(events))) };
}

const damages: readonly Damage[] = [
  atLast("undecodable-event", "bytes that are not JSON", (events, at) =>
    withEvent(events, at, () => ({
      data: null,
      metadata: null,
      undecodable: Buffer.from("3:{,,"),
    })),
  ),
  atLast("event-not-understood", "an event of an unknown type", (events, at) =>
    withEvent(events, at, () => ({ type: "SpanForgotten" })),
  ),
  atLast("event-not-understood", "a type from the prototype", (events, at) =>
    withEvent(events, at, () => ({ type: "__proto__" })),
  ),
  atLast("event-not-understood", "a schema version that is newer", (events, at) =>
    withMetadata(events, at, { schemaVersion: 2 }),
  ),
  atLast("invalid-metadata", "metadata without a principal", (events, at) =>
    withMetadata(events, at, { by: undefined }),
  ),
  atLast("invalid-data", "a field that the format does not have", (events, at) =>
    withData(events, at, { hidden: true }),
  ),
  atLast("malformed-event", "data that are missing", (events, at) =>
    withEvent(events, at, () => ({ data: undefined as never })),
  ),
  atLast("wrong-stream", "an event of another window", (events, at) =>
    withEvent(events, at, ({ metadata }) => {
      const { by, commandId, index } = metadata as { by: string; commandId: string; index: number };
      return { stream: "window-v", id: eventId("v", by, commandId, index) };
    }),
  ),
  atLast("wrong-event-id", "an id made by somebody else", (events, at) =>
    withEvent(events, at, () => ({ id: "00000000-0000-8000-8000-000000000000" })),
  ),
  atLast("wrong-event-id", "another principal named as the author", (events, at) =>
    withMetadata(events, at, { by: "human/p" }),
  ),
  atLast("index-beyond-count", "an event outside its append", (events, at) =>
    withEvent(withMetadata(events, at, { index: 1 }), at, ({ metadata }) => {
      const { by, commandId } = metadata as { by: string; commandId: string };
      return { id: eventId("w", by, commandId, 1) };
    }),
  ),
  {
    says: "the first event gone, as a store with a limit does it",
    rule: "stream-start",
    at: () => 1,
    damage: inWindow((events) => without(events, 0)),
  },
  {
    says: "an event gone from the middle",
    rule: "revision-gap",
    at: atEnd,
    damage: inWindow((events) => {
      const read = { type: "SpansRead", data: { spanIds: ["q"] } };
      const more = withAppend(withAppend(events, admit("new")), read);
      return without(more, last(more) - 1);
    }),
  },
  {
    says: "a window opened under another name",
    rule: "opened-once",
    at: () => 0,
    damage: inWindow((events) => withData(events, 0, { window: "v" })),
  },
  atLast("opened-once", "a window opened twice", (events) =>
    withAppend(events, {
      type: "WindowOpened",
      data: { window: "w", tokenizer: "utf8-bytes/4" },
    }),
  ),
  {
    says: "an append that claims to begin in its middle",
    rule: "append-frame",
    at: ({ window }) => birthOf(window, "q"),
    damage: inWindow((events) => {
      const at = birthOf(events, "q");
      return withEvent(withMetadata(events, at, { index: 1, count: 2 }), at, ({ metadata }) => {
        const { by, commandId } = metadata as { by: string; commandId: string };
        return { id: eventId("w", by, commandId, 1) };
      });
    }),
  },
  {
    says: "half an append at the end",
    rule: "half-append",
    at: atEnd,
    damage: inWindow((events) => {
      const batch = withAppend(events, admit("new-1"), admit("new-2"));
      return batch.slice(0, -1);
    }),
  },
  {
    says: "half an append in the middle",
    rule: "half-append",
    at: ({ window }) => g1(window),
    damage: inWindow((events) =>
      withMetadata(resealed(without(events, birthOf(events, "g2"))), g1(events), { count: 2 }),
    ),
  },
  {
    says: "the events of one append from two commands",
    rule: "append-shared",
    at: ({ window }) => g1(window) + 1,
    damage: inWindow((events) =>
      withMetadata(events, g1(events) + 1, { commandDigest: "0".repeat(64) }),
    ),
  },
  atLast("command-twice", "an append written twice", (events, at) => [
    ...events,
    { ...(events[at] as Events[number]), revision: at + 1 },
  ]),
];

describeDamages("damage to the form of the stream", algebraStore, damages);
