import type { StoredEvent } from "@palimpsest/core";
import type { Verdict } from "@palimpsest/verifier";
import { noteDigest } from "@palimpsest/verifier";
import { KEY, OTHER_KEY, verdictStore } from "../support/verifier/bases.ts";
import type { Damage } from "../support/verifier/corpus.ts";
import { atEnd, describeDamages } from "../support/verifier/corpus.ts";
import {
  admit,
  birthOf,
  editAt,
  measured,
  resealed,
  withAppend,
  withAppendAt,
  withData,
  withMetadata,
  without,
} from "../support/verifier/damage.ts";
import { signedVerdict } from "../support/verifier/sign-verdict.ts";
import type { TestStore } from "../support/verifier/store.ts";
import { dataOf } from "../support/verifier/store.ts";

/* What was signed before, and a store that was changed, cut or put back since. */

/** The event that completes what the first verdict covers. */
const firstHead: Damage["at"] = ({ verdicts }) => (dataOf(verdicts[0]).size as number) - 1;

/** Damage to the events that the first verdict covers; both heads no longer match. */
function rewritten(
  says: string,
  damage: (events: TestStore["window"]) => TestStore["window"],
): Damage {
  // Behind the first head nothing is kept, so that there is one place to name.
  return {
    says,
    rule: "head-root",
    at: firstHead,
    damage: ({ window, verdicts }) => ({ window: damage(window), verdicts: verdicts.slice(0, 1) }),
  };
}

const inVerdicts = (damage: (events: TestStore["verdicts"]) => TestStore["verdicts"]) => {
  return (store: TestStore): TestStore => ({ ...store, verdicts: damage(store.verdicts) });
};

/** The last verdict, changed and signed again: what a stolen key can do. */
function resigned(
  change: (verdict: Verdict) => Partial<Verdict>,
  key = KEY,
): (store: TestStore) => TestStore {
  return ({ window, verdicts }) => {
    const { note: _, key: __, ...last } = dataOf(verdicts.at(-1)) as unknown as Verdict;
    const data = signedVerdict({ ...last, ...change(last as Verdict) }, key);
    const event = { ...(verdicts.at(-1) as StoredEvent), data };
    return { window, verdicts: [...verdicts.slice(0, -1), event] as StoredEvent[] };
  };
}

const lastVerdict: Damage["at"] = ({ verdicts }) => verdicts.at(-1)?.revision ?? -1;

const rewrites: readonly Damage[] = [
  rewritten("a content and every digest changed consistently", (events) => {
    const fields = { content: "content of z", ...measured("content of z") };
    return withData(events, birthOf(events, "q"), fields);
  }),
  rewritten("two appends swapped", (events) => {
    const at = birthOf(events, "b");
    const swapped = [events[at + 1], events[at]] as StoredEvent[];
    return resealed([...events.slice(0, at), ...swapped, ...events.slice(at + 2)]);
  }),
  rewritten("an append slipped in", (events) => withAppendAt(events, 3, admit("slipped"))),
  rewritten("an append dropped", (events) => resealed(without(events, birthOf(events, "c")))),
  rewritten("a time changed", (events) =>
    withMetadata(events, 1, { at: "2020-01-01T00:00:00.000Z" }),
  ),
  rewritten("a pin set in hindsight", (events) =>
    withData(events, birthOf(events, "rules"), { pinned: true }),
  ),
  {
    says: "a claim dropped after a verdict",
    rule: "head-root",
    at: atEnd,
    damage: ({ window, verdicts }) => {
      const claim = window.findIndex((event) => dataOf(event).claimId === "plain");
      const read = { type: "SpansRead", data: { spanIds: ["note"] } };
      return { window: withAppend(resealed(without(window, claim)), read), verdicts };
    },
  },
];

