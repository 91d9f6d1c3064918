import { claimStore } from "../support/verifier/bases.ts";
import type { Damage } from "../support/verifier/corpus.ts";
import { atEnd, describeDamages, inWindow } from "../support/verifier/corpus.ts";
import type { Events, Forged } from "../support/verifier/damage.ts";
import {
  admit,
  edit,
  lastOf,
  resealed,
  withAppend,
  withData,
  without,
} from "../support/verifier/damage.ts";
import { dataOf } from "../support/verifier/store.ts";

/* Claims, retractions and conflicts. */

function forged(rule: string, says: string, forge: () => readonly Forged[]): Damage {
  const damage = inWindow((events) => withAppend(events, ...forge()));
  return { says, rule, at: atEnd, damage };
}

function claim(claimId: string, more: Forged["data"] = {}): Forged {
  const data = { claimId, kind: "fact", statement: `about ${claimId}`, because: [], ...more };
  return { type: "ClaimAsserted", data };
}

const retract = (claimId: string, reason: string | undefined): Forged => ({
  type: "ClaimRetracted",
  data: { claimId, reason },
});

/** Revision at which a claim was asserted first. */
function assertionOf(events: Events, claimId: string): number {
  return events.findIndex(
    (event) => event.type === "ClaimAsserted" && dataOf(event).claimId === claimId,
  );
}

const damages: readonly Damage[] = [
  forged("claim-keyed", "a key without a value", () => [claim("new", { key: "k" })]),
  forged("claim-identity", "another claim under an id that is taken", () => [claim("plain")]),
  forged("claim-identity", "a claim said again under a new id", () => [
    claim("new", { statement: "a plain fact" }),
  ]),
  forged("claim-retracted", "a retraction undone by saying it again", () => [
    claim("port", { statement: "port is 80" }),
  ]),
  forged("claim-retracted", "a retracted claim brought back under a new id", () => [
    claim("new", { statement: "port is 80" }),
  ]),
  forged("claim-carrier", "a carrier that nobody sees", () => [claim("new", { carrier: "file" })]),
  forged("claim-carrier", "a carrier that never was", () => [claim("new", { carrier: "never" })]),
  forged("claim-quote", "words that its carrier does not hold", () => [
    claim("new", { carrier: "note", quote: "raised to 9" }),
  ]),
  forged("claim-quote", "words of a line that says the contrary", () => [
    admit("not", { content: "always\ndo not use X" }),
    claim("new", { carrier: "not", quote: "use X" }),
  ]),
  forged("claim-quote", "no words", () => [claim("new", { carrier: "note", quote: "" })]),
  forged("claim-quote", "no words of the span it rests on", () => [
    claim("new", { because: [{ span: "note", quote: "" }] }),
  ]),
  forged("claim-quote", "words that the span it rests on does not hold", () => [
    claim("new", { because: [{ span: "note", quote: "raised to 9" }] }),
  ]),
  ...[
    { says: "a quote of more than 300 characters", quote: "long ".repeat(80) },
    { says: "a quote of 151 characters that take two code units", quote: "\u{1f600}".repeat(151) },
  ].map(
    ({ says, quote }): Damage => ({
      says,
      rule: "claim-quote",
      at: atEnd,
      damage: inWindow((events) => {
        const more = withAppend(events, admit("long", { content: quote }));
        return withAppend(more, claim("new", { carrier: "long", quote }));
      }),
    }),
  ),
  forged("claim-quote", "a quote from no span", () => [claim("new", { quote: "raised to 7" })]),
  forged("claim-value", "a value with a carrier and no word of it", () => [
    claim("new", { key: "k", value: "9", carrier: "note" }),
  ]),
  forged("claim-value", "a value that is not in its quote", () => [
    claim("new", { key: "k", value: "9", carrier: "note", quote: "raised to 7 pending rollout" }),
  ]),
  forged("claim-cites", "a claim that rests on a span that never was", () => [
    claim("new", { because: [{ span: "never", quote: "x" }] }),
  ]),
  {
    says: "a claim dropped that a decision rests on",
    rule: "claim-cites",
    at: ({ window }) => assertionOf(window, "late"),
    damage: inWindow((events) => {
      const fact = withAppend(events, claim("early"));
      const both = withAppend(fact, claim("late", { because: [{ claim: "early" }] }));
      return resealed(without(both, assertionOf(both, "early")));
    }),
  },
  forged("claim-cites", "a claim that supersedes what never was", () => [
    claim("new", { supersedes: "never" }),
  ]),
  forged("decision-cites", "a decision that rests on nothing", () => [
    claim("new", { kind: "decision" }),
  ]),
  forged("decision-cites", "a decision that rests on a retracted claim", () => [
    claim("new", { kind: "decision", because: [{ claim: "port" }] }),
  ]),
  forged("decision-cites", "a decision that rests on what nobody could see", () => [
    claim("new", { kind: "decision", because: [{ claim: "plain" }] }),
  ]),
  forged("retraction-known", "a retraction of what was never said", () => [retract("never", "x")]),
  forged("retraction-known", "a retraction of what is retracted", () => [retract("port", "x")]),
  forged("retraction-reason", "a retraction with an empty reason", () => [retract("plain", "")]),
  forged("retraction-reason", "a retraction with a blank reason", () => [retract("plain", " ")]),
  {
    says: "the reason of a retraction taken away",
    rule: "retraction-reason",
    at: atEnd,
    damage: inWindow((events) => {
      const more = withAppend(events, retract("plain", "why"));
      return withData(more, lastOf(more, "ClaimRetracted"), { reason: undefined });
    }),
  },
  forged("conflict-known", "a claim in conflict with itself", () => [
    { type: "ConflictNoted", data: { a: "c3", b: "c3" } },
  ]),
  forged("conflict-known", "a conflict with a retracted claim", () => [
    { type: "ConflictNoted", data: { a: "c3", b: "port" } },
  ]),
  {
    says: "a carrier evicted before its claim",
    rule: "claim-carrier",
    at: atEnd,
    damage: inWindow((events) => {
      const gone = withAppend(events, ...edit(events, { verb: "evict" }, ["note"]));
      return withAppend(gone, claim("new", { carrier: "note" }));
    }),
  },
];

describeDamages("damage to claims", claimStore, damages);
