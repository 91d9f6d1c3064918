import { eventId } from "@palimpsest/core";
import { sha256 } from "../support/sha256.ts";
import { policyStore } from "../support/verifier/bases.ts";
import type { Damage } from "../support/verifier/corpus.ts";
import { atEnd, describeDamages, inWindow } from "../support/verifier/corpus.ts";
import type { Events, Forged } from "../support/verifier/damage.ts";
import {
  admit,
  edit,
  lastOf,
  measured,
  product,
  withAppend,
  withData,
  withMetadata,
} from "../support/verifier/damage.ts";
import { propose, proposedEvidence, settled } from "../support/verifier/pruning.ts";
import { dataOf } from "../support/verifier/store.ts";

/* Policies, epochs, proposals and settlements. */

function forged(
  rule: string,
  says: string,
  forge: (events: Events) => readonly Forged[],
  at: Damage["at"] = atEnd,
): Damage {
  const damage = inWindow((events) => withAppend(events, ...forge(events)));
  return { says, rule, at, damage };
}

const recallOf = (spanId: string) => ({ recallOf: spanId, content: undefined });
/** The last policy once more, under another id. */
const policy = (events: Events, policyId: string, more: Forged["data"] = {}): Forged => {
  const { policyId: previous, text } = dataOf(events[lastOf(events, "PolicyAuthored")]);
  const data = { policyId, text, digest: sha256(text as string), epoch: 3, previous, diff: "" };
  return { type: "PolicyAuthored", data: { ...data, ...more }, by: "model/m" };
};
const epoch = (data: Forged["data"], by = "human/p"): Forged => ({ type: "EpochOpened", data, by });

/** A settlement of the open proposal, which names `d`, that takes these spans. */
function settlement(events: Events, taken: readonly string[], more: Forged["data"] = {}) {
  const edits = edit(events, { verb: "evict", proposalId: "open" }, taken);
  return [...edits, settled("open", "committed", more)];
}

/** Revision of the first event of a type. */
const firstOf = ({ window }: { window: Events }, type: string): number =>
  window.findIndex((event) => event.type === type);

/** The same event by another principal. */
function byOther(events: Events, at: number, by: string): Events {
  const metadata = (events[at] as Events[number]).metadata;
  const { commandId, index } = metadata as { commandId: string; index: number };
  const named = withMetadata(events, at, { by });
  const id = eventId("w", by, commandId, index);
  return named.map((event, i) => (i === at ? { ...event, id } : event));
}

const policies: readonly Damage[] = [
  forged("policy-id-twice", "a policy id given again", (events) => [policy(events, "p1")]),
  {
    says: "the text of a policy changed",
    rule: "policy-digest",
    at: (store) => firstOf(store, "PolicyAuthored"),
    damage: inWindow((events) => {
      const at = events.findIndex(({ type }) => type === "PolicyAuthored");
      return withData(events, at, { digest: sha256("what it was") });
    }),
  },
  forged("policy-diff", "a diff that leads elsewhere", (events) => [
    policy(events, "p3", { diff: "@@ -0,0 +1 @@\n+what it does not say\n" }),
  ]),
  forged("policy-diff", "a diff against a policy that never was", (events) => [
    policy(events, "p3", { previous: "never" }),
  ]),
  forged("policy-diff", "a policy that follows none", (events) => [
    policy(events, "p3", { previous: undefined }),
  ]),
  forged("policy-diff", "a policy that follows one before the last", (events) => {
    const { text } = dataOf(events.find(({ type }) => type === "PolicyAuthored"));
    return [policy(events, "p3", { previous: "p1", text, digest: sha256(text as string) })];
  }),
  forged("policy-epoch", "a policy that says it is older than it is", (events) => [
    policy(events, "p3", { epoch: 1 }),
  ]),
  forged("epoch-order", "an epoch skipped", () => [epoch({ epoch: 5 })]),
  forged("epoch-order", "an epoch that goes back", () => [epoch({ epoch: 2 })]),
  forged("policy-same-epoch", "a policy activated by the append that wrote it", (events) => [
    policy(events, "p3"),
    epoch({ epoch: 4, policyId: "p3" }),
  ]),
  forged("policy-same-epoch", "a policy activated in its epoch", () => [
    epoch({ epoch: 3, policyId: "p2" }),
  ]),
  forged("epoch-policy", "an epoch under a policy that never was", () => [
    epoch({ epoch: 4, policyId: "never" }),
  ]),
  {
    says: "an epoch opened by the author of its policy",
    rule: "epoch-policy",
    at: atEnd,
    damage: inWindow((events) => {
      const authored = withAppend(events, { ...policy(events, "p3"), by: "human/p" });
      return withAppend(authored, epoch({ epoch: 4, policyId: "p3" }));
    }),
  },
  {
    says: "an epoch in which only the model spoke",
    rule: "epoch-fed",
    at: atEnd,
    damage: inWindow((events) => {
      const opened = withAppend(events, epoch({ epoch: 4 }));
      const said = { ...admit("said", { origin: "assistant" }), by: "model/m" };
      return withAppend(withAppend(opened, said), epoch({ epoch: 5 }));
    }),
  },
  {
    says: "an epoch in which old words of the user were recalled",
    rule: "epoch-fed",
    at: atEnd,
    damage: inWindow((events) => {
      const opened = withAppend(events, epoch({ epoch: 4 }));
      const again = admit("again", { ...recallOf("a"), ...measured("content of a") });
      return withAppend(withAppend(opened, again), epoch({ epoch: 5 }));
    }),
  },
];

