/*
 * Columns: spans in a quarter of the memory they take as objects, and values of one kind as short
 * JSON. The fold and the projections know of them what `Spans` of core says, snapshots the rest.
 */
export { ColumnSpans, columnsOf } from "./column-spans.ts";
export type { Column } from "./columns.ts";
export { decodeItems, encodeItems } from "./columns.ts";
export { BLOCK } from "./span-block.ts";
