import { describe, expect, it } from "vitest";
import { fixture, readAll, readLinesOf, readText } from "../../test/recordings.ts";
import { INTERRUPTED } from "../draft/admit.ts";

describe("an OpenAI-style chat", () => {
  it("tells the roles apart", async () => {
    const { spans } = await readAll(fixture("chat.json"));
    expect(spans.map(({ origin, kind }) => `${origin} ${kind}`)).toEqual([
      "system text",
      "host text",
      "user text",
      "user other",
      "assistant reasoning",
      "assistant tool-call",
      "assistant tool-call",
      "tool tool-result",
      "user text",
      "tool tool-result",
      "assistant tool-call",
      "tool tool-result",
      "assistant text",
      "host text",
    ]);
  });

  it("parses arguments and keeps their text where printing would change it", async () => {
    const recording = await readAll(fixture("chat.json"));
    expect(recording.span("s4.2")).toMatchObject({
      content: { name: "count", arguments: { of: "apples" } },
      provider: { arguments: '{"of": "apples"}' },
    });
    expect(recording.span("s4.3")?.content).toEqual({ name: "count", arguments: "pears, I think" });
    expect(recording.span("s8.1")?.provider).toEqual({ type: "function_call" });
  });

  it("says nothing of the success of a result, since the format does not", async () => {
    const { spans } = await readAll(fixture("chat.json"));
    const results = spans.filter(({ kind }) => kind === "tool-result");
    expect(results.map(({ call, tool, content }) => [call, tool, content])).toEqual([
      ["call_2", { name: "count" }, "1"],
      ["call_1", { name: "count" }, "3"],
      ["function:add", { name: "add" }, "4"],
    ]);
  });

  it("counts what is empty and names what is not a message", async () => {
    const { report } = await readAll(fixture("chat.json"));
    expect(report.ignored).toEqual([{ what: "empty message", count: 1, firstAt: 13 }]);
    expect(report.unplaced).toEqual([
      { what: "item that is not a message", count: 1, firstAt: 12 },
    ]);
  });

  it("renames messages whose id is taken, and says what stands beside the messages", async () => {
    const { spans, report } = await readLinesOf({
      id: "chat_1",
      model: "m",
      tools: [{ name: "count" }],
      messages: [
        { role: "user", id: "x", content: "one" },
        { role: "user", id: "x", content: "two" },
        { role: "assistant", content: null, annotations: [] },
      ],
    });
    expect(spans.map(({ content, message }) => [content, message?.id])).toEqual([
      ["one", "x"],
      ["two", "m2"],
    ]);
    expect(report).toMatchObject({ renamedMessages: 1, splitMessages: 0 });
    expect(report.unplaced).toEqual([{ what: "field tools of a chat", count: 1, firstAt: 1 }]);
    expect(report.ignored.at(-1)).toEqual({ what: "empty message", count: 1, firstAt: 3 });
  });

  it("keeps a field whatever its name", async () => {
    const { spans } = await readText(
      '{"role":"user","content":"hi","__proto__":{"note":"kept"}}\n',
    );
    expect(JSON.stringify(spans[0]?.provider)).toBe('{"__proto__":{"note":"kept"}}');
  });

  it("matches a repeated id with the nearest calls, within a run and between runs", async () => {
    const recording = await readAll(fixture("chat-runs.json"));
    const results = recording.spans.filter(({ kind }) => kind === "tool-result");
    expect(results.map(({ call, tool, content }) => [call, tool?.name, content])).toEqual([
      ["call_1", "a", INTERRUPTED],
      ["c3", "b", "of b"],
      ["c7", "c", "of c"],
      ["c9", "d", INTERRUPTED],
    ]);
    expect(recording.span("s5.1")).toMatchObject({ kind: "other", content: "of b again" });
    const counts = { chats: 2, calls: 4, renamedCalls: 3, orphanResults: 1 };
    expect(recording.report).toMatchObject(counts);
  });

  it("reads messages and whole chats a line", async () => {
    const { spans, report } = await readAll(fixture("chat.jsonl"));
    expect(spans.map(({ content }) => content)).toEqual([
      "How many?",
      "Three.",
      "And pears?",
      "None.",
    ]);
    expect(report).toMatchObject({ format: "openai-chat", lines: 3, messages: 4 });
  });
});