const cuts: readonly Damage[] = [
  {
    says: "the last record and edit cut off",
    rule: "tail-cut",
    at: atEnd,
    damage: (store) => ({ ...store, window: store.window.slice(0, -2) }),
  },
  {
    says: "the whole window gone",
    rule: "tail-cut",
    at: () => -1,
    damage: (store) => ({ ...store, window: [] }),
  },
  {
    says: "the file restored from a copy taken before the last verdict",
    rule: "rolled-back",
    at: atEnd,
    damage: (store) => ({
      ...store,
      window: store.window.slice(0, firstHead(store) + 1),
      verdicts: store.verdicts.slice(0, 1),
    }),
  },
  {
    says: "a window rewritten and its verdicts removed",
    rule: "rolled-back",
    at: atEnd,
    damage: ({ window, kept }) => ({
      window: withMetadata(window, 1, { at: "2020-01-01T00:00:00.000Z" }),
      verdicts: [],
      kept,
    }),
  },
  {
    says: "the verdict stream lost",
    rule: "verdicts-lost",
    at: () => -1,
    damage: (store) => ({ ...store, verdicts: [] }),
  },
  {
    says: "the verdict stream older than the window",
    rule: "verdicts-lost",
    at: () => -1,
    damage: inVerdicts((events) => events.slice(0, -1)),
  },
];

const verdicts: readonly Damage[] = [
  {
    says: "the first probe gone",
    rule: "verdict-form",
    at: ({ verdicts: left }) => left.find(({ type }) => type === "EditProbed")?.revision ?? -1,
    damage: inVerdicts((events) => {
      const at = events.findIndex(({ type }) => type === "EditProbed");
      const probe = events[at] as StoredEvent;
      const more = { ...probe, revision: at + 1 };
      return [
        ...events.slice(0, at),
        more,
        ...events.slice(at + 1).map((event) => ({ ...event, revision: event.revision + 1 })),
      ];
    }),
  },
  {
    says: "an event that is not a verdict among the verdicts",
    rule: "verdict-form",
    at: lastVerdict,
    damage: inVerdicts((events) => [
      ...events,
      { ...(events[0] as StoredEvent), type: "Nothing", revision: events.length },
    ]),
  },
  {
    says: "a verdict by somebody who is not a verifier",
    rule: "verdict-form",
    at: lastVerdict,
    damage: (store) => ({
      window: store.window,
      verdicts: withMetadata(store.verdicts, store.verdicts.length - 1, { by: "host/h" }),
    }),
  },
  {
    says: "a verdict changed after it was signed",
    rule: "verdict-signature",
    at: lastVerdict,
    damage: inVerdicts((events) => withData(events, events.length - 1, { shown: "checked" })),
  },
  {
    says: "a verdict signed by a key that nobody vouched for",
    rule: "verdict-signature",
    at: lastVerdict,
    damage: resigned(() => ({}), OTHER_KEY),
  },
  {
    says: "a verdict that hides the one before it",
    rule: "verdict-chain",
    at: lastVerdict,
    damage: resigned(() => ({ previous: null })),
  },
  {
    says: "a verdict that names another one as the one before it",
    rule: "verdict-chain",
    at: lastVerdict,
    damage: resigned(({ previous }) => ({ previous: noteDigest({ note: previous ?? "" }) })),
  },
  {
    says: "a verdict with fewer edits than there are",
    rule: "verdict-counts",
    at: lastVerdict,
    damage: resigned(() => ({ edits: 0 })),
  },
  {
    says: "a verdict that forgets claims",
    rule: "verdict-counts",
    at: lastVerdict,
    damage: resigned(({ distinct }) => ({ distinct: distinct + 1 })),
  },
  {
    says: "a verdict in which claims fell without a retraction",
    rule: "claims-fell",
    at: lastVerdict,
    damage: resigned(() => ({ distinct: 0 })),
  },
  {
    says: "a probe that found content lost",
    rule: "probe-lost",
    at: ({ window }) => editAt(window, "e1"),
    damage: inVerdicts((events) => {
      const at = events.findIndex(({ type }) => type === "EditProbed");
      return withData(events, at, { outcome: "lost" });
    }),
  },
];

describeDamages("a history that was changed", verdictStore, rewrites);
describeDamages("a store that was cut or put back", verdictStore, cuts);
describeDamages("verdicts that were changed", verdictStore, verdicts);
