import { describe, expect, it } from "vitest";
import { bondProblems } from "../../test/bonds.ts";
import {
  claude,
  claudeBoundary,
  claudeCall,
  claudeResult,
  codexCall,
  codexMessage,
  codexOutput,
} from "../../test/recorded-lines.ts";
import { recorders } from "../../test/recorders.ts";
import type { Recording } from "../../test/recordings.ts";
import { readLinesOf, refusalsOf } from "../../test/recordings.ts";
import { INTERRUPTED } from "./admit.ts";

async function expectSound(recording: Recording) {
  expect(bondProblems(recording.steps)).toEqual([]);
  expect(await refusalsOf(recording)).toEqual([]);
}

/** Call and text of each result, in the order of the window. */
function resultsOf({ spans }: Recording) {
  return spans
    .filter(({ kind }) => kind === "tool-result")
    .map(({ call, content }) => [call, content]);
}

describe.each(recorders)("a recording of %s", (_, { says, calls, answers }) => {
  const orders = [
    ["a", "b"],
    ["b", "a"],
  ];

  it.each(orders)("binds calls of several messages, answered later: %s, %s", async (...order) => {
    const recording = await readLinesOf(says("go"), calls("a"), calls("b"), ...order.map(answers));
    expect(resultsOf(recording)).toEqual(order.map((id) => [id, `of ${id}`]));
    expect(recording.report).toMatchObject({ orphanResults: 0, interruptedCalls: 0 });
    await expectSound(recording);
  });

  it("binds a result that comes after other turns and other calls", async () => {
    const recording = await readLinesOf(
      says("go"),
      calls("slow"),
      says("and meanwhile"),
      calls("quick"),
      answers("quick"),
      says("still there?"),
      calls("other"),
      answers("other"),
      answers("slow"),
    );
    expect(resultsOf(recording)).toEqual([
      ["quick", "of quick"],
      ["other", "of other"],
      ["slow", "of slow"],
    ]);
    expect(recording.report).toMatchObject({ orphanResults: 0, interruptedCalls: 0 });
    await expectSound(recording);
  });

  it("closes a call that is never answered directly after its message", async () => {
    const recording = await readLinesOf(says("go"), calls("never"), says("well?"), calls("b"));
    expect(recording.spans.map(({ kind }) => kind)).toEqual([
      "text",
      "tool-call",
      "tool-result",
      "text",
      "tool-call",
      "tool-result",
    ]);
    expect(recording.report.interruptedCalls).toBe(2);
    await expectSound(recording);
  });

  it("closes a call when its id is used again, and binds the result to the new one", async () => {
    const recording = await readLinesOf(
      says("go"),
      calls("a"),
      says("again"),
      calls("a"),
      answers("a"),
    );
    const [first, second] = recording.spans.filter(({ kind }) => kind === "tool-call");
    expect(first?.call).toBe("a");
    expect(resultsOf(recording)).toEqual([
      ["a", INTERRUPTED],
      [second?.call, "of a"],
    ]);
    expect(recording.spans.map(({ kind }) => kind)).toEqual([
      "text",
      "tool-call",
      "text",
      "tool-result",
      "tool-call",
      "tool-result",
    ]);
    expect(recording.report).toMatchObject({ renamedCalls: 1, orphanResults: 0 });
    await expectSound(recording);
  });

  it("has a stray result where the result comes before the call", async () => {
    const recording = await readLinesOf(says("go"), answers("a"), calls("a"), says("end"));
    expect(resultsOf(recording)).toEqual([["a", INTERRUPTED]]);
    expect(recording.spans[1]).toMatchObject({ kind: "other", content: "of a" });
    expect(recording.report).toMatchObject({ orphanResults: 1, interruptedCalls: 1 });
    await expectSound(recording);
  });
});

