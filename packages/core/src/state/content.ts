import type { Json } from "../json/json.ts";
import type { Span, WindowState } from "./state.ts";

/** What the store gave back for the content of a span: what it should, or not. */
export type ContentFact =
  | { readonly intact: true; readonly content: Json }
  | { readonly intact: false; readonly problem: string };

/** Where content lies and what it must hash to. */
export interface ContentRef {
  readonly spanId: string;
  /** Revision of the event that holds the content. */
  readonly revision: number;
  readonly digest: string;
  /** It is JSON other than a string. */
  readonly json: boolean;
}

/** Where the content of a span lies, and what it must hash to. */
export function contentRef(state: WindowState, span: Span): ContentRef {
  const { id: spanId, contentRevision: revision, json } = span;
  return { spanId, revision, digest: state.disputed.get(span.index) ?? span.digest, json };
}
