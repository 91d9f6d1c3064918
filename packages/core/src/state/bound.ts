import type { Span, WindowState } from "./state.ts";

/** Indices of the spans that a span is bound to, itself among them: its call's, its group's. */
export function boundTo(state: WindowState, { call, group }: Span): number[] {
  const bond = call === undefined ? undefined : state.spans.call(call);
  const players = group === undefined ? undefined : state.spans.group(group)?.players;
  return [...(bond?.calls ?? []), ...(bond?.results ?? []), ...(players ?? [])];
}