describe("a chat on many lines", () => {
  it("binds results to functions that are called by name", async () => {
    const recording = await readLinesOf(
      { role: "assistant", function_call: { name: "f", arguments: "{}" } },
      { role: "assistant", function_call: { name: "g", arguments: "{}" } },
      { role: "function", name: "f", content: "of f" },
      { role: "function", name: "g", content: "of g" },
    );
    expect(resultsOf(recording)).toEqual([
      ["function:f", "of f"],
      ["function:g", "of g"],
    ]);
  });

  it("binds results to calls that are counted instead of named, or not at all", async () => {
    const call = (id: object) => ({ ...id, type: "function", function: { name: "f" } });
    const recording = await readLinesOf(
      { role: "assistant", tool_calls: [call({ id: 7 }), call({})] },
      { role: "tool", content: "of the one without" },
      { role: "tool", tool_call_id: 7, content: "of the seventh" },
    );
    const [seventh, other] = recording.spans.filter(({ kind }) => kind === "tool-call");
    expect(resultsOf(recording)).toEqual([
      [other?.call, "of the one without"],
      [seventh?.call, "of the seventh"],
    ]);
  });
});

describe("a compaction between a call and its result", () => {
  const kept = claude("assistant", [claudeCall("kept")]);

  it("leaves open the calls of messages that Claude Code preserved", async () => {
    const recording = await readLinesOf(
      claude("user", "go"),
      claude("assistant", [claudeCall("taken")]),
      kept,
      claudeBoundary({ preservedMessages: { uuids: [kept.uuid] } }),
      claude("user", "Summary.", { isCompactSummary: true }),
      claude("user", [claudeResult("kept"), claudeResult("taken")]),
    );
    expect(resultsOf(recording)).toEqual([
      ["taken", INTERRUPTED],
      ["kept", "of kept"],
    ]);
    expect(recording.spans.at(-1)).toMatchObject({ kind: "other", content: "of taken" });
    await expectSound(recording);
  });

  it("leaves open the calls that a new history of Codex repeats", async () => {
    const recording = await readLinesOf(
      codexMessage("user", "go"),
      codexCall("taken"),
      codexCall("kept"),
      {
        type: "compacted",
        payload: { message: "", replacement_history: [codexCall("kept").payload] },
      },
      codexOutput("kept"),
      codexOutput("taken"),
    );
    expect(resultsOf(recording)).toEqual([
      ["taken", INTERRUPTED],
      ["kept", "of kept"],
    ]);
    expect(recording.spans.at(-1)).toMatchObject({ kind: "other", content: "of taken" });
    await expectSound(recording);
  });

  it("binds an output of which a new history holds the only record", async () => {
    const call = codexCall("a");
    const recording = await readLinesOf(codexMessage("user", "go"), call, {
      type: "compacted",
      payload: { message: "", replacement_history: [call.payload, codexOutput("a").payload] },
    });
    expect(resultsOf(recording)).toEqual([["a", "of a"]]);
    await expectSound(recording);
  });

  it("is not there for a boundary without anything before it", async () => {
    const recording = await readLinesOf(
      claudeBoundary(),
      claude("user", "Summary.", { isCompactSummary: true }),
      claude("assistant", [claudeCall("a")]),
      claude("user", [claudeResult("a")]),
    );
    expect(resultsOf(recording)).toEqual([["a", "of a"]]);
    await expectSound(recording);
  });
});

describe("a side chain in a file of Claude Code", () => {
  const main = { isSidechain: false };
  const side = { isSidechain: true };

  it("stands between a call and its result without a trace but a count", async () => {
    const recording = await readLinesOf(
      claude("user", "go", main),
      claude("assistant", [claudeCall("task")], main),
      claude("user", "a task for a helper", side),
      claude("assistant", [claudeCall("inner")], side),
      claude("user", [claudeResult("inner")], side),
      claude("user", [claudeResult("task")], main),
    );
    expect(resultsOf(recording)).toEqual([["task", "of task"]]);
    expect(recording.report).toMatchObject({ interruptedCalls: 0, orphanResults: 0 });
    expect(recording.report.unplaced).toEqual([
      { what: "message of a side chain", count: 3, firstAt: 3 },
    ]);
    await expectSound(recording);
  });

  it("does not become the session when it comes first", async () => {
    const recording = await readLinesOf(
      claude("user", "warm up", side),
      claude("user", "the real question", main),
    );
    expect(recording.spans.map(({ content }) => content)).toEqual(["the real question"]);
  });

  it("is the session when nothing else is there", async () => {
    const recording = await readLinesOf(claude("user", "a task", side));
    expect(recording.spans.map(({ content }) => content)).toEqual(["a task"]);
    expect(recording.report.unplaced).toEqual([]);
  });
});
