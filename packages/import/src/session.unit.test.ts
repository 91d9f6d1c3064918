import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { open, truncate } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync, zstdCompressSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { fixture, readAll, refusalsOf, schemaProblems } from "../test/recordings.ts";
import { openSession } from "./session.ts";

let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "palimpsest-import-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

function written(name: string, content: string | Buffer): string {
  const file = join(folder, name);
  writeFileSync(file, content);
  return file;
}

describe("every fixture", () => {
  const names = readdirSync(fixture("")).sort();

  it.each(names)("%s gives commands that the schemas and a window accept", async (name) => {
    const recording = await readAll(fixture(name));
    expect(schemaProblems(recording)).toEqual([]);
    expect(await refusalsOf(recording)).toEqual([]);
    expect(recording.steps.at(-1)?.bytesRead).toBeLessThanOrEqual(recording.bytes);
  });
});

describe("the format", () => {
  it.each([
    ["claude-basic.jsonl", "claude-code"],
    ["claude-odd.jsonl", "claude-code"],
    ["codex-basic.jsonl", "codex"],
    ["chat.json", "openai-chat"],
    ["chat.jsonl", "openai-chat"],
    ["chat-runs.json", "openai-chat"],
  ])("of %s is found to be %s", async (name, format) => {
    expect((await openSession(fixture(name))).format).toBe(format);
  });

  it("is found behind a first line that is broken", async () => {
    const file = written("late.jsonl", `{"half\n${readFileSync(fixture("codex-basic.jsonl"))}`);
    expect((await openSession(file)).format).toBe("codex");
  });

  it("may be asked for, and must then be there", async () => {
    const file = fixture("codex-basic.jsonl");
    expect((await openSession(file, { format: "codex" })).format).toBe("codex");
    await expect(openSession(file, { format: "claude-code" })).rejects.toMatchObject({
      code: "unknown-format",
      message: expect.stringContaining("a session of format codex"),
    });
  });
});

describe("a file that is not a session", () => {
  it.each([
    ["nothing", "", "empty"],
    ["blank lines", "\n \r\n\n", "empty"],
    ["prose", "Dear diary,\ntoday nothing happened.\n", "unknown-format"],
    ["other JSON", '{\n  "name": "x"\n}\n', "unknown-format"],
    ["other JSON lines", '{"name":"x"}\n{"name":"y"}\n', "unknown-format"],
    ["half a document", '{"messages": [\n{"rol', "unknown-format"],
  ])("is refused: %s", async (name, content, code) => {
    const file = written(`${name}.txt`, content);
    await expect(openSession(file)).rejects.toMatchObject({ name: "ImportError", code });
  });

  it.each([
    ["text of another kind", "Dear diary,\ntoday nothing happened.\n"],
    ["JSON of another kind", '{\n  "name": "a \\" ] quote"\n}\n'],
    ["JSON that is cut off", '[{"role": "user", "content": "Hello."}, {"role": "user", "con'],
    ["JSON that is cut off", '{"messages": [\n{"role": "user", "content": "Hello."},'],
    ["gzip data: unpack it with gunzip first", gzipSync('[{"role":"user","content":"Hi."}]')],
    ["Zstandard data: unpack it with unzstd first", zstdCompressSync("{}")],
  ])("is told what it holds: %s", async (holds, content) => {
    const file = written("foreign.json", content);
    await expect(openSession(file)).rejects.toThrow(`imported: it holds ${holds}. Formats`);
  });

  it("is told the limit when it is a document that is too large to be read as one", async () => {
    const half = 65 * 1024 * 1024;
    const file = written("large.json", "[\n");
    const handle = await open(file, "r+");
    for (const line of [1, 2]) await handle.write("\n", line * half);
    await handle.close();
    await expect(openSession(file)).rejects.toThrow(
      "131 MiB of JSON that is not JSONL, and one document is read up to 128 MiB",
    );
    await truncate(file, 5 * half);
    await expect(openSession(file)).rejects.toMatchObject({
      code: "too-large",
      message: expect.stringContaining("line 4 is longer than 128 MiB"),
      file,
      line: 4,
    });
  });

  it("is refused by name when it is a session of another program", async () => {
    const pi = '{"type":"session","id":"s","cwd":"/home/dev"}\n';
    const gemini = '{"sessionId":"s","messages":[{"type":"user","content":"hi"}]}\n';
    await expect(openSession(written("pi.jsonl", pi))).rejects.toThrow(
      /it holds a pi session.*claude-code, codex, openai-chat/,
    );
    await expect(openSession(written("gemini.json", gemini))).rejects.toThrow("Gemini");
  });

  it("is refused when it does not exist or is a folder", async () => {
    const missing = join(folder, "missing.jsonl");
    await expect(openSession(missing)).rejects.toMatchObject({ code: "unreadable" });
    await expect(openSession(folder)).rejects.toMatchObject({ code: "unreadable" });
  });
});

describe("the bytes of a file", () => {
  it("may begin with a byte order mark and end lines with a carriage return", async () => {
    const plain = readFileSync(fixture("claude-calls.jsonl"), "utf8");
    const file = written("windows.jsonl", `\uFEFF${plain.replaceAll("\n", "\r\n")}`);
    expect((await readAll(file)).commands).toEqual(
      (await readAll(fixture("claude-calls.jsonl"))).commands,
    );
  });

  it("may hold one line of several megabytes", async () => {
    const content = "pear ".repeat(1_000_000);
    const line = { type: "user", uuid: "u1", message: { role: "user", content } };
    const recording = await readAll(written("long.jsonl", `${JSON.stringify(line)}\n`));
    expect(recording.spans).toMatchObject([{ content }]);
  });

  it("are reported where they are not UTF-8", async () => {
    const line = '{"type":"user","uuid":"u1","message":{"role":"user","content":"a?b"}}\n';
    const bytes = Buffer.from(line);
    bytes[line.indexOf("?")] = 0xff;
    const { report, spans } = await readAll(written("latin.jsonl", bytes));
    expect(spans).toMatchObject([{ content: "a\uFFFDb" }]);
    expect(report.unplaced).toEqual([{ what: "bytes that are not UTF-8", count: 1, firstAt: 1 }]);
  });

  it("may nest deeper than a window takes, and even deeper than can be printed", async () => {
    const nested = (depth: number) => "[".repeat(depth) + "]".repeat(depth);
    const call = (n: number) =>
      `{"type":"assistant","uuid":"u${n}","message":{"id":"m${n}","role":"assistant","content":` +
      `[{"type":"tool_use","id":"t${n}","name":"Nest","input":${nested(n)}}]}}\n`;
    const recording = await readAll(written("deep.jsonl", call(50) + call(100) + call(50_000)));
    const calls = recording.spans.filter(({ kind }) => kind === "tool-call");
    expect(calls[0]?.content).toMatchObject({ name: "Nest" });
    expect(calls[1]?.content).toBe(`{"name":"Nest","arguments":${nested(100)}}`);
    expect(calls[2]?.content).toContain(nested(50_000));
    expect(recording.report.altered).toBe(2);
    expect(await refusalsOf(recording)).toEqual([]);
  });
});
