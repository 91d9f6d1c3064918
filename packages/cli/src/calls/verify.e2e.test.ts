import { existsSync, globSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { createMemoryLog, Window } from "@palimpsest/core";
import { verifyWindow } from "@palimpsest/verifier";
import { describe, expect, it } from "vitest";
import { ImportError } from "../import/errors.ts";
import { importInto } from "./import.ts";

/* Recorded sessions of the three formats, imported, pruned and undone: no false alarm. */

const root = resolve(import.meta.dirname, "../../../..");
const shared = join(process.env.PALIMPSEST_SHARED ?? join(root, "../shared"), "transcripts");
const fixtures = join(root, "test/import/fixtures");
const sessions = [
  join(root, "fixtures/session.jsonl"),
  ...[fixtures, shared].flatMap((folder) =>
    globSync("*.{jsonl,json}", { cwd: folder, exclude: (name) => name === "MANIFEST.json" }).map(
      (name) => join(folder, name),
    ),
  ),
].sort();

describe("an imported session", () => {
  it.skipIf(!existsSync(shared))(`is there, or the shared ones are absent: ${shared}`, () => {
    expect(sessions.filter((path) => path.startsWith(shared)).length).toBeGreaterThan(2);
  });

  it.each(sessions.map((path) => relative(root, path)))("holds: %s", async (path) => {
    const log = createMemoryLog();
    const window = new Window(log, "w", { principals: ["host/cli"] });
    const report = await importInto(window, join(root, path), {}).catch((error: unknown) => {
      if (error instanceof ImportError) return undefined;
      throw error;
    });
    // A fixture for what the importer does not take.
    if (report === undefined) return;
    const view = await window.show();
    const [first, second] = view.spans.filter(({ kind }) => kind === "text");
    const content = "shorter";
    for (const command of [
      { command: "render" },
      { command: "evict", editId: "zz-1", consumes: [first?.spanId] },
      { command: "rewrite", editId: "zz-2", consumes: [second?.spanId], content },
      { command: "render" },
      { command: "undo", editId: "zz-1" },
      { command: "rewind", to: 0, as: "zz-3", abandonOpenCalls: true },
      { command: "undo", editId: "zz-3" },
      { command: "render" },
    ]) {
      await window.execute(command);
    }
    const { status, findings, shown, edits } = await verifyWindow(log, "w");
    expect({ status, findings, shown }).toEqual({
      status: "holds",
      findings: [],
      shown: "checked",
    });
    expect(edits).toBeGreaterThan(1);
  });
});
