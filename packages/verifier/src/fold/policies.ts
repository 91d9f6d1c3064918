import type { WindowEventOf } from "@palimpsest/core/events";

export interface Policy {
  readonly id: string;
  readonly text: string;
  readonly by: string;
  readonly revision: number;
  /** The append that wrote it, and the epoch it was written in. */
  readonly append: number;
  readonly epoch: number;
}

export interface Proposal {
  readonly id: string;
  readonly by: string;
  readonly policyId: string | undefined;
  readonly baseRevision: number;
  /** Empty once it is settled. */
  candidates: WindowEventOf<"PruningProposed">["data"]["candidates"];
  settled: boolean;
}

/** How the edits of a window came about. */
export interface Counts {
  /** Rewrites and evicts that no proposal asked for. */
  direct: number;
  /** Settlements that committed. */
  settled: number;
  /** Settlements with `unattended`. */
  selfCommitted: number;
  refused: number;
}

/** Policies, epochs and proposals (design §6). */
export class Policies {
  readonly #policies = new Map<string, Policy>();
  readonly #proposals = new Map<string, Proposal>();
  readonly counts: Counts = { direct: 0, settled: 0, selfCommitted: 0, refused: 0 };
  epoch = 1;
  active: string | undefined;
  /** The one that was authored last. */
  last: Policy | undefined;
  /** A user or tool span was admitted in this epoch. */
  wasFed = false;

  find(id: string | undefined): Policy | undefined {
    return id === undefined ? undefined : this.#policies.get(id);
  }

  proposal(id: string | undefined): Proposal | undefined {
    return id === undefined ? undefined : this.#proposals.get(id);
  }

  author(policy: Policy): void {
    if (this.#policies.has(policy.id)) return;
    this.#policies.set(policy.id, policy);
    this.last = policy;
  }

  openEpoch({ epoch, policyId }: WindowEventOf<"EpochOpened">["data"]): void {
    this.epoch = epoch;
    this.active = policyId ?? this.active;
    this.wasFed = false;
  }

  propose(data: WindowEventOf<"PruningProposed">["data"], by: string): void {
    const { proposalId: id, policyId, baseRevision, candidates } = data;
    if (this.#proposals.has(id)) return;
    this.#proposals.set(id, { id, by, policyId, baseRevision, candidates, settled: false });
  }

  settle({ proposalId, outcome, unattended }: WindowEventOf<"PruningSettled">["data"]): void {
    const proposal = this.#proposals.get(proposalId);
    if (proposal !== undefined) {
      proposal.settled = true;
      proposal.candidates = [];
    }
    if (outcome === "committed") this.counts.settled += 1;
    if (outcome === "refused") this.counts.refused += 1;
    if (unattended) this.counts.selfCommitted += 1;
  }
}
