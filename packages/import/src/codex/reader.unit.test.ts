import { describe, expect, it } from "vitest";
import { codex, codexMessage } from "../../test/recorded-lines.ts";
import { editsOf, fixture, readAll, readLinesOf, readText } from "../../test/recordings.ts";
import { INTERRUPTED } from "../draft/admit.ts";

describe("a Codex recording", () => {
  it("tells the system prompt, the program and the user apart", async () => {
    const { spans } = await readAll(fixture("codex-basic.jsonl"));
    expect(spans.slice(0, 7).map(({ origin, kind }) => [origin, kind])).toEqual([
      ["system", "text"],
      ["host", "text"],
      ["host", "text"],
      ["host", "text"],
      ["host", "text"],
      ["user", "text"],
      ["user", "other"],
    ]);
    expect(spans.at(-1)).toMatchObject({ origin: "host", kind: "text" });
  });

  it("makes one message of what the model wrote in a row, reasoning bound to calls", async () => {
    const recording = await readAll(fixture("codex-basic.jsonl"));
    const answer = recording.spans.filter(({ message }) => message?.id === "m8");
    expect(answer.map(({ kind, group }) => [kind, group])).toEqual([
      ["reasoning", "g8"],
      ["text", undefined],
      ["tool-call", "g8"],
      ["tool-call", "g8"],
    ]);
  });

  it("keeps what rebuilds the provider's item", async () => {
    const recording = await readAll(fixture("codex-basic.jsonl"));
    expect(recording.span("s8.1")).toMatchObject({
      content: "Counting.",
      sealed: true,
      provider: { id: "rs_1", encrypted_content: "b3BhcXVl" },
    });
    expect(recording.span("s10.1")).toMatchObject({
      content: { name: "exec_command", arguments: { cmd: "cat apples" } },
      provider: { id: "fc_1", arguments: '{"cmd": "cat apples"}' },
    });
    expect(recording.span("s19.1")?.provider).toEqual({ id: "fc_4" });
    expect(recording.span("s15.1")).toMatchObject({
      content: { name: "apply_patch", arguments: "*** Begin Patch\n*** End Patch" },
      provider: { type: "custom_tool_call", id: "ct_1", status: "completed" },
    });
  });

  it("reads the status of a result from what it says", async () => {
    const { spans } = await readAll(fixture("codex-basic.jsonl"));
    const results = spans.filter(({ kind }) => kind === "tool-result");
    expect(results.map(({ call, tool, content }) => [call, tool?.status, content])).toEqual([
      ["call_2", "error", "Chunk ID: 1\nProcess exited with code 2\nOutput:\nno"],
      ["call_1", "ok", "3 apples"],
      ["call_3", "interrupted", "aborted by user after 1.2s"],
      ["call_4", "interrupted", INTERRUPTED],
    ]);
  });

  it("counts the display events as ignored, each kind by name", async () => {
    const { report } = await readAll(fixture("codex-basic.jsonl"));
    expect(report.ignored.map(({ what }) => what)).toEqual([
      "event_msg task_started",
      "turn_context",
      "event_msg user_message",
      "event_msg token_count",
      "ghost_snapshot",
      "session_meta",
    ]);
    expect(report.unplaced).toEqual([{ what: "line of type telemetry", count: 1, firstAt: 22 }]);
  });
});

describe("a field of a Codex item", () => {
  it("is the arguments where it is the first that is there", async () => {
    const call = { type: "tool_search_call", call_id: "call_1" };
    const { spans } = await readLinesOf(
      codex({ ...call, arguments: { query: "fruit" } }),
      codex({ type: "tool_search_output", call_id: "call_1", tools: [{ name: "count" }] }),
    );
    expect(spans).toMatchObject([
      { kind: "tool-call", content: { arguments: { query: "fruit" } } },
      { kind: "tool-result", content: { tools: [{ name: "count" }] } },
    ]);
  });

  it("may nest deeper than can be printed", async () => {
    const nested = `${"[".repeat(50_000)}${"]".repeat(50_000)}`;
    const line = `{"type":"response_item","payload":{"type":"new","deep":${nested}}}`;
    const { spans } = await readText(`${line}\n`);
    expect(spans).toHaveLength(1);
    expect(spans[0]?.content).toContain(nested);
  });
});

describe("what Codex shows on the screen", () => {
  const shown = (message: string) => ({
    type: "event_msg",
    payload: { type: "agent_message", message },
  });

  it("is named where no item says it, before or after", async () => {
    const { report } = await readLinesOf(
      shown("said after"),
      codexMessage("assistant", "said after"),
      codexMessage("assistant", "said before"),
      shown("said before\n"),
      shown("never said"),
    );
    expect(report.unplaced).toEqual([
      { what: "event_msg agent_message that no item says", count: 1, firstAt: 5 },
    ]);
  });
});

describe("an edit that Codex recorded", () => {
  it("leaves what the new history repeats and evicts the rest, in one step", async () => {
    const recording = await readAll(fixture("codex-compaction.jsonl"));
    const step = recording.steps.find(({ notes }) => notes.some((n) => n.what === "compaction"));
    expect(step?.commands).toMatchObject([
      { command: "admitSpan", call: "call_2", content: INTERRUPTED },
      {
        command: "evict",
        editId: "compaction-1",
        consumes: ["s4.1", "s5.1", "s6.1", "s7.1", "s8.1", "s9.1"],
      },
      { command: "admitSpan", origin: "host", content: "a text nobody wrote before" },
      {
        command: "admitSpan",
        origin: "host",
        kind: "other",
        sealed: true,
        content: { type: "compaction", id: "cmp_1", encrypted_content: "b3BhcXVl" },
      },
    ]);
  });

  it("keeps prompts and adds the summary where no new history was recorded", async () => {
    const recording = await readAll(fixture("codex-compaction.jsonl"));
    expect(recording.steps.at(-1)?.commands).toMatchObject([
      { command: "evict", editId: "compaction-2", consumes: ["s10.1"] },
      { command: "admitSpan", origin: "host", content: "Summary in plain words." },
    ]);
  });

  it("evicts the turns that were rolled back, their open calls closed", async () => {
    const recording = await readAll(fixture("codex-rollback.jsonl"));
    expect(editsOf(recording)).toEqual([
      { command: "evict", editId: "rollback-1", consumes: ["s4.1", "s5.1", "s6.1"] },
    ]);
    expect(recording.span("s6.1")).toMatchObject({ call: "call_1", content: INTERRUPTED });
    expect(recording.span("s8.1")).toMatchObject({ kind: "other", content: "too late" });
  });
});
