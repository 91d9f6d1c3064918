import type { RecordedWindowEvent, WindowEventOf } from "@palimpsest/core/events";
import { Claims } from "./claims.ts";
import { isClosed } from "./closure.ts";
import { Ints } from "./columns.ts";
import { Edits } from "./edits.ts";
import type { EditPlan, RecordData } from "./plan.ts";
import { planEdit } from "./plan.ts";
import { Policies } from "./policies.ts";
import { Recalls } from "./recalls.ts";
import { Slots } from "./slots.ts";
import { ABSENT, LIVE, NONE, Spans } from "./spans.ts";

/**
 * The verifier's own fold of a window stream, written from the design and decisions alone. It is
 * one mutable object: a verifier goes through a stream once, from the beginning, and never back.
 * It believes nothing it has not derived; whatever an event claims beyond that is for the rules.
 */
export class Fold {
  readonly spans = new Spans();
  readonly slots = new Slots();
  readonly edits = new Edits();
  readonly recalls = new Recalls();
  readonly claims = new Claims(this.spans, this.recalls);
  readonly policies = new Policies();
  tokenizer: string | undefined;
  records = 0;
  liveTokens = 0;
  /** Spans consumed by an edit. */
  consumed = 0;
  /** The record that the last event was. */
  record: RecordData | undefined;
  /** The command that it came from. */
  recordCommandId = "";
  /** Number of edits whose record is missing or does not fit. */
  unclosed = 0;
  /** Calls that some rewind abandoned. */
  readonly abandoned = new Set<string>();
  /** Least position that changed since the last rendering; null when none did. */
  firstChanged: number | null = null;
  /** Spans that an undo, redo or rewind brought back in this epoch. */
  readonly revived = new Set<number>();
  /** Spans born or written in the append that is being folded. */
  readonly touched = new Set<number>();
  #revision = -1;
  #append = 0;
  /** Last revision of every append, ascending. */
  readonly #boundaries = new Ints();

  /** Revision of the last event folded. */
  get revision(): number {
    return this.#revision;
  }

  /** Counts the appends from 0. */
  get append(): number {
    return this.#append;
  }

  isBoundary(revision: number): boolean {
    let [low, high] = [0, this.#boundaries.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#boundaries.at(middle) < revision) low = middle + 1;
      else high = middle;
    }
    return low < this.#boundaries.length && this.#boundaries.at(low) === revision;
  }

  /** What the edit would do, on the state before it. */
  plan(event: RecordedWindowEvent & { readonly type: "WindowEdited" }): EditPlan {
    return planEdit(this, event.data, event.metadata, event.revision);
  }

  /** Folds one event; `plan` is that of an edit. */
  apply(event: RecordedWindowEvent, plan: EditPlan | undefined): void {
    this.#revision = event.revision;
    this.#fold(event, plan);
    if (event.type !== "RecoveryRecorded") this.record = undefined;
  }

  /** Passes over an event that cannot be read, which takes a revision and does nothing. */
  skip(revision: number): void {
    this.#revision = revision;
    this.record = undefined;
  }

  /** The append is complete. */
  endAppend(): void {
    this.#boundaries.push(this.#revision);
    this.#append += 1;
    this.touched.clear();
  }

  #fold(event: RecordedWindowEvent, plan: EditPlan | undefined): void {
    const { by } = event.metadata;
    switch (event.type) {
      case "WindowOpened":
        this.tokenizer ??= event.data.tokenizer;
        break;
      case "SpanAdmitted":
        this.#admit(event.data, event.revision, by);
        break;
      case "RecoveryRecorded":
        this.records += 1;
        this.record = event.data;
        this.recordCommandId = event.metadata.commandId;
        break;
      case "WindowEdited":
        if (plan !== undefined) {
          if (!isClosed(this, plan, event.metadata)) this.unclosed += 1;
          this.#edit(plan, event.revision);
        }
        break;
      case "WindowRendered":
        this.firstChanged = null;
        break;
      case "ClaimAsserted":
        this.claims.assert(event.data, by);
        break;
      case "ClaimRetracted":
        this.claims.retract(event.data, by);
        break;
      case "ConflictNoted":
        this.claims.noteConflict(event.data);
        break;
      case "SourceObserved":
        this.claims.observe(event.data.uri, event.data.digest);
        break;
      case "PolicyAuthored": {
        const { policyId: id, text } = event.data;
        const { epoch } = this.policies;
        const written = { revision: event.revision, append: this.#append, epoch };
        this.policies.author({ id, text, by, ...written });
        break;
      }
      case "EpochOpened":
        this.policies.openEpoch(event.data);
        this.revived.clear();
        break;
      case "PruningProposed":
        this.policies.propose(event.data, by);
        break;
      case "PruningSettled":
        this.policies.settle(event.data);
        break;
      case "SpansRead":
        break;
      default:
        // A type that is not handled above does not compile.
        event satisfies never;
    }
  }

