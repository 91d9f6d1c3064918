import { algebraStore } from "../support/verifier/bases.ts";
import type { Damage } from "../support/verifier/corpus.ts";
import { atEnd, describeDamages, inWindow } from "../support/verifier/corpus.ts";
import type { Forged } from "../support/verifier/damage.ts";
import { admit, edit, measured, withAppend } from "../support/verifier/damage.ts";

/* Recalls that bring back more than words, or words that are in view. `x` is the user's. */

const recall = (spanId: string, more: Forged["data"] = {}): Forged => {
  const repeated = { content: undefined, recallOf: spanId, ...measured(`content of ${spanId}`) };
  return admit("again", { ...repeated, ...more });
};

function forged(rule: string, says: string, one: Forged): Damage {
  return { says, rule, at: atEnd, damage: inWindow((events) => withAppend(events, one)) };
}

const OTHER = { uri: "file:other", digest: "0".repeat(64) };

/** Spans out of view: words of the assistant, a result with its source, a system span. */
const outOfView: readonly Forged[] = [
  admit("said", { origin: "assistant" }),
  admit("read", { origin: "tool", tool: { name: "t" }, source: OTHER }),
  admit("lore", { origin: "system", pinned: false }),
];

function behind(rule: string, says: string, one: Forged): Damage {
  const damage = inWindow((events) => {
    const born = withAppend(events, ...outOfView);
    const gone = edit(born, { verb: "evict" }, ["said", "read", "lore"]);
    return withAppend(withAppend(born, ...gone), one);
  });
  return { says, rule, at: atEnd, damage };
}

const damages: readonly Damage[] = [
  forged("recall", "a recall with a copy of its own", recall("x", { content: "content of x" })),
  forged("recall", "a recall of something else", recall("x", measured("another text"))),
  forged("recall", "a recall of a sealed span", recall("seal")),
  forged("recall", "a recall of a span in view", recall("q")),
  forged("recall", "a recall of a recall", recall("x-again", measured("content of x"))),
  forged("recall-plain", "a recall in the name of a tool", recall("x", { origin: "tool" })),
  behind(
    "recall-plain",
    "a recall that makes the assistant's words the user's",
    recall("said", { origin: "user" }),
  ),
  forged(
    "recall-plain",
    "a recall that the model pins",
    Object.assign(recall("x", { pinned: true }), { by: "model/m" }),
  ),
  behind(
    "recall-plain",
    "a recall of a system span that is pinned unless it says otherwise",
    recall("lore", { origin: "system" }),
  ),
  forged(
    "recall-plain",
    "a recall that answers an open call",
    recall("x", { kind: "tool-result", call: "o" }),
  ),
  forged("recall-plain", "a recall of another kind", recall("x", { kind: "reasoning" })),
  forged("recall-plain", "a recall with a source of its own", recall("x", { source: OTHER })),
  behind(
    "recall-plain",
    "a recall that forgets its source",
    recall("read", { origin: "tool", tool: { name: "t" } }),
  ),
  behind(
    "recall-plain",
    "a recall from another tool",
    recall("read", { origin: "tool", tool: { name: "u" }, source: OTHER }),
  ),
  forged("recall-plain", "a recall that is sealed", recall("x", { sealed: true })),
  forged("recall-plain", "a recall in a group", recall("x", { group: "h" })),
  forged("recall-plain", "a recall in a message", recall("x", { message: { id: "z", index: 0 } })),
  forged("recall-plain", "a recall with a provider's data", recall("x", { provider: "p" })),
];

describeDamages("damage to recalls", algebraStore, damages);
