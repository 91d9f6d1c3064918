import type { Refusal } from "../commands/refusals.ts";
import { refusal } from "../commands/refusals.ts";
import type { WindowState } from "../state/state.ts";

/*
 * Ids that a command leaves out are minted from the state, so that deciding stays pure and a
 * person or a model can say them: span s41 was born at revision 41, e3 is the third edit.
 */

export function mintSpanId(state: WindowState, revision: number): string {
  return mint(`s${revision}`, (id) => state.spans.indexOf(id) !== undefined);
}

/** `reserved`: an id that the same append gives to another edit. */
export function mintEditId(state: WindowState, ordinal: number, reserved?: string): string {
  return mint(`e${ordinal}`, (id) => id === reserved || state.editOrdinal.has(id));
}

export function mintClaimId(state: WindowState): string {
  return mint(`c${state.claims.size + 1}`, (id) => state.claimIndex.has(id));
}

export function mintPolicyId(state: WindowState): string {
  return mint(`p${state.policies.size + 1}`, (id) => state.policies.has(id));
}

export function mintProposalId(state: WindowState): string {
  return mint(`q${state.proposals.size + 1}`, (id) => state.proposals.has(id));
}

/** Ids that a caller chose may look like minted ones; the next free suffix then. */
function mint(base: string, isTaken: (id: string) => boolean): string {
  let id = base;
  for (let n = 2; isTaken(id); n += 1) id = `${base}.${n}`;
  return id;
}

export function spanIdTaken(state: WindowState, id: string | undefined): Refusal[] {
  if (id === undefined || state.spans.indexOf(id) === undefined) return [];
  return [refusal("id-taken", `a span ${id} exists already: choose another id`, { spanId: id })];
}

export function editIdTaken(state: WindowState, id: string | undefined): Refusal[] {
  if (id === undefined || !state.editOrdinal.has(id)) return [];
  return [refusal("id-taken", `an edit ${id} exists already: choose another id`, { editId: id })];
}
