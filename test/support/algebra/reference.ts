import type { RecordedWindowEvent, Verb, WindowEventOf } from "@palimpsest/core/events";

/*
 * A second fold of a window stream, written from design §3 and §4 alone. It is slow on purpose:
 * the whole table of marks is kept for every revision, so that M(r) is a lookup, and everything
 * is found by walking plain maps. It shares no code with the library but the event types.
 */

/** `live`, `absent`, or the ordinal of the edit that consumed the span. */
export type RefMark = "live" | "absent" | number;
export type Table = ReadonlyMap<string, RefMark>;

export interface RefSpan {
  readonly id: string;
  /** Where it was born. */
  readonly revision: number;
  readonly position: number;
  readonly kind: string;
  readonly tokens: number;
  readonly digest: string;
  /** The content is not a string; the digest alone does not tell "12" from 12. */
  readonly json: boolean;
  readonly sealed: boolean;
  readonly pinned: boolean;
  readonly message?: string;
  readonly call?: string;
  readonly group?: string;
  readonly recallOf?: string;
  /** The spans that the rewrite which created it took; empty for an admitted span. */
  readonly inputs: readonly string[];
}

export interface RefEdit {
  readonly id: string;
  readonly ordinal: number;
  readonly verb: Verb;
  readonly revision: number;
  readonly target?: string;
  readonly to?: number;
  readonly mergeOf?: string;
  readonly abandoned: readonly string[];
  readonly product?: string;
  /** Marks on T(e) as the edit found them, and as it left them; the keys are T(e). */
  readonly before: Table;
  readonly after: Table;
}

export interface Reference {
  /** M(r) for every revision r up to now. */
  readonly tables: readonly Table[];
  /** In order of birth. */
  readonly spans: ReadonlyMap<string, RefSpan>;
  readonly edits: readonly RefEdit[];
  readonly records: number;
  /** The record that the event before this one was, if it was one. */
  readonly record?: WindowEventOf<"RecoveryRecorded">["data"];
  /** Last revision of every append. */
  readonly boundaries: readonly number[];
}

export const emptyReference: Reference = {
  tables: [],
  spans: new Map(),
  edits: [],
  records: 0,
  boundaries: [],
};

const NO_MARKS: Table = new Map();

/** The marks now. */
export function marksOf(reference: Reference): Table {
  return reference.tables.at(-1) ?? NO_MARKS;
}

/** The reference after one more event; `undefined` is an event that nobody can read. */
export function foldNext(reference: Reference, event: RecordedWindowEvent | undefined): Reference {
  const { record: _, ...rest } = reference;
  const revision = reference.tables.length;
  const next = { ...rest, tables: [...reference.tables, marksOf(reference)] };
  if (event === undefined) return next;
  const { index, count } = event.metadata;
  const boundaries = index === count - 1 ? [...rest.boundaries, revision] : rest.boundaries;
  switch (event.type) {
    case "SpanAdmitted":
      return { ...admit(reference, event.data), boundaries };
    case "RecoveryRecorded":
      return { ...next, records: rest.records + 1, record: event.data, boundaries };
    case "WindowEdited":
      return { ...edit(reference, event.data, event.metadata.via), boundaries };
    default:
      return { ...next, boundaries };
  }
}

function admit(reference: Reference, data: WindowEventOf<"SpanAdmitted">["data"]): Reference {
  const revision = reference.tables.length;
  const { message, call, group, recallOf } = data;
  const span: RefSpan = {
    id: data.spanId,
    revision,
    position: revision,
    kind: data.kind,
    tokens: data.tokens,
    digest: data.digest,
    json: reference.spans.get(recallOf ?? "")?.json ?? typeof data.content !== "string",
    sealed: data.sealed === true,
    pinned: data.pinned ?? data.origin === "system",
    inputs: [],
    ...(message !== undefined && { message: message.id }),
    ...(call !== undefined && { call }),
    ...(group !== undefined && { group }),
    ...(recallOf !== undefined && { recallOf }),
  };
  const { record: _, ...rest } = reference;
  return {
    ...rest,
    spans: new Map([...reference.spans, [span.id, span]]),
    tables: [...reference.tables, new Map([...marksOf(reference), [span.id, "live"]])],
  };
}

type EditData = WindowEventOf<"WindowEdited">["data"];

