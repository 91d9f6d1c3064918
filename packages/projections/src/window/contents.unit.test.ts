import { createMemoryLog, openWindow, windowStream } from "@palimpsest/core";
import { expect, it } from "vitest";
import { windowReducer } from "./reading.ts";

it("content is held while its span is live, let go when it is not, and missed when it is again", async () => {
  const log = createMemoryLog();
  const window = await openWindow(log, "w");
  const reducer = windowReducer("w");
  let reading = reducer.initial;
  const held = async (): Promise<{ held: unknown[]; missing: number[] }> => {
    for await (const page of log.read(windowStream("w"), { from: reading.state.revision + 1 })) {
      reading = reducer.fold(reading, page);
    }
    const { contents } = reading;
    return { held: [...contents.held.values()].sort(), missing: [...contents.missing] };
  };
  await window.admit({ spanId: "a", origin: "user", content: "one" });
  await window.admit({ spanId: "b", origin: "user", content: "two" });
  expect(await held()).toEqual({ held: ["one", "two"], missing: [] });
  await window.rewrite(["a"], "short", { editId: "e" });
  expect(await held()).toEqual({ held: ["short", "two"], missing: [] });
  await window.evict(["b"]);
  expect(await held()).toEqual({ held: ["short"], missing: [] });
  await window.undo("e");
  expect(await held()).toEqual({ held: [], missing: [0] });
  reading = (await reducer.complete?.(reading, log)) ?? reading;
  expect(await held()).toEqual({ held: ["one"], missing: [] });
});
