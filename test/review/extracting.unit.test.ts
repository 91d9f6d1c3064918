import type { EventLog, Json } from "@palimpsest/core";
import { createMemoryLog, openWindow, Window } from "@palimpsest/core";
import { describe, expect, it } from "vitest";

const CONFIG = {
  spanId: "config",
  origin: "tool",
  kind: "other",
  content: "[http]\nretry_budget = 3\n",
  source: { uri: "file:///config.toml", digest: "0".repeat(64) },
} as const;
const COMMENT = {
  spanId: "comment",
  origin: "user",
  content: "retry_budget was raised to 7, pending rollout, see ticket OPS-1",
} as const;

/** The window with the line of the config in it. */
async function givenConfig(): Promise<EventLog> {
  const log = createMemoryLog();
  await (await openWindow(log, "w")).admit(CONFIG);
  return log;
}

const contested = async (window: Window) =>
  (await window.claims()).map(({ conflicts }) => conflicts.length);

describe("claims found in a span are set beside what the window says at that moment", () => {
  it("through a handle that has read nothing yet", async () => {
    const window = new Window(await givenConfig(), "w");
    await window.admit(COMMENT);
    expect(await contested(window)).toEqual([1, 1]);
  });

  it("when another handle admitted the other side while the extractor worked", async () => {
    const log = createMemoryLog();
    const other = await openWindow(log, "w");
    const extract = async () => {
      await other.admit(CONFIG);
      const statement = COMMENT.content;
      const claims = [{ statement, scope: "user", quote: statement }];
      return { claims, conflicts: [], leftOut: { claims: 0, conflicts: 0 } };
    };
    const slow = await openWindow(log, "w", { extractor: { name: "slow", extract } });
    await slow.admit(COMMENT);
    expect(await contested(slow)).toEqual([1, 1]);
  });

  it("when both sides come in one batch", async () => {
    const window = await openWindow(createMemoryLog(), "w");
    const spans: Json[] = [CONFIG, COMMENT];
    await window.batch(spans.map((span) => ({ command: "admitSpan", ...(span as object) })));
    expect(await contested(window)).toEqual([1, 1]);
  });
});

describe("an extractor that costs something", () => {
  it("is not asked again for a command that has its answer", async () => {
    const asked: string[] = [];
    const extractor = {
      name: "counting",
      extract: ({ id }: { id: string }) => {
        asked.push(id);
        return { claims: [], conflicts: [], leftOut: { claims: 0, conflicts: 0 } };
      },
    };
    const window = await openWindow(createMemoryLog(), "w", { extractor });
    const first = await window.admit({ ...COMMENT, commandId: "once" });
    expect(await window.admit({ ...COMMENT, commandId: "once" })).toEqual(first);
    expect(asked).toEqual(["comment"]);
  });
});
