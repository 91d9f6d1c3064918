import { policyStore } from "../support/verifier/bases.ts";
import type { Damage } from "../support/verifier/corpus.ts";
import { describeDamages, inWindow } from "../support/verifier/corpus.ts";
import type { Events, Forged } from "../support/verifier/damage.ts";
import { admit, edit, editAt, lastOf, product, withAppend } from "../support/verifier/damage.ts";
import { propose, proposedEvidence, settled } from "../support/verifier/pruning.ts";

/* Settlements in an append that holds something else: what follows makes nothing good again. */

const LONG = "words ".repeat(100);

const atSettlement: Damage["at"] = ({ window }) => lastOf(window, "PruningSettled");
const atEdit: Damage["at"] = ({ window }) => editAt(window, "forged");

/** A forged append behind a proposal. */
function behind(
  rule: string,
  says: string,
  before: readonly Forged[],
  forge: (events: Events) => readonly Forged[],
  at = atSettlement,
): Damage {
  const damage = inWindow((events) => {
    const base = before.reduce((all, one) => withAppend(all, one), events);
    return withAppend(base, ...forge(base));
  });
  return { says, rule, at, damage };
}

/** An edit that comes behind others of the same append. */
function editBehind(events: Events, earlier: readonly Forged[], ...args: EditArguments) {
  return edit(withAppend(events, ...earlier), ...args);
}
type EditArguments = Parameters<typeof edit> extends [unknown, ...infer Rest] ? Rest : never;

const takes = (events: Events, proposalId: string, ...spans: readonly string[]) =>
  edit(events, { verb: "evict", proposalId }, spans);

const evidence = proposedEvidence(LONG);

const damages: readonly Damage[] = [
  behind(
    "recovery-region-addressed",
    "a consumed span that is named, and brought back later in the append",
    [propose("region", ["d", "gone"]), admit("gone")],
    (base) => {
      const [record, out] = edit(base, { verb: "evict", editId: "out" }, ["gone"]);
      const taken = editBehind(base, [record, out], { verb: "evict", proposalId: "region" }, ["d"]);
      const so = [record, out, ...taken, settled("region", "committed")];
      const undo = editBehind(base, so, { verb: "undo", editId: "back", target: "out" }, []);
      return [...so, ...undo];
    },
  ),
  behind(
    "recovery-region-addressed",
    "a span that the settlement itself creates",
    [propose("region", [{ consumes: ["d"], content: "d" }, "made"])],
    (base) => {
      const made = { verb: "rewrite", proposalId: "region", creates: product("made", "d") };
      return [...edit(base, made, ["d"]), settled("region", "committed")];
    },
  ),
  behind(
    "no-gain",
    "a settlement that makes the window larger, and a direct evict that hides it",
    [admit("long", { content: LONG }), propose("larger", [{ consumes: ["d"], content: LONG }])],
    (base) => {
      const made = { verb: "rewrite", proposalId: "larger", creates: product("p", LONG) };
      const so = [...edit(base, made, ["d"]), settled("larger", "committed")];
      return [...so, ...editBehind(base, so, { verb: "evict", editId: "direct" }, ["long", "e"])];
    },
  ),
  ...[
    { says: "evidence taken unattended, and retracted afterwards", more: { unattended: true } },
    { says: "evidence lost in spite of refuse, and retracted", more: { onEvidence: "refuse" } },
  ].map(({ says, more }) =>
    behind("evidence-taken", says, evidence, (base) => [
      ...takes(base, "evidence", "long"),
      settled("evidence", "committed", more),
      { type: "ClaimRetracted", data: { claimId: "c", reason: "it is gone" } },
    ]),
  ),
  behind(
    "settled-edit",
    "something between an edit and the settlement that it is made for",
    [],
    (base) => [
      ...takes(base, "open", "d"),
      { type: "SpansRead", data: { spanIds: ["e"] } },
      settled("open", "committed"),
    ],
    atEdit,
  ),
  behind(
    "settled-edit",
    "an edit behind the settlement that found nothing to take",
    [propose("same", [{ consumes: ["d"], content: "content of d" }])],
    (base) => [settled("same", "empty"), ...takes(base, "same", "d")],
    atEdit,
  ),
  behind(
    "settled-edit",
    "an edit by another hand than the settlement's",
    [],
    (base) => [
      ...edit(base, { verb: "evict", proposalId: "open" }, ["d"], { by: "human/p" }),
      settled("open", "committed"),
    ],
    atEdit,
  ),
];

describeDamages("damage to settlements in longer appends", policyStore, damages);
