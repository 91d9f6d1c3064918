import { createMemoryLog, openWindow, policyFunction } from "@palimpsest/core";
import { expect, it } from "vitest";

it("a recall counts as one read of what it repeats, source or not", async () => {
  const window = await openWindow(createMemoryLog(), "w");
  const source = { uri: "file:///a", digest: "0".repeat(64) };
  await window.admit({ spanId: "a", origin: "tool", content: "text of a", source });
  await window.admit({ spanId: "b", origin: "tool", content: "text of b" });
  await window.evict(["a", "b"], { editId: "e" });
  await window.recall("a");
  await window.recall("b");
  await window.undo("e");
  let seen: unknown;
  const select = (spans: readonly { readonly id: string; readonly reads: number }[]) => {
    seen = spans.flatMap(({ id, reads }) => (id === "a" || id === "b" ? [[id, reads]] : []));
    return [];
  };
  await window.prune({ policy: policyFunction("looking", (_, spans) => select(spans)) });
  expect(seen).toEqual([
    ["a", 1],
    ["b", 1],
  ]);
});
