import { createMemoryLog, openWindow } from "@palimpsest/core";
import { expect, it } from "vitest";

it("a preview shows a replacement by null as null, as the window would", async () => {
  const principals = ["host/pruner", "human/p"];
  const window = await openWindow(createMemoryLog(), "w", { principals });
  await window.admit({ spanId: "s", origin: "tool", content: "long ".repeat(50) });
  await window.propose({ proposalId: "q", candidates: [{ consumes: ["s"], content: null }] });
  const settle = { command: "settlePruning", proposalId: "q", by: "human/p" } as const;
  const preview = await window.preview(settle);
  await window.execute(settle);
  expect(preview.after.rendered).toBe((await window.show()).rendered);
  expect(preview.after.rendered).toContain("\nnull\n");
});