function edit(reference: Reference, data: EditData, via: string | undefined): Reference {
  const product = data.creates === undefined ? undefined : productOf(reference, data);
  const { spans, edits, boundaries, records } = reference;
  const after = marksWritten(reference, data, via);
  if (product !== undefined) after.set(product.id, "live");
  const marks = marksOf(reference);
  const before = new Map([...after.keys()].map((id) => [id, marks.get(id) ?? "absent"]));
  const { target, to, mergeOf, abandoned } = data;
  const entry: RefEdit = {
    id: data.editId,
    ordinal: data.ordinal,
    verb: data.verb,
    revision: reference.tables.length,
    abandoned: abandoned ?? [],
    before,
    after,
    ...(target !== undefined && { target }),
    ...(to !== undefined && { to }),
    ...(mergeOf !== undefined && { mergeOf }),
    ...(product !== undefined && { product: product.id }),
  };
  return {
    boundaries,
    records,
    spans: product === undefined ? spans : new Map([...spans, [product.id, product]]),
    edits: [...edits, entry],
    tables: [...reference.tables, new Map([...marks, ...after])],
  };
}

/** What the record names, and without its own record nothing. */
function takenBy({ record, spans }: Reference, data: EditData): string[] {
  if (data.verb !== "rewrite" && data.verb !== "evict") return [];
  if (record?.editId !== data.editId || record.ordinal !== data.ordinal) return [];
  return record.consumed.map(({ spanId }) => spanId).filter((id) => spans.has(id));
}

/** The marks that the verb puts on the spans it is about. */
function marksWritten(
  reference: Reference,
  data: EditData,
  via: string | undefined,
): Map<string, RefMark> {
  const marks = marksOf(reference);
  const target = reference.edits.find(({ id }) => id === data.target);
  switch (data.verb) {
    case "rewrite":
    case "evict":
      return new Map(takenBy(reference, data).map((id) => [id, data.ordinal]));
    case "undo":
      return new Map(target?.before);
    case "redo":
      return new Map(target?.after);
    case "rewind": {
      const then = reference.tables[data.to ?? 0] ?? NO_MARKS;
      const outside = ownOf(reference, via);
      const written = new Map<string, RefMark>();
      for (const [id, mark] of marks) {
        const wanted = then.get(id) ?? "absent";
        if (mark !== wanted && !outside.has(id)) written.set(id, wanted);
      }
      return written;
    }
  }
}

function productOf(reference: Reference, data: EditData): RefSpan {
  const creates = data.creates as NonNullable<EditData["creates"]>;
  const inputs = takenBy(reference, data);
  const sources = inputs.flatMap((id) => reference.spans.get(id) ?? []);
  const [only] = sources.length === 1 ? sources : [];
  const revision = reference.tables.length;
  return {
    id: creates.spanId,
    revision,
    position: Math.min(...sources.map(({ position }) => position), revision),
    kind: creates.kind,
    tokens: creates.tokens,
    digest: creates.digest,
    json: typeof creates.content !== "string",
    sealed: false,
    pinned: false,
    inputs,
    ...(only?.message !== undefined && { message: only.message }),
    ...(only?.call !== undefined && { call: only.call }),
    ...(only?.group !== undefined && { group: only.group }),
  };
}

/**
 * The spans outside the edit that a call asked for: those that play the call, its message and its
 * result. Closed, so that an edit never parts what belongs together: under bonds, under messages
 * (a result's message is another one), and under what one rewrite or evict wrote.
 */
export function ownOf({ spans, edits }: Reference, via: string | undefined): Set<string> {
  if (via === undefined) return new Set();
  const all = [...spans.values()];
  const own = new Set(all.filter(({ call }) => call === via).map(({ id }) => id));
  const ties = edits
    .filter(({ verb }) => verb === "rewrite" || verb === "evict")
    .map(({ after }) => [...after.keys()]);
  for (let size = -1; size !== own.size; ) {
    size = own.size;
    const inside = all.filter(({ id }) => own.has(id));
    for (const span of all) {
      if (inside.some((other) => belongsWith(other, span))) own.add(span.id);
    }
    for (const tie of ties.filter((ids) => ids.some((id) => own.has(id)))) {
      for (const id of tie) own.add(id);
    }
  }
  return own;
}

function belongsWith(one: RefSpan, other: RefSpan): boolean {
  const same = (field: "call" | "group" | "message"): boolean =>
    one[field] !== undefined && one[field] === other[field];
  return same("call") || same("group") || (same("message") && one.kind !== "tool-result");
}
