/** What an append would do to the window, shown before it is done. */
export type Plan = {
  /** Ids of the edits it is about, in order. */
  readonly order: readonly string[];
  /** Ids of the spans that go out of view, in order of position. */
  readonly leave: readonly string[];
  /** Ids of the spans that come into view, in order of position. */
  readonly return: readonly string[];
  /** Tokens of the window, ledger included. */
  readonly tokens: { readonly before: number; readonly after: number };
  /** Of `return`, the spans that the edit asked about did not take itself. */
  readonly collateral: readonly string[];
};
