import type { Json, StoredEvent, WindowEventType } from "@palimpsest/core/events";
import type { Fold } from "../fold/fold.ts";
import { NONE } from "../fold/spans.ts";
import { liveContents } from "../render/render.ts";

/** Whose content the check of an event looks at, beside what the event itself brings. */
const lookedAt: Readonly<Record<WindowEventType, "nothing" | "live spans" | "quoted spans">> = {
  WindowOpened: "nothing",
  SpanAdmitted: "nothing",
  SpansRead: "nothing",
  RecoveryRecorded: "nothing",
  WindowEdited: "nothing",
  WindowRendered: "live spans",
  ClaimAsserted: "quoted spans",
  ClaimRetracted: "nothing",
  ConflictNoted: "nothing",
  SourceObserved: "nothing",
  PolicyAuthored: "nothing",
  EpochOpened: "nothing",
  PruningProposed: "nothing",
  PruningSettled: "nothing",
};

/** Revisions of the contents that the check of an event looks at. Total: takes any event. */
export function wantedContents(fold: Fold, { type, data }: StoredEvent): readonly number[] {
  const whose = isWindowEventType(type) ? lookedAt[type] : "nothing";
  if (whose === "nothing" || typeof data !== "object" || data === null) return [];
  const fields = data as { readonly [key: string]: Json };
  if (whose === "live spans") return fields.at === fold.revision ? liveContents(fold) : [];
  const { carrier, because } = fields;
  const refs = Array.isArray(because) ? because : [];
  const ids = [carrier, ...refs.map((ref) => (ref as { span?: Json } | null)?.span)];
  return ids.flatMap((id) => {
    const span = typeof id === "string" ? fold.spans.find(id) : NONE;
    return span === NONE ? [] : [fold.spans.contentRevision(span)];
  });
}

function isWindowEventType(type: string): type is WindowEventType {
  return Object.hasOwn(lookedAt, type);
}
