import type { Json } from "@palimpsest/core";
import { createMemoryLog } from "@palimpsest/core";
import { verifyWindow } from "@palimpsest/verifier";
import { expect, it } from "vitest";
import { runAll, user } from "../support/verifier/bases.ts";

/* Corners of docs/rendering.md and docs/decisions/claims.md that chance seldom finds. */

const claim = (claimId: string, more: Readonly<Record<string, Json>>) => ({
  command: "assertClaim",
  claimId,
  statement: `about ${claimId}`,
  ...more,
});

async function holds(commands: Parameters<typeof runAll>[1]): Promise<void> {
  const log = createMemoryLog();
  await runAll(log, [{ command: "openWindow" }, ...commands, { command: "render" }]);
  const { status, findings, shown } = await verifyWindow(log, "w");
  expect({ status, findings, shown }).toEqual({ status: "holds", findings: [], shown: "checked" });
}

it("shows a withdrawn decision that is a side of an open conflict", async () => {
  await holds([
    user("s"),
    claim("f", { carrier: "s", evidence: true }),
    { ...user("d"), origin: "assistant" },
    claim("yes", { kind: "decision", carrier: "d", because: [{ claim: "f" }] }),
    claim("no", { kind: "decision", because: [{ claim: "f" }] }),
    { command: "noteConflict", a: "yes", b: "no" },
    { command: "rewind", to: 2 },
  ]);
});

it("takes a claim on a recall for one on the span that is recalled", async () => {
  await holds([
    user("s"),
    { command: "evict", editId: "e1", consumes: ["s"] },
    { command: "recall", spanId: "s", as: "r1" },
    claim("c", { carrier: "r1", evidence: true }),
    { command: "recall", spanId: "s", as: "r2" },
    { command: "evict", editId: "e2", consumes: ["r1"] },
    { command: "render" },
    { command: "evict", editId: "e3", consumes: ["r2"] },
  ]);
});

it("lets a recall observe no source", async () => {
  const digest = "1".repeat(64);
  await holds([
    user("s", { source: { uri: "file:a", digest } }),
    claim("c", { carrier: "s", evidence: true }),
    { command: "evict", editId: "e1", consumes: ["s"] },
    { command: "observeSource", uri: "file:a", digest: null },
    { command: "recall", spanId: "s", as: "r" },
    { command: "evict", editId: "e2", consumes: ["r"] },
  ]);
});

it("lets a recall that left be recalled while the span it repeats is back", async () => {
  await holds([
    user("s"),
    { command: "evict", editId: "e1", consumes: ["s"] },
    { command: "recall", spanId: "s", as: "r1" },
    { command: "recall", spanId: "s", as: "r2" },
    { command: "undo", editId: "e1" },
    { command: "evict", editId: "e3", consumes: ["r1"] },
    { command: "recall", spanId: "r1", as: "r3" },
  ]);
});

it("takes recalls of results, of products and of system spans as they are written", async () => {
  const source = { uri: "file:a", digest: "1".repeat(64) };
  const call = { kind: "tool-call", call: "k", message: { id: "m", index: 0 } } as const;
  const result = {
    origin: "tool",
    kind: "tool-result",
    call: "k",
    tool: { name: "t" },
    source,
  } as const;
  await holds([
    user("call", { ...call, origin: "assistant", tool: { name: "t", status: "ok" } }),
    user("result", result),
    user("lore", { origin: "system", pinned: false }),
    user("thought", { origin: "assistant", kind: "reasoning", provider: { sign: "x" } }),
    user("g1", { group: "g" }),
    { command: "rewrite", editId: "e1", consumes: ["result"], spanId: "short", content: "less" },
    { command: "rewrite", editId: "e2", consumes: ["thought"], spanId: "idea", content: "so" },
    {
      command: "evict",
      editId: "e3",
      consumes: ["call", "short", "lore", "idea", "g1"],
    },
    ...["call", "result", "short", "lore", "thought", "idea", "g1"].map((spanId) => ({
      command: "recall",
      spanId,
      by: "model/m",
    })),
  ]);
});

it("takes a quote of 300 UTF-16 code units, however many characters they are", async () => {
  const quotes = ["\u{1f600}".repeat(150), "e\u0301".repeat(150)];
  await holds(
    quotes.flatMap((quote, i) => [
      user(`s${i}`, { content: quote }),
      claim(`c${i}`, { carrier: `s${i}`, quote, because: [{ span: `s${i}`, quote }] }),
    ]),
  );
});

it("compares renderings of spans that hold null, false, zero and nothing", async () => {
  const contents = [null, false, 0, "", [], {}] as const;
  await holds([
    ...contents.map((content, i) => user(`s${i}`, { content })),
    claim("c", { carrier: "s0", evidence: true }),
    { command: "render" },
    user("more"),
  ]);
});
