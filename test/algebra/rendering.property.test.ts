import type { Json } from "@palimpsest/core";
import { parseRendering } from "@palimpsest/core";
import { renderWindow } from "@palimpsest/core/view";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { anyContent, nastyText } from "../support/algebra/contents.ts";
import { textOf } from "../support/algebra/json.ts";
import type { PureWindow } from "../support/algebra/pure.ts";
import { attempt, contentAt, opened, referenceOf } from "../support/algebra/pure.ts";
import { admit, evict, rewrite } from "../support/algebra/say.ts";
import { gapsOf, liveIds } from "../support/algebra/views.ts";

const numRuns = process.env.PALIMPSEST_LONG === undefined ? 150 : 500;

/** Whatever a reader may take for the end of a line. */
const ANY_BREAK = /\r\n|[\n\r\v\f\u0085\u2028\u2029]/;

/** A span with its content, and whether it is evicted or rewritten afterwards. */
const planned = fc.record({
  content: fc.oneof(nastyText, anyContent),
  fate: fc.constantFrom("stays", "stays", "evicted", "rewritten"),
  later: nastyText,
});
const plans = fc.array(planned, { maxLength: 7 });
type Plan = typeof plans extends fc.Arbitrary<infer T> ? T : never;

describe("a rendering", () => {
  it("is read back to exactly the real spans and contents", () => {
    const property = fc.property(plans, (plan) => {
      const window = windowOf(plan);
      const { spans } = parseRendering(rendered(window));
      expect(spans.map(({ spanId, text, json }) => ({ spanId, text, json }))).toEqual(
        expectedSpans(plan),
      );
    });
    fc.assert(property, { numRuns });
  });

  it("is read back to exactly the real gaps and counts", () => {
    const property = fc.property(plans, (plan) => {
      const window = windowOf(plan);
      const { gaps, ledger } = parseRendering(rendered(window));
      const real = gapsOf(referenceOf(window)).map(({ after, spans, edits }) => ({
        after,
        spans: spans.length,
        edits: edits.length,
        named: edits,
      }));
      const gone = plan.filter(({ fate }) => fate !== "stays").length;
      const unchanged = plan.filter(isRewrittenToItself).length;
      expect(gaps).toEqual(real);
      expect(ledger).toEqual({
        edits: gone - unchanged,
        records: gone - unchanged,
        outOfView: gone - unchanged,
        alarm: false,
      });
    });
    fc.assert(property, { numRuns });
  });

  it("holds no line, by any kind of break, that starts like structure and is not", () => {
    const property = fc.property(plans, (plan) => {
      const window = windowOf(plan);
      const lines = rendered(window).split(ANY_BREAK);
      const structure = lines.filter((line) => line.startsWith("::"));
      const reference = referenceOf(window);
      const real = liveIds(reference).length + gapsOf(reference).length + 1;
      expect(structure).toHaveLength(real);
    });
    fc.assert(property, { numRuns });
  });
});

function windowOf(plan: Plan): PureWindow {
  const admitted = plan.reduce(
    (window, { content }, i) => attempt(window, admit(`a${i}`, { content })),
    opened,
  );
  return plan.reduce((window, { fate, later }, i) => {
    if (fate === "evicted") return attempt(window, evict(`e${i}`, [`a${i}`]));
    if (fate === "stays") return window;
    return attempt(window, rewrite(`e${i}`, [`a${i}`], `p${i}`, { content: later }));
  }, admitted);
}

/** Nothing to do, so the span stays what it is. */
function isRewrittenToItself({ content, fate, later }: Plan[number]): boolean {
  return fate === "rewritten" && content === later;
}

function expectedSpans(plan: Plan) {
  return plan.flatMap((one, i) => {
    if (one.fate === "evicted") return [];
    const rewritten = one.fate === "rewritten" && !isRewrittenToItself(one);
    const content: Json = rewritten ? one.later : one.content;
    const json = typeof content !== "string";
    return [{ spanId: rewritten ? `p${i}` : `a${i}`, text: textOf(content), json }];
  });
}

function rendered({ state, events }: PureWindow): string {
  return renderWindow(state, contentAt(events));
}
