import { existsSync, globSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { createMemoryLog, Window } from "@palimpsest/core";
import { importInto, isImportError, openSession } from "@palimpsest/import";
import { verifyWindow } from "@palimpsest/verifier";
import { describe, expect, it } from "vitest";

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
    const window = new Window(log, "w", { principals: ["host/cli", "model/m"] });
    const report = await openSession(join(root, path))
      .then((session) => importInto(window, session))
      .catch((error: unknown) => {
        if (isImportError(error)) return undefined;
        throw error;
      });
    // A fixture for what the importer does not take.
    if (report === undefined) return;
    const view = await window.show();
    const texts = view.spans
      .filter(({ kind, origin }) => kind === "text" && origin !== "system")
      .map(({ spanId }) => spanId);
    const [first, second, ...candidates] = texts;
    // A fixture of three lines may have nothing to prune; a whole session has.
    const isWhole = !join(root, path).startsWith(fixtures);
    const accepted = async (command: object) => {
      const answer = await window.executeJson(command);
      if (isWhole) expect({ command, answer }).toMatchObject({ answer: { outcome: "accepted" } });
    };
    await accepted({ command: "render" });
    await accepted({ command: "evict", editId: "zz-1", consumes: [first] });
    await accepted({ command: "rewrite", editId: "zz-2", consumes: [second], content: "…" });
    await accepted({ command: "proposePruning", proposalId: "zz", by: "model/m", candidates });
    await accepted({ command: "settlePruning", proposalId: "zz" });
    const pruned = (await window.status()).at(-1)?.editId ?? "";
    if (isWhole) expect(pruned).not.toMatch("zz-");
    await accepted({ command: "render" });
    for (const editId of [pruned, "zz-2", "zz-1"]) await accepted({ command: "undo", editId });
    await accepted({ command: "rewind", to: 0, as: "zz-3", abandonOpenCalls: true });
    await accepted({ command: "undo", editId: "zz-3" });
    await accepted({ command: "render" });
    const { status, findings, shown, edits } = await verifyWindow(log, "w");
    expect({ status, findings, shown }).toEqual({
      status: "holds",
      findings: [],
      shown: "checked",
    });
    expect(edits).toBeGreaterThan(1);
  });
});
