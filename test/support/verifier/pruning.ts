import type { Forged } from "./damage.ts";

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
