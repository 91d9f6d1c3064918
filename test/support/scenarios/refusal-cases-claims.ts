import type { Sent } from "./commands.ts";
import { admit, decide, evict, fact, propose, retract, settle } from "./commands.ts";
import { HUMAN, MODEL } from "./given.ts";
import type { RefusalCase } from "./refusal-case.ts";

const policy = { name: "oldest first", targetTokens: 0, rank: "-span.age" };
const author = (more: Sent = {}): Sent => ({
  command: "authorPolicy",
  policyId: "p1",
  document: policy,
  ...more,
});
const settleByPerson = (more: Sent = {}) => settle("q1", { by: HUMAN, ...more });
const contested = [
  admit("s1"),
  admit("s2"),
  fact("c1", { carrier: "s1" }),
  fact("c2", { carrier: "s2" }),
  { command: "noteConflict", a: "c1", b: "c2" },
];
/** Ways to each code of claims, policies and pruning. */
export const claimRefusals = {
  "unknown-claim": [
    { when: retract("nobody"), facts: { claimId: "nobody" } },
    { when: fact("c1", { supersedes: "nobody" }), facts: { claimId: "nobody" } },
    { when: decide("d1", ["nobody"]), facts: { claimId: "nobody" } },
    {
      given: [fact("c1")],
      when: { command: "noteConflict", a: "c1", b: "nobody" },
      facts: { claimId: "nobody" },
    },
  ],
  "quote-not-found": [
    {
      given: [admit("s1")],
      when: fact("c1", { carrier: "s1", quote: "nobody said so" }),
      facts: { spanId: "s1", quote: "nobody said so" },
    },
  ],
  "claim-not-visible": [
    {
      given: [admit("s1"), fact("c1", { carrier: "s1" }), evict("e1", ["s1"])],
      when: decide("d1", ["c1"]),
      facts: { claimId: "c1" },
    },
  ],
  "claim-retracted": [
    { given: [fact("c1"), retract("c1")], when: fact("c1"), facts: { claimId: "c1" } },
    { given: [fact("c1"), retract("c1")], when: retract("c1"), facts: { claimId: "c1" } },
    { given: [fact("c1"), retract("c1")], when: decide("d1", ["c1"]), facts: { claimId: "c1" } },
    {
      given: [fact("c1"), fact("c2"), retract("c2")],
      when: retract("c1", { supersededBy: "c2" }),
      facts: { claimId: "c2" },
    },
  ],
  "ledger-full": [{ budgetTokens: 10, when: fact("c1", { evidence: true, by: MODEL }) }],
  "unknown-proposal": [{ when: settle("nobody"), facts: { proposalId: "nobody" } }],
  "unknown-policy": [
    { when: { command: "openEpoch", policyId: "nobody" }, facts: { policyId: "nobody" } },
    { when: propose("q1", [], { policyId: "nobody" }), facts: { policyId: "nobody" } },
    { when: { command: "proposePruning" } },
  ],
  "provenance-orphan": [
    {
      given: [admit("s1"), fact("c1", { carrier: "s1", evidence: true }), propose("q1", ["s1"])],
      when: settleByPerson({ onEvidence: "refuse" }),
      facts: { claimId: "c1" },
      logged: true,
    },
  ],
  "conflict-asymmetry": [
    {
      given: [...contested, propose("q1", ["s1"])],
      when: settleByPerson({ onEvidence: "refuse" }),
      facts: { claimId: "c1" },
      logged: true,
    },
  ],
  "recovery-region-addressed": [
    {
      given: [admit("s1"), propose("q1", ["s1", "nobody"])],
      when: settleByPerson(),
      facts: { candidate: "nobody" },
      logged: true,
    },
  ],
  "stale-proposal": [
    {
      given: [admit("s1"), propose("q1", ["s1"]), evict("e1", ["s1"])],
      when: settleByPerson(),
      facts: { candidate: "s1" },
      logged: true,
    },
    {
      given: [propose("q1", []), settleByPerson()],
      when: settleByPerson({ decision: "refuse" }),
      facts: { proposalId: "q1" },
    },
  ],
  "self-commit": [
    {
      given: [admit("s1"), propose("q1", ["s1"])],
      when: settle("q1"),
      facts: { proposalId: "q1" },
    },
  ],
  "policy-same-epoch": [
    {
      given: [admit("s1"), author()],
      when: { command: "openEpoch", policyId: "p1", by: HUMAN },
      facts: { policyId: "p1", epoch: 1 },
    },
  ],
  "epoch-not-open": [{ when: { command: "openEpoch" }, facts: { epoch: 1 } }],
  "invalid-policy": [
    { when: author({ document: "no JSON" }) },
    { when: author({ document: { ...policy, keep: "nobody.knows" } }) },
  ],
  "no-gain": [
    {
      given: [
        admit("s1"),
        propose("q1", [{ consumes: ["s1"], content: "more words than there were before" }]),
      ],
      when: settleByPerson(),
      logged: true,
    },
  ],
} satisfies Readonly<Record<string, readonly RefusalCase[]>>;