  #admit(data: WindowEventOf<"SpanAdmitted">["data"], revision: number, by: string): void {
    const { spanId, recallOf, content, message, source } = data;
    if (this.spans.find(spanId) !== NONE) return;
    const recalled = recallOf === undefined ? NONE : this.spans.find(recallOf);
    const first = recalled === NONE ? NONE : this.spans.recallOf(recalled);
    const origin = first === NONE ? recalled : first;
    const index = this.spans.add({
      ...data,
      id: spanId,
      revision,
      slot: this.slots.add(revision),
      json: origin === NONE ? typeof content !== "string" : this.spans.isJson(origin),
      pinned: data.pinned ?? data.origin === "system",
      message: message?.id,
      createdBy: 0,
      recallOf: origin,
    });
    if (origin !== NONE) this.recalls.add(origin, index);
    // Admitting a source observes it; a recall only looks at the log.
    if (source !== undefined && recallOf === undefined && !by.startsWith("model/")) {
      this.claims.observe(source.uri, source.digest);
    }
    // A recall repeats old words; nobody has said anything new.
    const isInput = data.origin === "user" || data.origin === "tool";
    if (isInput && recallOf === undefined) this.policies.wasFed = true;
    this.#write(index, LIVE);
  }

  #edit(plan: EditPlan, revision: number): void {
    const { data, writes, product } = plan;
    const isNew = product !== undefined && this.spans.find(product.id) === NONE;
    let created = NONE;
    if (product !== undefined && isNew) {
      if (product.slot === this.slots.size) this.slots.add(revision);
      created = this.spans.add(product);
    }
    const born = created === NONE ? [] : [{ span: created, before: ABSENT, after: LIVE }];
    this.edits.add({
      id: data.editId,
      verb: data.verb,
      revision,
      product: created,
      mergeOf: this.edits.find(data.mergeOf),
      writes: [...writes, ...born],
    });
    const revives = data.verb !== "rewrite" && data.verb !== "evict";
    for (const { span, before, after } of writes) {
      if (revives && before !== LIVE && after === LIVE) this.revived.add(span);
      this.#write(span, after);
    }
    if (created !== NONE) this.#write(created, LIVE);
    for (const call of data.abandoned ?? []) this.abandoned.add(call);
    const isDirect = data.proposalId === undefined;
    if (isDirect && (data.verb === "rewrite" || data.verb === "evict")) {
      this.policies.counts.direct += 1;
    }
  }

  #write(span: number, after: number): void {
    const { spans, slots, recalls } = this;
    const before = spans.mark(span);
    this.touched.add(span);
    const slot = spans.slot(span);
    if (before === after) return;
    const position = slots.positionOf(slot);
    if (this.firstChanged === null || position < this.firstChanged) this.firstChanged = position;
    spans.marks.set(span, after);
    if (before === LIVE || after === LIVE) {
      const change = after === LIVE ? 1 : -1;
      const recalled = spans.recallOf(span);
      slots.addLive(slot, change);
      if (recalled !== NONE) recalls.addLive(recalled, change);
    }
    this.liveTokens += (Number(after === LIVE) - Number(before === LIVE)) * spans.tokens(span);
    this.consumed += Number(after > LIVE) - Number(before > LIVE);
    if (after === LIVE || this.#isEvicted(after)) slots.show(slot, span);
    else slots.hide(slot, span);
    if ((before === ABSENT) !== (after === ABSENT)) this.claims.touch();
  }

  /** Consumed by an evict, so it is shown as a part of a gap. */
  #isEvicted(mark: number): boolean {
    return mark > LIVE && this.edits.verb(mark) === "evict";
  }
}
