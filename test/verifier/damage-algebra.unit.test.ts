import { algebraStore } from "../support/verifier/bases.ts";
import type { Damage } from "../support/verifier/corpus.ts";
import { atEnd, describeDamages, inWindow } from "../support/verifier/corpus.ts";
import type { Events, Forged } from "../support/verifier/damage.ts";
import {
  admit,
  birthOf,
  edit,
  entryOf,
  product,
  withAppend,
  withData,
} from "../support/verifier/damage.ts";

/* Verbs, marks, spans and parties: one forged append at the end of a valid history. */

type Forge = (events: Events) => readonly Forged[];

function forged(rule: string, says: string, forge: Forge): Damage {
  const damage = inWindow((events) => withAppend(events, ...forge(events)));
  return { says, rule, at: atEnd, damage };
}

/** A forged edit that is true but for one thing. */
function forgedEdit(
  rule: string,
  says: string,
  data: Parameters<typeof edit>[1],
  spans: readonly string[],
  by: Parameters<typeof edit>[3] = {},
): Damage {
  return forged(rule, says, (events) => edit(events, data, spans, by));
}

const MODEL = { by: "model/m" };

const spans: readonly Damage[] = [
  forged("span-id-twice", "a span id given again", () => [admit("q")]),
  forged("content-tokens", "tokens that were never counted", () => [admit("new", { tokens: 1 })]),
  forged("recall", "a span without content", () => [admit("empty", { content: undefined })]),
  forged("read-live", "a span out of view marked as read", () => [
    { type: "SpansRead", data: { spanIds: ["x"] } },
  ]),
  forged("party", "a verifier that writes to the window", () => [
    { ...admit("new"), by: "verifier/v" },
  ]),
  forged("party", "a model that speaks as the user", () => [{ ...admit("new"), ...MODEL }]),
  forged("party", "a model that pins its own words", () => [
    { ...admit("new", { origin: "assistant", pinned: true }), ...MODEL },
  ]),
  forged("party", "a model that answers its call", () => [
    { ...admit("new", { origin: "assistant", kind: "tool-result", call: "o" }), ...MODEL },
  ]),
  forged("party", "a model that observes a source", () => [
    { type: "SourceObserved", data: { uri: "file:p", digest: null }, ...MODEL },
  ]),
  forged("party", "a model that opens an epoch", () => [
    { type: "EpochOpened", data: { epoch: 2 }, ...MODEL },
  ]),
];

const bcProduct = product("p", "all of it");

