import { sha256 } from "../support/sha256.ts";
import { claimStore } from "../support/verifier/bases.ts";
import type { Damage } from "../support/verifier/corpus.ts";
import { atEnd, describeDamages, inWindow } from "../support/verifier/corpus.ts";
import type { Events } from "../support/verifier/damage.ts";
import { lastOf, withData } from "../support/verifier/damage.ts";
import { dataOf } from "../support/verifier/store.ts";

/* What the model was handed. The bytes of the two renderings are written out by hand. */

const SPANS = [
  "::gap spans 1 edits 1: e1 (out of view; undo an edit to see its spans)",
  "::span note user text",
  "raised to 7 pending rollout",
  "::span file user text",
  "port 80",
];
const LEDGER = "::ledger edits 1, records 1, 1 spans out of view";
const C3 =
  '::claim c3 fact verified by host/h "the budget is 3" key "retry_budget" value "3" ' +
  'quote "retry_budget = 3" contested c7 recall config';
const C7 =
  '::claim c7 fact verified by host/h "the budget is 7" key "retry_budget" value "7" ' +
  'quote "raised to 7 pending rollout" contested c3 live note';
const GO = '::claim go decision verified by host/h "go on"';

const bytes = (...lines: readonly string[]): string => lines.map((line) => `${line}\n`).join("");

const first = (events: Events): number => events.findIndex(({ type }) => type === "WindowRendered");
const atFirst: Damage["at"] = ({ window }) => first(window);

function shown(says: string, ...lines: readonly string[]): Damage {
  return {
    says,
    rule: "shown-digest",
    at: atFirst,
    damage: inWindow((events) =>
      withData(events, first(events), { digest: sha256(bytes(...lines)) }),
    ),
  };
}

function changed(rule: string, says: string, fields: Parameters<typeof withData>[2]): Damage {
  return { says, rule, at: atFirst, damage: inWindow((e) => withData(e, first(e), fields)) };
}

const damages: readonly Damage[] = [
  shown("a rendering without its ledger", ...SPANS, LEDGER),
  shown("a rendering without one side of a conflict", ...SPANS, LEDGER, C3, GO),
  shown("a rendering without a decision", ...SPANS, LEDGER, C3, C7),
  shown(
    "a rendering that says a conflict is none",
    ...SPANS,
    LEDGER,
    C3.replace(" contested c7", ""),
    C7,
    GO,
  ),
  shown("a rendering without its gap", ...SPANS.slice(1), LEDGER, C3, C7, GO),
  {
    says: "a rendering with a stale ledger",
    rule: "shown-digest",
    at: ({ window }) => lastOf(window, "WindowRendered"),
    damage: inWindow((events) =>
      withData(events, lastOf(events, "WindowRendered"), {
        digest: dataOf(events[first(events)]).digest,
      }),
    ),
  },
  changed("shown-at", "a rendering of the future", { at: 99 }),
  changed("shown-at", "a rendering of the window as it was before", { at: 2 }),
  changed("shown-renderer", "a rendering in bytes that nobody knows", { renderer: "other/1" }),
  changed("shown-tokens", "a rendering that hides its tokens", { tokens: 1 }),
  changed("shown-tokens", "a rendering that hides its ledger's tokens", { ledgerTokens: 0 }),
  changed("shown-first-changed", "a rendering that says nothing changed", { firstChanged: null }),
  {
    says: "bytes from outside that nobody rendered",
    rule: "shown-outside",
    at: atEnd,
    damage: (store) => store,
    options: { rendered: { digest: sha256("made up") } },
  },
];

describeDamages("damage to what was shown", claimStore, damages);

describeDamages("bytes from outside", claimStore, [
  {
    says: "the first rendering, said to be of a later revision",
    rule: "shown-outside",
    at: atEnd,
    damage: (store) => store,
    options: { rendered: { digest: sha256(bytes(...SPANS, LEDGER, C3, C7, GO)), at: 14 } },
  },
]);
