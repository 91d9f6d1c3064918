import type { EditPlan } from "../fold/plan.ts";
import { leavingSpans } from "../fold/plan.ts";
import { LIVE, NONE } from "../fold/spans.ts";
import type { EventRule, Place } from "./rule.ts";
import { listed, partyOf } from "./rule.ts";
import { spanRules } from "./spans.ts";

/*
 * Design §4: which marks a verb may change, and when. It follows from these rules that no live span
 * stands beside its own ancestor and that live positions are unique: a rewrite consumes live spans
 * only, an undo or redo moves what is as the edit left it, and a rewind goes back to a whole state.
 */

/** A rule about edits. */
function editRule(
  code: string,
  proves: string,
  check: (plan: EditPlan, place: Place) => string | undefined,
): EventRule {
  return {
    code,
    family: "algebra",
    proves,
    on: ["WindowEdited"],
    check: (place) => (place.plan === undefined ? undefined : check(place.plan, place)),
  };
}

export const algebraRules: readonly EventRule[] = [
  ...spanRules,
  editRule("verb-fields", "Each verb has its own fields and no other's.", ({ data }) => {
    const inverse = data.verb === "undo" || data.verb === "redo";
    const fits =
      (data.target !== undefined) === inverse &&
      (data.to !== undefined) === (data.verb === "rewind") &&
      (data.creates !== undefined) === (data.verb === "rewrite") &&
      (data.mergeOf === undefined || data.verb === "rewrite") &&
      (data.proposalId === undefined || data.verb === "rewrite" || data.verb === "evict") &&
      (data.abandoned === undefined || data.verb === "rewind");
    return fits ? undefined : `${data.verb} ${data.editId} lacks a field or has another verb's`;
  }),
  editRule("takes-live", "A rewrite or evict takes live spans, at least one.", (plan, place) => {
    const { data, record, inputs } = plan;
    if (data.verb !== "rewrite" && data.verb !== "evict") return undefined;
    if (record?.editId !== data.editId) return undefined;
    const { spans } = place.fold;
    const dead = inputs.filter((span) => !spans.isLive(span)).map((span) => spans.id(span));
    if (dead.length > 0) return `${data.editId} takes spans that are not live: ${listed(dead)}`;
    return record.consumed.length === 0 ? `${data.verb} ${data.editId} takes nothing` : undefined;
  }),
  editRule(
    "contiguous",
    "No live span lies between those that a rewrite takes.",
    ({ data, inputs }, { fold: { spans, slots } }) => {
      if (data.verb !== "rewrite" || inputs.length < 2) return undefined;
      const live = inputs.filter((span) => spans.isLive(span));
      const places = live.map((span) => spans.slot(span));
      const [first, last] = places.reduce(
        ([low, high], slot) => [Math.min(low, slot), Math.max(high, slot)],
        [Number.POSITIVE_INFINITY, -1],
      );
      const between = last < 0 ? 0 : slots.liveBetween(first, last) - live.length;
      return between > 0 ? `${data.editId} takes spans around ${between} live ones` : undefined;
    },
  ),
  editRule(
    "sealed-alone",
    "A sealed span is never rewritten alone.",
    ({ data, inputs: [only, ...more] }, { fold: { spans } }) =>
      data.verb === "rewrite" && only !== undefined && more.length === 0 && spans.isSealed(only)
        ? `${data.editId} rewrites ${spans.id(only)}, which is sealed`
        : undefined,
  ),
  editRule(
    "target",
    "Only a rewrite, an evict or a rewind of this window is undone or redone.",
    ({ data }, { fold: { edits } }) => {
      if (data.target === undefined) return undefined;
      const target = edits.find(data.target);
      const isEdit = target > 0 && ["rewrite", "evict", "rewind"].includes(edits.verb(target));
      return isEdit ? undefined : `${data.editId} cannot ${data.verb} ${data.target}`;
    },
  ),
  editRule(
    "undo-in-place",
    "An edit is undone only while its spans are exactly as it left them, so no span comes back " +
      "beside its descendant.",
    ({ data }, { fold: { edits, spans } }) => {
      const target = data.verb === "undo" ? edits.find(data.target) : 0;
      if (target === 0 || edits.isInPlace(target, spans)) return undefined;
      return `${data.editId} undoes ${data.target}, whose spans are not as it left them`;
    },
  ),
  editRule(
    "redo-in-place",
    "An edit is redone only while its spans are exactly as it found them.",
    ({ data }, { fold: { edits, spans } }) => {
      const target = data.verb === "redo" ? edits.find(data.target) : 0;
      if (target === 0 || edits.isReverted(target, spans)) return undefined;
      return `${data.editId} redoes ${data.target}, whose spans are not as it found them`;
    },
  ),
  editRule(
    "rewind-boundary",
    "A rewind goes to 0 or to the end of an earlier append.",
    ({ data: { to, editId } }, { fold }) =>
      to === undefined || to === 0 || fold.isBoundary(to)
        ? undefined
        : `${editId} rewinds to ${to}, where no append ended`,
  ),
  editRule(
    "nothing-changed",
    "Every edit changes something.",
    ({ data, writes, inputs, product }, { fold: { spans, edits } }) => {
      const isAimless = data.target !== undefined && edits.find(data.target) === 0;
      if (data.verb === "evict" || isAimless) return undefined;
      const [only, ...more] = inputs;
      if (product !== undefined && only !== undefined && more.length === 0) {
        const same = spans.hasDigest(only, product.digest) && spans.isJson(only) === product.json;
        return same ? `${data.editId} rewrites ${spans.id(only)} to itself` : undefined;
      }
      const changed = product !== undefined || writes.some(({ before, after }) => before !== after);
      return changed ? undefined : `${data.verb} ${data.editId} changes nothing`;
    },
  ),
  editRule(
    "pinned",
    "Nobody rewrites or evicts a pinned span, and the model takes no such span out of view by any verb.",
    (plan, { event, fold: { spans } }) => {
      const { verb, editId } = plan.data;
      const direct = verb === "rewrite" || verb === "evict";
      if (!direct && partyOf(event.metadata.by) !== "model") return undefined;
      const pinned = leavingSpans(plan).find((span) => spans.isPinned(span));
      return pinned === undefined
        ? undefined
        : `${verb} ${editId} takes the pinned span ${spans.id(pinned)} out of view`;
    },
  ),
  editRule(
    "own-call",
    "An edit leaves alone the call that asked for it, its message and its result.",
    ({ data, writes, own }, { event, fold: { spans } }) => {
      const touched = writes.find(({ span }) => own.has(span));
      return touched === undefined
        ? undefined
        : `${data.editId} touches ${spans.id(touched.span)} of call ${event.metadata.via}, ` +
            "which asked for it";
    },
  ),
  editRule(
    "product-origin",
    "The product of a rewrite by the model's party has origin assistant, any other has origin host.",
    ({ data: { creates } }, { event }) => {
      const origin = partyOf(event.metadata.by) === "model" ? "assistant" : "host";
      if (creates === undefined || creates.origin === origin) return undefined;
      return `${creates.spanId} has origin ${creates.origin}, not ${origin}`;
    },
  ),
  editRule(
    "product-kind",
    "The product of a rewrite has the kind of the span taken, and is text if several were taken.",
    ({ data: { creates }, inputs: [only, ...more] }, { fold: { spans } }) => {
      if (creates === undefined || only === undefined) return undefined;
      const kind = more.length === 0 ? spans.kind(only) : "text";
      if (creates.kind === kind) return undefined;
      return `${creates.spanId} is of kind ${creates.kind}, not ${kind}`;
    },
  ),
  editRule(
    "abandoned",
    "A rewind names exactly the open calls that it takes away.",
    ({ data, writes }, { fold }) => {
      if (data.verb !== "rewind") return undefined;
      const lost = callsLost(fold, writes).sort();
      const named = [...(data.abandoned ?? [])].sort();
      if (lost.join() === named.join()) return undefined;
      return `${data.editId} takes open calls ${listed(lost)} and names ${listed(named)}`;
    },
  ),
  editRule(
    "merge-of",
    "A merge rewrites the one live descendant of what a stale edit produced.",
    ({ data, inputs: [ours, ...more] }, { fold }) => {
      if (data.mergeOf === undefined || data.verb !== "rewrite") return undefined;
      const merged = fold.edits.find(data.mergeOf);
      if (merged === 0 || fold.edits.effect(merged, fold.spans) !== "stale") {
        return `${data.editId} merges ${data.mergeOf}, which is not stale`;
      }
      const product = fold.edits.product(merged);
      if (ours !== undefined && more.length === 0 && descends(fold, ours, product)) {
        return undefined;
      }
      return `${data.editId} does not rewrite the descendant of what ${data.mergeOf} produced`;
    },
  ),
];

/** Calls without a result whose only live span becomes absent. */
function callsLost({ spans }: Place["fold"], writes: EditPlan["writes"]): string[] {
  const after = new Map(writes.map((write) => [write.span, write.after]));
  const calls = new Set(writes.flatMap(({ span }) => spans.calls.nameOf(span) ?? []));
  return [...calls].filter((call) => {
    const players = [...spans.calls.named(call)];
    const isOpen =
      players.every((span) => spans.kind(span) === "tool-call") &&
      players.some((span) => spans.isLive(span));
    return isOpen && players.every((span) => (after.get(span) ?? spans.mark(span)) !== LIVE);
  });
}

/** Whether a span comes from an ancestor through rewrites of one span each. */
function descends({ spans, edits }: Place["fold"], from: number, ancestor: number): boolean {
  for (let span = from; ; ) {
    if (span === ancestor) return true;
    const edit = spans.createdBy(span);
    if (edit === 0) return false;
    const inputs = [...edits.writes(edit)].filter((write) => write.span !== span);
    const [only] = inputs;
    if (only === undefined || inputs.length !== 1 || ancestor === NONE) return false;
    span = only.span;
  }
}
