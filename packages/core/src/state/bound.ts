import type { Span, WindowState } from "./state.ts";

/** Indices of the spans that a span is bound to, itself among them: its call's, its group's. */
export function boundTo(state: WindowState, { call, group }: Span): number[] {
  const bond = call === undefined ? undefined : state.calls.get(call);
  const players = group === undefined ? undefined : state.groups.get(group)?.players;
  return [...(bond?.calls ?? []), ...(bond?.results ?? []), ...(players ?? [])];
}