const settlements: readonly Damage[] = [
  forged("proposal-id-twice", "a proposal id given again", () => [propose("open", ["d"])]),
  forged("proposal-policy", "a proposal under a policy that never was", () => [
    { ...propose("more", ["d"]), data: { ...propose("more", ["d"]).data, policyId: "never" } },
  ]),
  {
    says: "a proposal made on its own revision",
    rule: "proposal-base",
    at: atEnd,
    damage: inWindow((events) => {
      const { data, ...proposed } = propose("more", ["d"]);
      return withAppend(events, { ...proposed, data: { ...data, baseRevision: events.length } });
    }),
  },
  forged("settled-once", "a proposal settled twice", () => [settled("refused", "empty")]),
  forged("settled-once", "a settlement of what was never proposed", () => [
    settled("never", "empty"),
  ]),
  {
    says: "the committer is the author of the proposal",
    rule: "self-commit",
    at: (store) => lastOf(store.window, "PruningSettled"),
    damage: inWindow((events) => {
      const own = withAppend(events, { ...propose("own", ["d"]), by: "host/h" });
      return withAppend(own, settled("own", "refused"));
    }),
  },
  {
    says: "the committer is the author of the policy",
    rule: "self-commit",
    at: (store) => lastOf(store.window, "PruningSettled"),
    damage: inWindow((events) => {
      const authored = withAppend(events, { ...policy(events, "p3"), by: "host/h" });
      const proposed = propose("own", ["d"]);
      const data = { ...proposed.data, policyId: "p3" };
      return withAppend(withAppend(authored, { ...proposed, data }), settled("own", "refused"));
    }),
  },
  {
    says: "a settlement by the model",
    rule: "self-commit",
    at: (store) => lastOf(store.window, "PruningSettled"),
    damage: inWindow((events) => byOther(events, lastOf(events, "PruningSettled"), "model/other")),
  },
  forged("settled-edit", "an edit in the name of a proposal that nobody settled", (events) =>
    edit(events, { verb: "evict", proposalId: "open" }, ["d"]),
  ),
  {
    says: "a refused proposal with effect",
    rule: "refused-effect",
    at: (store) => firstOf(store, "PruningSettled"),
    damage: inWindow((events) => {
      const at = events.findIndex(({ type }) => type === "PruningSettled");
      return withData(events, at, { outcome: "refused" });
    }),
  },
  {
    says: "an empty settlement that claims to have committed",
    rule: "refused-effect",
    at: ({ window }) =>
      window.findIndex(
        (event) => event.type === "PruningSettled" && dataOf(event).proposalId === "empty",
      ),
    damage: inWindow((events) => {
      const at = events.findIndex(
        (event) => event.type === "PruningSettled" && dataOf(event).proposalId === "empty",
      );
      return withData(events, at, { outcome: "committed" });
    }),
  },
  forged("committed-proposed", "a committed span that was never proposed", (events) =>
    settlement(events, ["d", "e"]),
  ),
  forged("committed-proposed", "a replacement with other words than proposed", (events) => [
    ...edit(events, { verb: "rewrite", proposalId: "open", creates: product("p", "d") }, ["d"]),
    settled("open", "committed"),
  ]),
  {
    says: "a replacement of one span by the words proposed for two",
    rule: "committed-proposed",
    at: atEnd,
    damage: inWindow((events) => {
      const both = { consumes: ["d", "e"], content: "d" };
      const proposed = withAppend(events, propose("both", ["e", both]));
      const verb = { verb: "rewrite", proposalId: "both", creates: product("p", "d") };
      const rewrite = edit(proposed, verb, ["d"]);
      const evict = { verb: "evict", editId: "other", proposalId: "both" };
      const edits = [...rewrite, ...edit(withAppend(proposed, ...rewrite), evict, ["e"])];
      return withAppend(proposed, ...edits, settled("both", "committed"));
    }),
  },
  ...(["sealed", "bond", "open-call", "own-call", "revived", "contested", "evidence"] as const).map(
    (why) =>
      forged("retained-why", `a plain span retained as ${why}`, () => [
        settled("open", "empty", { retained: [{ spanId: "d", why }], unattended: true }),
      ]),
  ),
  forged("retained-why", "a span retained that was never proposed", (events) => [
    ...settlement(events, ["d"], { retained: [{ spanId: "pinned", why: "pinned" }] }),
  ]),
  {
    says: "a span taken that an undo brought back in this epoch",
    rule: "revived-taken",
    at: ({ window }) => lastOf(window, "WindowEdited"),
    damage: inWindow((events) => {
      const evicted = withAppend(events, ...edit(events, { verb: "evict", editId: "out" }, ["d"]));
      const undo = { verb: "undo", editId: "back", target: "out" };
      const back = withAppend(evicted, ...edit(evicted, undo, []));
      return withAppend(back, ...settlement(back, ["d"]));
    }),
  },
  {
    says: "a span that is retained and taken",
    rule: "retained-taken",
    at: (store) => firstOf(store, "PruningSettled"),
    damage: inWindow((events) => {
      const at = events.findIndex(({ type }) => type === "PruningSettled");
      return withData(events, at, { retained: [{ spanId: "b", why: "bond" }] });
    }),
  },
  {
    says: "a proposal committed that names a record",
    rule: "recovery-region-addressed",
    at: atEnd,
    damage: inWindow((events) => {
      const proposed = withAppend(events, propose("region", ["d", "undo:e1"]));
      const edits = edit(proposed, { verb: "evict", proposalId: "region" }, ["d"]);
      return withAppend(proposed, ...edits, settled("region", "committed"));
    }),
  },
  {
    says: "a settlement that makes the window larger",
    rule: "no-gain",
    at: atEnd,
    damage: inWindow((events) => {
      const content = "a summary that is longer than what it stands for";
      const candidate = { consumes: ["d"], content };
      const proposed = withAppend(events, propose("larger", [candidate]));
      const made = { verb: "rewrite", proposalId: "larger", creates: product("p", content) };
      return withAppend(proposed, ...edit(proposed, made, ["d"]), settled("larger", "committed"));
    }),
  },
  ...[
    { says: "evidence taken by an unattended settlement", more: { unattended: true } },
    { says: "evidence lost by a settlement that refuses to", more: { onEvidence: "refuse" } },
  ].map(
    ({ says, more }): Damage => ({
      says,
      rule: "evidence-taken",
      at: atEnd,
      damage: inWindow((events) => {
        const before = proposedEvidence("words ".repeat(200));
        const proposed = before.reduce((all, one) => withAppend(all, one), events);
        const edits = edit(proposed, { verb: "evict", proposalId: "evidence" }, ["long"]);
        return withAppend(proposed, ...edits, settled("evidence", "committed", more));
      }),
    }),
  ),
];

describeDamages("damage to policies and epochs", policyStore, policies);
describeDamages("damage to settlements", policyStore, settlements);