const edits: readonly Damage[] = [
  forgedEdit("verb-fields", "an evict that creates a span", { verb: "evict", creates: bcProduct }, [
    "q",
  ]),
  forgedEdit("verb-fields", "an evict with a place to rewind to", { verb: "evict", to: 1 }, ["q"]),
  forgedEdit("takes-live", "a span taken that another edit has", { verb: "evict" }, ["x"]),
  forgedEdit("takes-live", "an evict that takes nothing", { verb: "evict" }, []),
  forgedEdit(
    "contiguous",
    "a rewrite around a live span",
    { verb: "rewrite", creates: bcProduct },
    ["a3", "y"],
  ),
  forgedEdit("sealed-alone", "a sealed span rewritten", { verb: "rewrite", creates: bcProduct }, [
    "seal",
  ]),
  forgedEdit("target", "an undo of an undo", { verb: "undo", target: "e8" }, ["y"]),
  forgedEdit("target", "an undo of an edit that never was", { verb: "undo", target: "never" }, []),
  forgedEdit(
    "undo-in-place",
    "a span revived beside its descendant",
    { verb: "undo", target: "e1" },
    [],
  ),
  forgedEdit(
    "redo-in-place",
    "a redo of what later work was built on",
    { verb: "redo", target: "e1" },
    [],
  ),
  forgedEdit(
    "nothing-changed",
    "a rewrite of a span to itself",
    {
      verb: "rewrite",
      creates: product("p", "shortest a"),
    },
    ["a3"],
  ),
  forgedEdit("pinned", "a pinned span evicted", { verb: "evict" }, ["rules"]),
  forgedEdit("own-call", "a call that takes itself away", { verb: "evict" }, ["call", "result"], {
    via: "k",
  }),
  forgedEdit(
    "product-origin",
    "a summary that speaks as the user",
    {
      verb: "rewrite",
      creates: product("p", "all of it", { origin: "user" }),
    },
    ["q"],
  ),
  forgedEdit(
    "product-origin",
    "the model's summary in the host's name",
    {
      verb: "rewrite",
      creates: bcProduct,
    },
    ["q"],
    MODEL,
  ),
  forgedEdit(
    "product-kind",
    "a summary of two spans that says it is a result",
    { verb: "rewrite", creates: product("p", "both", { kind: "tool-result" }) },
    ["call", "result"],
  ),
  forgedEdit(
    "product-kind",
    "words rewritten as the model's reasoning",
    { verb: "rewrite", creates: product("p", "so", { kind: "reasoning" }) },
    ["q"],
  ),
  forgedEdit(
    "merge-of",
    "a merge of an edit that is not stale",
    {
      verb: "rewrite",
      mergeOf: "e2",
      creates: bcProduct,
    },
    ["bc"],
  ),
  forgedEdit(
    "merge-of",
    "a merge into another span",
    {
      verb: "rewrite",
      mergeOf: "e1",
      creates: bcProduct,
    },
    ["q"],
  ),
];

/** Rewinds, and pins set in hindsight. */
const rewinds: readonly Damage[] = [
  {
    says: "a rewind to the middle of an append",
    rule: "rewind-boundary",
    at: atEnd,
    damage: inWindow((events) => {
      const batch = withAppend(events, admit("n1"), admit("n2"));
      const to = birthOf(batch, "n1");
      return withAppend(batch, ...edit(batch, { verb: "rewind", to }, ["n2"]));
    }),
  },
  {
    says: "a rewind that changes nothing",
    rule: "nothing-changed",
    at: atEnd,
    damage: inWindow((events) => {
      const to = events.length - 1;
      return withAppend(events, ...edit(events, { verb: "rewind", to }, []));
    }),
  },
  {
    says: "a rewind that says it abandons a call it does not take",
    rule: "abandoned",
    at: atEnd,
    damage: inWindow((events) => {
      const to = events.length - 1;
      const more = withAppend(events, admit("n1"));
      return withAppend(more, ...edit(more, { verb: "rewind", to, abandoned: ["o"] }, ["n1"]));
    }),
  },
  {
    says: "a pinned span taken by the model's rewind",
    rule: "pinned",
    at: atEnd,
    damage: inWindow((events) => {
      const to = events.length - 1;
      const more = withAppend(events, admit("n1", { pinned: true }));
      return withAppend(more, ...edit(more, { verb: "rewind", to }, ["n1"], MODEL));
    }),
  },
  {
    says: "a span that pins itself in hindsight",
    rule: "pinned",
    at: ({ window }) => window.findIndex(({ type }) => type === "WindowEdited"),
    damage: inWindow((events) => withData(events, birthOf(events, "a"), { pinned: true })),
  },
  {
    says: "the record of a rewind that names what stays",
    rule: "record-names",
    at: atEnd,
    damage: inWindow((events) => {
      const to = events.length - 1;
      const more = withAppend(events, admit("n1"));
      const [record, rewind] = edit(more, { verb: "rewind", to }, ["n1"]);
      const consumed = [entryOf(more, "n1"), entryOf(more, "q")];
      return withAppend(more, { ...record, data: { ...record.data, consumed } }, rewind);
    }),
  },
];

describeDamages("damage to spans", algebraStore, spans);
describeDamages("damage to edits", algebraStore, edits);
describeDamages("damage to rewinds", algebraStore, rewinds);
