import type { Forged } from "./damage.ts";
import { admit } from "./damage.ts";

/* Proposals and settlements to forge. */

export const propose = (proposalId: string, candidates: Forged["data"][string]): Forged => ({
  type: "PruningProposed",
  data: { proposalId, baseRevision: 1, candidates },
  by: "model/m",
});

const none = { retained: [], refusals: [], onEvidence: "carry", unattended: false };

export const settled = (
  proposalId: string,
  outcome: string,
  more: Forged["data"] = {},
): Forged => ({
  type: "PruningSettled",
  data: { ...none, proposalId, outcome, ...more },
});

/** Evidence that the span `long` carries and nothing else, then a proposal to take that span. */
export const proposedEvidence = (content: string): readonly Forged[] => [
  admit("long", { content }),
  {
    type: "ClaimAsserted",
    data: {
      claimId: "c",
      kind: "fact",
      statement: "it says words",
      evidence: true,
      carrier: "long",
      because: [],
    },
  },
  propose("evidence", ["long"]),
];
