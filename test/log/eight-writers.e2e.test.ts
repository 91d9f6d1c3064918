import { join } from "node:path";
import { Window } from "@palimpsest/core";
import { replay } from "@palimpsest/core/host";
import { openSqliteLog } from "@palimpsest/core/sqlite";
import { checkWholeStream } from "@palimpsest/core/testing";
import { expect, it } from "vitest";
import { startChild } from "../support/log/children.ts";
import { temporaryFolder } from "../support/log/folder.ts";

const folder = temporaryFolder();
const WRITERS = 8;
const ROUNDS = 12;

it("eight processes edit one window: all is there once, ordinals have no gap", async () => {
  const file = join(folder, "eight.db");
  const log = openSqliteLog(file);
  const opened = await new Window(log, "w").execute({ command: "openWindow" });
  expect(opened.outcome).toBe("accepted");
  const children = Array.from({ length: WRITERS }, (_, i) =>
    startChild("editor", [file, `p${i}`, String(ROUNDS)]),
  );
  await Promise.all(children.map((child) => child.gone));
  expect(children.map((child) => child.process.exitCode)).toEqual(Array(WRITERS).fill(0));

  const events = await checkWholeStream(log, "window-w");
  const edits = events
    .filter(({ type }) => type === "WindowEdited")
    .map(({ data }) => Object(data));
  const expected = Array.from({ length: WRITERS * ROUNDS * 2 }, (_, i) => i + 1);
  expect(edits.map(({ ordinal }) => ordinal)).toEqual(expected);
  expect(new Set(edits.map(({ editId }) => editId)).size).toBe(edits.length);
  const admitted = events.filter(({ type }) => type === "SpanAdmitted");
  expect(new Set(admitted.map(({ data }) => Object(data).spanId)).size).toBe(WRITERS * ROUNDS);

  // Every loser decided again on what the winner left: each undo put its own span back.
  const state = await replay(log, "w");
  expect([state.liveCount, state.outOfView]).toEqual([WRITERS * ROUNDS, 0]);
  expect(state.recordCount).toBe(edits.length);
  // Writers took turns, or the test shows nothing.
  const writers = edits.map(({ editId }) => String(editId).split("-")[1]);
  const turns = writers.filter((writer, i) => writer !== writers[i - 1]).length;
  expect(turns).toBeGreaterThan(WRITERS);
  await log.close();
});
