import { describe, expect, it } from "vitest";
import { claude } from "../../test/recorded-lines.ts";
import { fixture, readAll, readLinesOf } from "../../test/recordings.ts";
import { INTERRUPTED } from "../draft/admit.ts";

describe("a Claude Code recording", () => {
  it("gives one span for each block of an answer, in one step, under one message id", async () => {
    const recording = await readAll(fixture("claude-basic.jsonl"));
    const answer = recording.steps.find(({ commands }) => commands.length === 4);
    expect(answer?.commands).toEqual([
      {
        command: "admitSpan",
        spanId: "s5.1",
        origin: "assistant",
        kind: "reasoning",
        content: "Two files.",
        message: { id: "msg_1", index: 0 },
        group: "g5",
        sealed: true,
        provider: { signature: "c2lnbmVk" },
      },
      {
        command: "admitSpan",
        spanId: "s7.1",
        origin: "assistant",
        kind: "text",
        content: "I read both.",
        message: { id: "msg_1", index: 1 },
      },
      {
        command: "admitSpan",
        spanId: "s8.1",
        origin: "assistant",
        kind: "tool-call",
        content: { name: "Read", arguments: { file_path: "apples.txt" } },
        message: { id: "msg_1", index: 2 },
        call: "toolu_1",
        tool: { name: "Read" },
        group: "g5",
      },
      {
        command: "admitSpan",
        spanId: "s9.1",
        origin: "assistant",
        kind: "tool-call",
        content: { name: "Read", arguments: { file_path: "pears.txt" } },
        message: { id: "msg_1", index: 3 },
        call: "toolu_2",
        tool: { name: "Read" },
        group: "g5",
        provider: { caller: { type: "direct" } },
      },
    ]);
  });

  it("binds results to their calls in whatever order they come", async () => {
    const { spans } = await readAll(fixture("claude-basic.jsonl"));
    const results = spans.filter(({ kind }) => kind === "tool-result");
    expect(results.map(({ call, content, tool }) => ({ call, content, tool }))).toEqual([
      { call: "toolu_2", content: "1 pear\n2 pears", tool: { name: "Read", status: "ok" } },
      {
        call: "toolu_1",
        content: "<tool_use_error>File does not exist.</tool_use_error>",
        tool: { name: "Read", status: "error" },
      },
    ]);
  });

  it("takes for the user's only what the user wrote", async () => {
    const { spans } = await readAll(fixture("claude-basic.jsonl"));
    const origins = Object.groupBy(spans, ({ origin }) => origin);
    expect(origins.user?.map(({ kind }) => kind)).toEqual(["text", "other"]);
    expect(origins.host?.map(({ content }) => content)).toEqual([
      "<local-command-caveat>Caveat</local-command-caveat>",
      "API Error",
      "Model changed",
      "<local-command-stdout>Bye!</local-command-stdout>",
      { type: "file", filename: "notes.txt", content: "milk" },
    ]);
  });

  it("counts by type the lines that hold no conversation", async () => {
    const { report } = await readAll(fixture("claude-basic.jsonl"));
    expect(report).toMatchObject({ lines: 16, messages: 9, spans: 13, calls: 2, results: 2 });
    expect(report.ignored.map(({ what, count }) => [what, count])).toEqual([
      ["summary", 1],
      ["file-history-snapshot", 1],
      ["progress", 1],
      ["system turn_duration", 1],
    ]);
    expect(report.unplaced).toEqual([]);
  });

  it("goes on counting the blocks of an answer that a result interrupts", async () => {
    const recording = await readAll(fixture("claude-calls.jsonl"));
    expect(recording.span("s2.2")).toMatchObject({
      message: { id: "msg_1", index: 1 },
      group: "g2",
    });
    expect(recording.span("s4.1")).toMatchObject({ message: { id: "msg_1", index: 2 } });
    expect(recording.span("s4.1")).not.toHaveProperty("group");
    expect(recording.report.splitMessages).toBe(1);
  });

  it("closes a call that the recording never answers, directly after its message", async () => {
    const recording = await readAll(fixture("claude-calls.jsonl"));
    expect(recording.span("s6.3")).toEqual({
      command: "admitSpan",
      spanId: "s6.3",
      origin: "host",
      kind: "tool-result",
      content: INTERRUPTED,
      call: "toolu_3",
      tool: { name: "Bash", status: "interrupted" },
    });
    expect(recording.steps[5]?.commands).toHaveLength(3);
  });

  it("keeps a call open for a result that comes late", async () => {
    const recording = await readAll(fixture("claude-calls.jsonl"));
    expect(recording.span("s9.1")).toMatchObject({ kind: "tool-result", call: "toolu_4" });
    expect(recording.report.interruptedCalls).toBe(1);
  });

  it("tells a denied and an interrupted result from an error", async () => {
    const recording = await readAll(fixture("claude-calls.jsonl"));
    expect(recording.span("s5.1")?.tool).toEqual({ name: "Bash", status: "denied" });
    expect(recording.span("s9.1")?.tool).toEqual({ name: "Bash", status: "interrupted" });
  });

  it("admits a result without a call, or a second one, as kind other", async () => {
    const recording = await readAll(fixture("claude-calls.jsonl"));
    const orphans = ["s10.1", "s11.1"].map((id) => recording.span(id));
    expect(orphans).toMatchObject([
      { origin: "tool", kind: "other", content: "whose?", provider: { callId: "toolu_9" } },
      { origin: "tool", kind: "other", content: "first again", provider: { callId: "toolu_1" } },
    ]);
    expect(recording.report.orphanResults).toBe(2);
  });

  it("renames ids that are taken or that a window refuses, and keeps the old ones", async () => {
    const recording = await readAll(fixture("claude-calls.jsonl"));
    expect(recording.span("s12.1")).toMatchObject({
      call: "c12",
      message: { id: "m12", index: 0 },
      provider: { callId: "toolu_1" },
    });
    expect(recording.span("s13.1")).toMatchObject({ call: "c12", provider: { callId: "toolu_1" } });
    expect(recording.span("s13.2")).toMatchObject({ call: "c12.2", content: "fourth" });
    expect(recording.report).toMatchObject({ renamedCalls: 2, renamedMessages: 1 });
  });

  it("keeps what it does not know and names what it cannot place", async () => {
    const recording = await readAll(fixture("claude-odd.jsonl"));
    expect(recording.span("s8.2")).toMatchObject({ kind: "other", content: { shape: "cube" } });
    expect(recording.span("s8.3")).toMatchObject({ kind: "tool-call", call: "srvtoolu_1" });
    expect(recording.span("s8.4")).toMatchObject({ kind: "tool-result", call: "srvtoolu_1" });
    expect(recording.report.unplaced).toEqual([
      { what: "message of a side chain", count: 1, firstAt: 3 },
      { what: "malformed line", count: 1, firstAt: 4 },
      { what: "line that is not a JSON object", count: 1, firstAt: 6 },
      { what: "line of type hologram", count: 1, firstAt: 7 },
      { what: "truncated last line", count: 1, firstAt: 10 },
    ]);
  });

  it("places queued text where it was handed over, and once", async () => {
    const recording = await readAll(fixture("claude-queue.jsonl"));
    const said = recording.spans.filter(({ origin }) => origin === "user");
    expect(said.map(({ content }) => content)).toEqual([
      "start",
      "handed over in the middle",
      "sent as a prompt",
      "handed over as an attachment",
    ]);
    expect(recording.report.unplaced).toEqual([
      { what: "queued text that was never sent", count: 1, firstAt: 12 },
    ]);
  });

  it("takes a line for a repeated one only where it says the same", async () => {
    const line = claude("user", "first words");
    const recording = await readLinesOf(
      line,
      { ...line, timestamp: "later" },
      { ...line, message: { role: "user", content: "other words" } },
      claude("assistant", [{ type: "text", text: "an answer" }]),
    );
    expect(recording.spans.map(({ content, message }) => [content, message?.id])).toEqual([
      ["first words", line.uuid],
      ["other words", "m3"],
      ["an answer", recording.spans[2]?.message?.id],
    ]);
    expect(recording.report).toMatchObject({ messages: 3, renamedMessages: 1, splitMessages: 0 });
    expect(recording.report.ignored).toEqual([{ what: "repeated line", count: 1, firstAt: 2 }]);
  });

  it("takes one block, or one text among blocks, as a list of it", async () => {
    const { spans } = await readLinesOf(
      claude("user", { type: "text", text: "alone" }),
      claude("assistant", ["bare", { type: "text", text: "beside it" }]),
      claude("user", 5),
    );
    expect(spans.map(({ kind, content }) => [kind, content])).toEqual([
      ["text", "alone"],
      ["text", "bare"],
      ["text", "beside it"],
      ["other", 5],
    ]);
  });

  it("calls empty only what has an empty content", async () => {
    const { report } = await readLinesOf(
      claude("user", "start"),
      claude("user", null),
      claude("user", []),
      claude("assistant", [{ type: "text", text: "" }]),
      { type: "user", uuid: "w1", message: { role: "user", text: "elsewhere" } },
      { type: "assistant", uuid: "w2", message: "a bare text" },
      { type: "system", uuid: "w3", subtype: "notice", message: "elsewhere" },
    );
    expect(report.ignored).toEqual([{ what: "empty message", count: 3, firstAt: 2 }]);
    expect(report.unplaced).toEqual([
      { what: "message of an unknown form", count: 2, firstAt: 5 },
      { what: "system notice", count: 1, firstAt: 7 },
    ]);
  });

  it("counts the messages that the progress of a side chain repeats", async () => {
    const { report } = await readLinesOf(
      claude("user", "start"),
      { type: "progress", uuid: "p1", data: { type: "hook_progress" } },
      { type: "progress", uuid: "p2", data: { message: { message: { content: "a task" } } } },
    );
    expect(report.ignored).toEqual([{ what: "progress", count: 1, firstAt: 2 }]);
    expect(report.unplaced).toEqual([{ what: "message of a side chain", count: 1, firstAt: 3 }]);
  });

  it("stores as text what a window would refuse as a value", async () => {
    const recording = await readAll(fixture("claude-awkward.jsonl"));
    expect(recording.spans.map(({ content }) => content)).toEqual([
      "half a pair: \\ud83d, whole: 😀, nul: \u0000",
      '{"name":"Add","arguments":{"a":9007199254740993,"b":1e400,"c":1.5}}',
      '[{"type":"json","half":"\\ude00"}]',
    ]);
    expect(recording.report.altered).toBe(3);
  });
});
