import { algebraStore } from "../support/verifier/bases.ts";
import type { Damage } from "../support/verifier/corpus.ts";
import { atEnd, describeDamages, inWindow } from "../support/verifier/corpus.ts";
import type { Events, Forged } from "../support/verifier/damage.ts";
import { admit, edit, withAppend } from "../support/verifier/damage.ts";

/* Calls, results and groups. */

function forged(rule: string, says: string, forge: (events: Events) => readonly Forged[]): Damage {
  const damage = inWindow((events) => withAppend(events, ...forge(events)));
  return { says, rule, at: atEnd, damage };
}

const call = (spanId: string, id: string): Forged =>
  admit(spanId, { origin: "assistant", kind: "tool-call", call: id });
const result = (spanId: string, id: string): Forged =>
  admit(spanId, { origin: "tool", kind: "tool-result", call: id });

const damages: readonly Damage[] = [
  forged("call-result", "half a bond: the result alone evicted", (events) =>
    edit(events, { verb: "evict" }, ["result"]),
  ),
  forged("call-result", "half a bond: the call alone evicted", (events) =>
    edit(events, { verb: "evict" }, ["call"]),
  ),
  forged("open-call", "a call evicted that waits for its result", (events) =>
    edit(events, { verb: "evict" }, ["open"]),
  ),
  forged("group", "half a group evicted", (events) => edit(events, { verb: "evict" }, ["g1"])),
  {
    says: "a span added to a group that is out of view",
    rule: "group",
    at: atEnd,
    damage: inWindow((events) => {
      const gone = withAppend(events, ...edit(events, { verb: "evict" }, ["g1", "g2"]));
      return withAppend(gone, admit("g3", { group: "g" }));
    }),
  },
  ...["text", "reasoning", "other"].map((kind) =>
    forged("call-kind", `a span of kind ${kind} that names a call`, () => [
      admit("said", { kind, call: "free" }),
    ]),
  ),
  forged("call-id-twice", "a call id used again", () => [call("again", "o")]),
  forged("result-place", "a second result", () => [result("more", "k")]),
  forged("result-place", "a result of a call that never was", () => [result("more", "never")]),
];

describeDamages("damage to bonds", algebraStore, damages);
