import { eventId, SCHEMA_VERSION } from "@palimpsest/core/events";
import type { Rules } from "./rule.ts";
import { eventAt } from "./walk.ts";

/* Design §3: what stands on every event beside its data. */

export const metadataRules = {
  /** Versions are upcast before they are folded; a stored one of another version is reported. */
  "schema-version": ({ event }) =>
    event.metadata.schemaVersion === SCHEMA_VERSION
      ? []
      : [`schema version ${event.metadata.schemaVersion}`],

  /** Revisions count from 0. */
  revision: ({ event, revision }) =>
    event.revision === revision ? [] : [`revision ${event.revision} stands at ${revision}`],

  /** The first event opens the window, and no other one does. */
  "opened-once": ({ event, revision }) =>
    (event.type === "WindowOpened") === (revision === 0)
      ? []
      : [`${event.type} at revision ${revision}`],

  /** `index` and `count` are the place in an append, which is there as a whole. */
  "append-frame": (place) => {
    const { index, count } = place.event.metadata;
    const before = eventAt(place, place.revision - 1)?.metadata;
    const after = eventAt(place, place.revision + 1)?.metadata;
    const starts = before === undefined || before.index === before.count - 1;
    if (index >= count) return [`index ${index} of ${count}`];
    if (starts && index !== 0) return [`an append starts with index ${index}`];
    if (!starts && (index !== before.index + 1 || count !== before.count)) {
      return [`${index} of ${count} follows ${before.index} of ${before.count}`];
    }
    return after === undefined && index !== count - 1 ? ["the append is cut off"] : [];
  },

  /** The events of one append come from one command; who sent a part of a batch may differ. */
  "append-shared": (place) => {
    const { index, commandId, commandDigest } = place.event.metadata;
    const before = eventAt(place, place.revision - 1)?.metadata;
    if (index === 0 || before === undefined) return [];
    return before.commandId === commandId && before.commandDigest === commandDigest
      ? []
      : ["the events of one append name different commands"];
  },

  /** UUIDv8 of [window, by, commandId, index]. */
  "event-id": ({ event, walk }) => {
    const opened = walk.entries[0]?.event;
    if (opened?.type !== "WindowOpened") return [];
    const { by, commandId, index } = event.metadata;
    const id = eventId(opened.data.window, by, commandId, index);
    return event.id === id ? [] : [`id ${event.id} is not that of ${by} ${commandId} ${index}`];
  },

  /** A repeated command is answered, not appended, whoever sends it. */
  "command-twice": ({ event: { metadata }, walk, revision }) => {
    if (metadata.index !== 0) return [];
    const again = walk.entries
      .slice(0, revision)
      .some(({ event }) => event?.metadata.commandId === metadata.commandId);
    return again ? [`${metadata.commandId} has an append already`] : [];
  },
} as const satisfies Rules;
