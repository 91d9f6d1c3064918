import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { recorders } from "../../test/recorders.ts";
import { readLinesOf, refusalsOf } from "../../test/recordings.ts";

const RUNS = 100;

/** What happens next, and to which of the calls there are. */
const acts = fc.array(
  fc.record({
    act: fc.constantFrom("says", "calls", "calls", "answers", "answers", "compacts"),
    which: fc.nat(3),
  }),
  { maxLength: 16 },
);

describe.each(recorders)("a recording of %s", (_, recorder) => {
  it("binds every result that comes after its call, in whatever order", async () => {
    const property = fc.asyncProperty(acts, async (history) => {
      const open: string[] = [];
      let answered = 0;
      const lines = history.flatMap(({ act, which }, index) => {
        const [id] = act === "answers" ? open.splice(which % (open.length || 1), 1) : [];
        if (act === "calls") {
          open.push(`call_${index}`);
          return [recorder.calls(`call_${index}`)];
        }
        if (id === undefined) return [recorder.says(`text ${index}`)];
        answered += 1;
        return [recorder.answers(id)];
      });
      const recording = await readLinesOf(recorder.says("start"), ...lines);
      expect(await refusalsOf(recording)).toEqual([]);
      expect(recording.report).toMatchObject({
        results: answered,
        orphanResults: 0,
        interruptedCalls: open.length,
        unplaced: [],
      });
    });
    await fc.assert(property, { numRuns: RUNS });
  });

  it("is taken by a window, each call with one result, when ids repeat and texts go", async () => {
    const property = fc.asyncProperty(acts, async (history) => {
      const lines = history.flatMap(({ act, which }, index) => {
        if (act === "calls") return [recorder.calls(`call_${which}`)];
        if (act === "answers") return [recorder.answers(`call_${which}`)];
        return act === "compacts" ? recorder.compacts() : [recorder.says(`text ${index}`)];
      });
      const recording = await readLinesOf(recorder.says("start"), ...lines);
      expect(await refusalsOf(recording)).toEqual([]);
      const { calls, results, orphanResults, interruptedCalls } = recording.report;
      expect(calls).toBe(results + interruptedCalls);
      expect(results + orphanResults).toBe(history.filter(({ act }) => act === "answers").length);
    });
    await fc.assert(property, { numRuns: RUNS });
  });
});
