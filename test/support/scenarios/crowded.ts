import { openWindow } from "@palimpsest/core";
import type { Sent } from "./commands.ts";
import {
  admit,
  batch,
  callSpan,
  evict,
  fact,
  propose,
  resultSpan,
  rewind,
  rewrite,
  settle,
  undo,
} from "./commands.ts";
import type { Story } from "./given.ts";
import { given, HUMAN, MODEL } from "./given.ts";
import { memoryStore } from "./stores.ts";

const big = (spanId: string, more: Sent = {}) =>
  admit(spanId, { content: `${spanId} `.repeat(100), ...more });

/**
 * A window with one of everything that a proposal might name: live spans a, b, c and d, the pinned
 * rule, the sealed box, a pair, an open call, a group; gone (evicted by e1), old (rewritten to its
 * product by e2), away (rewound by e3), back (evicted by e4, undone by e5); the claim c1 on a, the
 * policy p1, and the proposal q0, which was settled. Another window of the store holds theirs.
 */
export async function crowded(): Promise<Story> {
  const w = await given(memoryStore);
  await w.accepts(batch(["a", "b", "gone", "c", "d"].map((id) => big(id))));
  await w.accepts(big("rule", { origin: "system" }));
  await w.accepts(big("box", { sealed: true }));
  await w.accepts(batch([callSpan("done"), resultSpan("done"), callSpan("open")]));
  await w.accepts(batch([big("g1", { group: "g" }), big("g2", { group: "g" })]));
  await w.accepts(batch([big("old"), big("back")]));
  await w.accepts(fact("c1", { carrier: "a", evidence: true }));
  await w.accepts({
    command: "authorPolicy",
    policyId: "p1",
    document: { name: "p", targetTokens: 0, rank: "1" },
    by: MODEL,
  });
  const kept = await w.head();
  await w.accepts(evict("e1", ["gone"]));
  await w.accepts(rewrite("e2", ["old"], "product", "product ".repeat(50)));
  const before = await w.head();
  await w.accepts(big("away"));
  await w.accepts(rewind(before, { as: "e3" }));
  await w.accepts(evict("e4", ["back"]));
  await w.accepts(undo("e4", { as: "e5" }));
  await w.accepts(propose("q0", [], { baseRevision: kept }));
  await w.accepts(settle("q0", { by: HUMAN }));
  const other = await openWindow(w.log, "other");
  await other.execute(admit("theirs"));
  return w;
}
