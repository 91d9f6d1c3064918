import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Json } from "@palimpsest/core";
import { describe, expect, it } from "vitest";
import { bondProblems } from "../test/bonds.ts";
import type { Recording } from "../test/recordings.ts";
import { readAll, refusalsOf, schemaProblems } from "../test/recordings.ts";
import { recordedTexts } from "../test/texts.ts";

const root = fileURLToPath(new URL("../../../", import.meta.url));
const folder = `${process.env.PALIMPSEST_SHARED ?? `${root}../shared`}/transcripts`;

interface Entry {
  readonly file: string;
  readonly format: string;
  readonly lines: number;
  readonly messages: number;
  readonly tool_calls: number;
  readonly compactions: number;
}

const formats: Readonly<Record<string, string>> = {
  "claude-code-jsonl": "claude-code",
  "codex-rollout-jsonl": "codex",
  "tau-bench-json": "openai-chat",
};

const isThere = existsSync(`${folder}/MANIFEST.json`);
const manifest = isThere
  ? (JSON.parse(readFileSync(`${folder}/MANIFEST.json`, "utf8")) as Entry[])
  : [];
const readable = manifest.filter(({ format }) => format in formats);

it.skipIf(!isThere)(`shared transcripts are there, else they are absent: ${folder}`, () => {
  expect(readable.map(({ format }) => format)).toContain("claude-code-jsonl");
});

describe.each(readable)("the transcript $file", (entry) => {
  const read = once(() => readAll(`${folder}/${entry.file}`));

  it("is recognised and has the counts of the manifest", async () => {
    const { report } = await read();
    expect(report).toMatchObject({
      format: formats[entry.format],
      calls: entry.tool_calls,
      compactions: entry.compactions,
      unplaced: [],
    });
    expect(report.results + report.interruptedCalls).toBe(entry.tool_calls);
  });

  it("gives commands that the schemas accept", async () => {
    expect(schemaProblems(await read())).toEqual([]);
  });

  it("keeps calls, results and groups together", async () => {
    expect(bondProblems((await read()).steps)).toEqual([]);
  });

  it("is accepted by a window, step by step", async () => {
    expect(await refusalsOf(await read())).toEqual([]);
  });

  it("loses no text", async () => {
    const text = readFileSync(`${folder}/${entry.file}`, "utf8");
    const recorded = recordedTexts(entry.format, text);
    expect(recorded.length).toBeGreaterThan(100);
    expect(lostTexts(recorded, await read())).toEqual([]);
  });
});

const unreadable = manifest.filter(({ format }) => !(format in formats));

describe.each(unreadable)("the transcript $file, in a format that is not read", ({ file }) => {
  it("is refused with the name of what it is", async () => {
    await expect(readAll(`${folder}/${file}`)).rejects.toThrow(
      /it holds an? .*(session|trajectory|event log)/,
    );
  });
});

/** Texts of which no command's content has a trace, shortened for reading. */
function lostTexts(recorded: readonly string[], { commands }: Recording): string[] {
  const contents = commands.flatMap((command) => ("content" in command ? [command.content] : []));
  const whole = new Set(contents.flatMap((content) => stringsIn(content as Json)));
  // Text blocks of one result are joined, so a text may be a part of a content.
  const joined = [...whole].join("\u0000");
  return recorded
    .filter((text) => !whole.has(text) && !joined.includes(text))
    .map((text) => text.slice(0, 120));
}

function stringsIn(value: Json): string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap(stringsIn);
}

/** Reads a transcript for the first test that wants it and hands it to the others. */
function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
