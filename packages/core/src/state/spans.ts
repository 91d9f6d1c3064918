import { List, Map as PersistentMap } from "immutable";
import type { Origin, SpanKind, WindowEventOf } from "../events/schema.ts";

/** What the fold keeps of a span. Never changes after its birth; content stays in the log. */
export interface Span {
  /** Place in order of birth: what marks and writes name it by. */
  readonly index: number;
  readonly id: string;
  /** Where it was born. */
  readonly revision: number;
  /** Where its content lies: `revision`, or for a recall where the recalled span was born. */
  readonly contentRevision: number;
  readonly slot: number;
  /** Place in the window for ever: the revision of its birth, or the least of what it replaced. */
  readonly position: number;
  readonly origin: Origin;
  readonly kind: SpanKind;
  readonly tokens: number;
  /** Number of its message, from 1: what age is counted in. */
  readonly messageNumber: number;
  readonly digest: string;
  /** The content is JSON other than a string; the digest alone does not tell "12" from 12. */
  readonly json: boolean;
  readonly message?: { readonly id: string; readonly index: number };
  readonly call?: string;
  readonly tool?: NonNullable<WindowEventOf<"SpanAdmitted">["data"]["tool"]>;
  readonly group?: string;
  readonly source?: { readonly uri: string; readonly digest: string };
  readonly sealed: boolean;
  readonly pinned: boolean;
  readonly recallOf?: string;
  /** Index of the span that `recallOf` names. */
  readonly recallIndex?: number;
  /** Ordinal of the rewrite that created it. */
  readonly createdBy?: number;
}

/** The spans that play a call and its result: the admitted one and its 1-to-1 rewrites. */
export interface CallBond {
  readonly calls: readonly number[];
  readonly results: readonly number[];
}

export interface GroupBond {
  /** Number of spans admitted into the group. */
  readonly members: number;
  /** Those spans and their 1-to-1 rewrites. */
  readonly players: readonly number[];
}

/**
 * The spans of a window, and what they have in common. A value. The fold, decisions and views ask
 * for no more than this, so whoever keeps many windows may keep their spans in another form.
 */
export interface Spans extends Iterable<Span> {
  readonly size: number;
  get(index: number): Span | undefined;
  /** Index of the span with this id; of several, the one born last. */
  indexOf(id: string): number | undefined;
  /** Undefined: no span belongs to it. */
  call(id: string): CallBond | undefined;
  /** Undefined: no span belongs to it. */
  group(id: string): GroupBond | undefined;
  /** Indices of the spans of a message. */
  message(id: string): readonly number[];
  /** These and one more, whose index is `size`. */
  push(span: Span): Spans;
  /** A private copy for folding many events: what `push` gives of it is no value. */
  asMutable(): Spans;
  asImmutable(): Spans;
}

/** What a list of spans needs to be searched. */
interface Parts {
  readonly list: List<Span>;
  readonly index: PersistentMap<string, number>;
  readonly calls: PersistentMap<string, CallBond>;
  readonly groups: PersistentMap<string, GroupBond>;
  readonly messages: PersistentMap<string, readonly number[]>;
}

class ListedSpans implements Spans {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  get size(): number {
    return this.#parts.list.size;
  }

  get(index: number): Span | undefined {
    return this.#parts.list.get(index);
  }

  indexOf(id: string): number | undefined {
    return this.#parts.index.get(id);
  }

  call(id: string): CallBond | undefined {
    return this.#parts.calls.get(id);
  }

  group(id: string): GroupBond | undefined {
    return this.#parts.groups.get(id);
  }

  message(id: string): readonly number[] {
    return this.#parts.messages.get(id, []);
  }

  push(span: Span): ListedSpans {
    const { list, index, calls, groups, messages } = this.#parts;
    return new ListedSpans({
      list: list.push(span),
      index: index.set(span.id, span.index),
      calls: withPlayer(calls, span),
      groups: withMember(groups, span),
      messages: withBlock(messages, span),
    });
  }

  asMutable(): ListedSpans {
    return this.#convert("asMutable");
  }

  asImmutable(): ListedSpans {
    return this.#convert("asImmutable");
  }

  [Symbol.iterator](): Iterator<Span> {
    return this.#parts.list[Symbol.iterator]();
  }

  #convert(how: "asMutable" | "asImmutable"): ListedSpans {
    const { list, index, calls, groups, messages } = this.#parts;
    return new ListedSpans({
      list: list[how](),
      index: index[how](),
      calls: calls[how](),
      groups: groups[how](),
      messages: messages[how](),
    });
  }
}

export const noSpans: Spans = new ListedSpans({
  list: List(),
  index: PersistentMap(),
  calls: PersistentMap(),
  groups: PersistentMap(),
  messages: PersistentMap(),
});

const NO_CALL: CallBond = { calls: [], results: [] };
const NO_GROUP: GroupBond = { members: 0, players: [] };

function withPlayer(calls: Parts["calls"], { call, kind, index }: Span): Parts["calls"] {
  if (call === undefined) return calls;
  const bond = calls.get(call, NO_CALL);
  const part = kind === "tool-call" ? "calls" : "results";
  return calls.set(call, { ...bond, [part]: [...bond[part], index] });
}

function withMember(groups: Parts["groups"], { group, createdBy, index }: Span): Parts["groups"] {
  if (group === undefined) return groups;
  const { members, players } = groups.get(group, NO_GROUP);
  const born = Number(createdBy === undefined);
  return groups.set(group, { members: members + born, players: [...players, index] });
}

function withBlock(messages: Parts["messages"], { message, index }: Span): Parts["messages"] {
  if (message === undefined) return messages;
  return messages.set(message.id, [...messages.get(message.id, []), index]);
}
