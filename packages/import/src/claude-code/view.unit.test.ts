import { describe, expect, it } from "vitest";
import { claude, claudeBoundary, claudeCall, claudeResult } from "../../test/recorded-lines.ts";
import { editsOf, fixture, readAll, readLinesOf, refusalsOf } from "../../test/recordings.ts";
import { INTERRUPTED } from "../draft/admit.ts";

describe("an edit that Claude Code recorded", () => {
  it("is one rewrite by the summary for a compaction", async () => {
    const recording = await readAll(fixture("claude-compaction.jsonl"));
    expect(editsOf(recording)).toEqual([
      {
        command: "rewrite",
        editId: "compaction-1",
        consumes: ["s1.1", "s2.1", "s2.2", "s3.1"],
        content: "Summary: something was run.",
        spanId: "s5.1",
      },
      {
        command: "rewrite",
        editId: "compaction-2",
        consumes: ["s5.1", "s6.1", "s7.1"],
        content: "Summary of the summary.",
        spanId: "s9.1",
      },
      { command: "evict", editId: "compaction-3", consumes: ["s9.1", "s10.1"] },
    ]);
  });

  it("closes open calls before a compaction, and their results are stray after it", async () => {
    const recording = await readAll(fixture("claude-compaction.jsonl"));
    expect(recording.span("s3.1")).toMatchObject({ call: "toolu_1", content: INTERRUPTED });
    expect(recording.span("s6.1")).toMatchObject({ kind: "other", content: "done after all" });
  });

  it("leaves the messages that a compaction preserved", async () => {
    const recording = await readAll(fixture("claude-preserved.jsonl"));
    expect(editsOf(recording)).toMatchObject([
      { command: "rewrite", consumes: ["s1.1", "s2.1"] },
      { command: "evict", consumes: ["s6.1", "s4.1"] },
    ]);
    expect(recording.span("s8.1")).toMatchObject({
      origin: "host",
      content: "Summary around the question.",
    });
  });

  it("is a rewrite of the result for a cleared or replaced result, once", async () => {
    const recording = await readAll(fixture("claude-view-edits.jsonl"));
    expect(editsOf(recording).slice(0, 3)).toEqual([
      {
        command: "rewrite",
        editId: "cleared-1",
        consumes: ["s4.1"],
        content: "a preview",
        spanId: "s6.1",
      },
      {
        command: "rewrite",
        editId: "cleared-2",
        consumes: ["s3.1"],
        content: "[Old tool result content cleared]",
        spanId: "s7.1",
      },
      { command: "evict", editId: "cleared-3", consumes: ["s5.1"] },
    ]);
  });

  it("is an evict and a summary where the compaction takes one span, whatever it says", async () => {
    const summary = () => claude("user", "Summary.", { isCompactSummary: true });
    const recording = await readLinesOf(
      claude("user", "start"),
      claudeBoundary(),
      summary(),
      claudeBoundary(),
      summary(),
    );
    expect(editsOf(recording)).toEqual([
      { command: "evict", editId: "compaction-1", consumes: ["s1.1"] },
      { command: "evict", editId: "compaction-2", consumes: ["s3.1"] },
    ]);
    expect(await refusalsOf(recording)).toEqual([]);
  });

  it("is none where a result is replaced by what it says", async () => {
    const recording = await readLinesOf(
      claude("assistant", [claudeCall("toolu_1")]),
      claude("user", [claudeResult("toolu_1", "short")]),
      {
        type: "content-replacement",
        replacements: [{ kind: "tool-result", toolUseId: "toolu_1", replacement: "short" }],
      },
    );
    expect(editsOf(recording)).toEqual([]);
    expect(recording.report).toMatchObject({ clearedResults: 0, unplaced: [] });
  });

  it("is an evict of what the user went back from", async () => {
    const recording = await readAll(fixture("claude-view-edits.jsonl"));
    expect(editsOf(recording).at(-1)).toEqual({
      command: "evict",
      editId: "rollback-1",
      consumes: ["s9.1", "s10.1", "s11.1"],
    });
    expect(recording.report.rollbacks).toBe(1);
  });
});
