import { describe, expect, it } from "vitest";
import { claude } from "../../test/recorded-lines.ts";
import { readLinesOf } from "../../test/recordings.ts";

const queue = (operation: string, content?: unknown) => ({
  type: "queue-operation",
  operation,
  ...(content === undefined ? {} : { content }),
});
const attachment = (prompt: string) => ({
  type: "attachment",
  attachment: { type: "queued_command", prompt },
});

/** What is said after the first prompt, and what the report names. */
async function read(...lines: readonly object[]) {
  const { spans, report } = await readLinesOf(claude("user", "start"), ...lines);
  return {
    said: spans.slice(1).map(({ origin, content }) => `${origin}: ${content}`),
    unplaced: report.unplaced,
  };
}

describe("the queue of a Claude Code recording", () => {
  it("hands over the same text as often as it was queued", async () => {
    const lines = [queue("enqueue", "go on"), queue("enqueue", "go on")];
    expect(await read(...lines, queue("remove"), queue("remove"))).toEqual({
      said: ["user: go on", "user: go on"],
      unplaced: [],
    });
    expect(await read(...lines, queue("dequeue"), claude("user", "go on"))).toMatchObject({
      said: ["user: go on"],
      unplaced: [{ what: "queued text that was never sent", count: 1 }],
    });
  });

  it("hands over the oldest text that was not sent as a prompt", async () => {
    const recording = await read(
      queue("enqueue", "first"),
      queue("dequeue"),
      queue("enqueue", "second"),
      queue("remove"),
      claude("user", "first"),
    );
    expect(recording).toEqual({ said: ["user: second", "user: first"], unplaced: [] });
  });

  it("hands over the text that is named", async () => {
    const recording = await read(
      queue("enqueue", "first"),
      queue("enqueue", "second"),
      queue("remove", "second"),
    );
    expect(recording).toMatchObject({ said: ["user: second"], unplaced: [{ count: 1 }] });
  });

  it("lets each of several texts have an attachment of its own", async () => {
    const recording = await read(
      queue("enqueue", "first"),
      queue("enqueue", "second"),
      queue("remove"),
      queue("remove"),
      attachment("first"),
      attachment("second"),
    );
    expect(recording).toEqual({ said: ["user: first", "user: second"], unplaced: [] });
  });

  it("takes for the program's what the program queued", async () => {
    const note = "<task-notification>done</task-notification>";
    const lines = [queue("enqueue", note), queue("remove")];
    expect(await read(...lines)).toEqual({ said: [`host: ${note}`], unplaced: [] });
    expect(await read(...lines, claude("user", note))).toEqual({
      said: [`host: ${note}`],
      unplaced: [],
    });
  });

  it("names what is queued and is not a text, or leaves the queue and was never in it", async () => {
    const { unplaced } = await read(queue("enqueue", ["a list"]), queue("popAll", "who knows"));
    expect(unplaced).toEqual([
      { what: "queue-operation of an unknown form", count: 2, firstAt: 2 },
    ]);
  });
});
