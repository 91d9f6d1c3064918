import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CommandRefusedError, createMemoryLog, Window } from "@palimpsest/core";
import { afterAll, describe, expect, it } from "vitest";
import type { ImportError, ImportProgress } from "./index.ts";
import { detectFormat, importInto, isImportError, openSession } from "./index.ts";

const folder = mkdtempSync(join(tmpdir(), "palimpsest-import-"));
afterAll(() => rmSync(folder, { recursive: true }));

function written(name: string, ...values: readonly unknown[]): string {
  const file = join(folder, name);
  writeFileSync(file, values.map((value) => `${JSON.stringify(value)}\n`).join(""));
  return file;
}

const hello = { role: "user", content: "Hello." };
const answer = { role: "assistant", content: "Yes?" };
const chat = written("chat.jsonl", hello, answer);

const windowOn = (log = createMemoryLog()) => new Window(log, "w", { principals: ["host/h"] });

async function imported(window: Window, file: string, budgetTokens?: number) {
  return importInto(window, await openSession(file), { budgetTokens });
}

/** What an import was refused with. */
async function refusalOf(task: Promise<unknown>): Promise<unknown> {
  const error = await task.catch((thrown: unknown) => thrown);
  if (!(error instanceof CommandRefusedError)) throw error;
  return error.refusals[0];
}

describe("importing into a window", () => {
  it("reports the recording and what the window holds then", async () => {
    const window = windowOn();
    const result = await imported(window, chat, 500);
    expect(result).toMatchObject({
      format: "openai-chat",
      messages: 2,
      spans: 2,
      window: "w",
      revision: 2,
      added: 3,
      edits: 0,
      unplaced: [],
      notes: [],
    });
    const { spans, tokens, budget } = await window.show();
    expect(spans.map(({ origin }) => origin)).toEqual(["user", "assistant"]);
    expect({ tokens, budget }).toEqual({ tokens: result.tokens, budget: 500 });
  });

  it("tells its progress after each append, in bytes up to the whole file", async () => {
    const told: ImportProgress[] = [];
    const session = await openSession(chat);
    await importInto(windowOn(), session, { onProgress: (progress) => told.push(progress) });
    const bytes = statSync(chat).size;
    const first = JSON.stringify(hello).length + 1;
    expect(told).toEqual([
      { bytesRead: first, bytes },
      { bytesRead: bytes, bytes },
    ]);
  });

  it("goes on where an import of the same file was cut short, and then adds nothing", async () => {
    const log = createMemoryLog();
    const cut = importInto(windowOn(log), await openSession(chat), {
      onProgress: () => {
        throw new Error("cut short");
      },
    });
    await expect(cut).rejects.toThrow("cut short");
    expect(await imported(windowOn(log), chat)).toMatchObject({ revision: 2, added: 1 });
    expect(await imported(windowOn(log), chat)).toMatchObject({ revision: 2, added: 0 });
  });
});

describe("a window that the import cannot open", () => {
  it("was imported with another budget, which the refusal holds", async () => {
    const log = createMemoryLog();
    await imported(windowOn(log), chat, 500);
    expect(await refusalOf(imported(windowOn(log), chat))).toMatchObject({
      code: "command-id-reused",
      message: "this file was imported into window w with a budget of 500 tokens",
      budget: 500,
    });
  });

  it("is open already, and not by this file", async () => {
    const log = createMemoryLog();
    await imported(windowOn(log), chat);
    const grown = written("grown.jsonl", hello, answer, hello);
    expect(await refusalOf(imported(windowOn(log), grown))).toEqual({
      code: "window-exists",
      message: "window w is open already, and not by an import of these bytes",
    });
  });
});

describe("a file that cannot be imported", () => {
  async function errorOf(file: string): Promise<ImportError> {
    const error = await detectFormat(file).catch((thrown: unknown) => thrown);
    if (!isImportError(error)) throw error;
    return error;
  }

  it("is told by code, with what is wrong and what to do", async () => {
    const file = written("other.json", { name: "x" });
    const error = await errorOf(file);
    expect(error).toMatchObject({
      code: "unknown-format",
      file,
      line: undefined,
      problem: `${file} is not a session that can be imported: it holds JSON of another kind`,
      advice: "Formats that can be imported: claude-code, codex, openai-chat",
    });
    expect(error.message).toBe(`${error.problem}. ${error.advice}.`);
  });

  it("is told with the reason of the system", async () => {
    const file = join(folder, "missing");
    expect(await errorOf(file)).toMatchObject({
      code: "unreadable",
      file,
      problem: `${file} cannot be read: no such file or directory`,
      advice: "Check the path, and that this process may read the file",
    });
  });

  it("is not mistaken for an error of another code", async () => {
    const error = await errorOf(written("empty"));
    expect(isImportError(error, "empty")).toBe(true);
    expect(isImportError(error, "unreadable")).toBe(false);
    expect(isImportError(new Error("empty"))).toBe(false);
  });
});
