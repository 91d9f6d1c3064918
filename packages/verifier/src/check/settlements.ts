import type { EditPlan } from "../fold/plan.ts";
import type { Settling } from "../rules/rule.ts";

/** The edits of an append that are made for proposals, until each proposal is settled. */
export class Settlements {
  readonly #edits = new Map<string, { plans: EditPlan[]; before: number | undefined }>();

  /** An edit that comes next; `tokens` counts the window as it still is. */
  add(plan: EditPlan, tokens: () => number | undefined): void {
    const { proposalId } = plan.data;
    if (proposalId === undefined) return;
    const known = this.#edits.get(proposalId);
    if (known === undefined) this.#edits.set(proposalId, { plans: [plan], before: tokens() });
    else known.plans.push(plan);
  }

  /** The settlement that comes next; `tokens` counts the window after its edits. */
  settle(proposalId: string, tokens: () => number | undefined): Settling {
    const made = this.#edits.get(proposalId);
    if (made === undefined) return { plans: [], tokensBefore: undefined, tokensAfter: undefined };
    this.#edits.delete(proposalId);
    return { plans: made.plans, tokensBefore: made.before, tokensAfter: tokens() };
  }

  endAppend(): void {
    this.#edits.clear();
  }
}
