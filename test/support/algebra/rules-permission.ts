import type { Reference } from "./reference.ts";
import { ownOf } from "./reference.ts";
import type { Rules } from "./rule.ts";
import { onEdit } from "./rules-records.ts";
import { ancestorsOf, editById, effectOfEdit, isLive } from "./views.ts";
import { leavingAt } from "./walk.ts";

/* Design §2 and §4: who may do what, and what the host writes for whom. */

const partyOf = (by: string): string => by.slice(0, by.indexOf("/"));

export const permissionRules = {
  /** A verifier writes nothing; the model admits spans of its own, plain ones. */
  party: ({ event: { type, data, metadata } }) => {
    const party = partyOf(metadata.by);
    if (party === "verifier") return [`${metadata.by} wrote to the window`];
    if (party !== "model" || type !== "SpanAdmitted" || data.recallOf !== undefined) return [];
    if (data.origin !== "assistant") return [`${metadata.by} admitted a span of ${data.origin}`];
    const plain = [data.pinned, data.sealed, data.group].every((field) => field === undefined);
    return plain ? [] : [`${metadata.by} pinned, sealed or grouped ${data.spanId}`];
  },

  /** Nobody rewrites or evicts a pinned span; the model takes none out of view by any verb. */
  pinned: onEdit((place) => {
    const { data, event, before } = place;
    const direct = data.verb === "rewrite" || data.verb === "evict";
    if (!direct && partyOf(event.metadata.by) !== "model") return [];
    return leavingAt(place)
      .filter((id) => before.spans.get(id)?.pinned === true)
      .map((id) => `${event.metadata.by} took the pinned span ${id} by ${data.verb}`);
  }),

  /** The call named by `via`, its message and its result are outside the edit they cause. */
  "own-call": onEdit(({ edit, event, before, data }) => {
    const own = ownOf(before, event.metadata.via);
    return [...edit.after.keys()]
      .filter((id) => own.has(id))
      .map((id) => `${data.editId} touches ${id} of the call that asked for it`);
  }),

  /** A product is of origin assistant for the model's party, else host. */
  "product-origin": onEdit(({ data, event }) => {
    if (data.creates === undefined) return [];
    const origin = partyOf(event.metadata.by) === "model" ? "assistant" : "host";
    return data.creates.origin === origin
      ? []
      : [`${data.creates.spanId} is of origin ${data.creates.origin}`];
  }),

  /** What a rewind abandons are the open calls that it takes, all of them. */
  abandoned: onEdit((place) => {
    const { data, before } = place;
    if (data.verb !== "rewind") return [];
    const lost = [...openCalls(before)].filter(([, spans]) => !spans.some(isLiveIn(place.after)));
    const named = [...(data.abandoned ?? [])].sort().join();
    const expected = lost.map(([call]) => call).sort();
    return named === expected.join() ? [] : [`abandons ${named}, takes ${expected.join()}`];
  }),

  /** A merge rewrites the live descendant, by 1-to-1 rewrites, of what its edit produced. */
  "merge-of": onEdit(({ data, edit, before }) => {
    if (data.mergeOf === undefined) return [];
    const merged = editById(before, data.mergeOf);
    if (merged === undefined || effectOfEdit(before, merged) !== "stale") {
      return [`${data.editId} merges ${data.mergeOf}, which is not stale`];
    }
    const [ours, ...more] = [...edit.before.keys()].filter((id) => id !== edit.product);
    const line = ours === undefined ? new Set() : soleAncestors(before, ours);
    return more.length === 0 && line.has(merged.product)
      ? []
      : [`${data.editId} rewrites no descendant of what ${merged.id} produced`];
  }),
} as const satisfies Rules;

/** Live calls without a result, and the spans that play them. */
function openCalls(reference: Reference): Map<string, string[]> {
  const players = new Map<string, string[]>();
  const answered = new Set<string>();
  for (const { id, call, kind } of reference.spans.values()) {
    if (call === undefined) continue;
    if (kind === "tool-call") players.set(call, [...(players.get(call) ?? []), id]);
    else answered.add(call);
  }
  const isOpen = ([call, ids]: [string, string[]]): boolean =>
    !answered.has(call) && ids.some(isLiveIn(reference));
  return new Map([...players].filter(isOpen));
}

function isLiveIn(reference: Reference) {
  return (id: string): boolean => isLive(reference, id);
}

/** The ancestors that `id` alone descends from: through rewrites of one span each. */
function soleAncestors(reference: Reference, id: string): Set<string | undefined> {
  const line = new Set<string | undefined>([]);
  for (const one of [id, ...ancestorsOf(reference, id)]) {
    if (line.size > 0 && !line.has(one)) break;
    const inputs = reference.spans.get(one)?.inputs ?? [];
    if (inputs.length !== 1) break;
    line.add(inputs[0]);
  }
  return line;
}
