import type { Json } from "@palimpsest/core";
import { describe, expect, it } from "vitest";
import { chatTemplates, claudeTemplates, codexTemplates } from "../test/templates.ts";
import { saidIn, variantsOf } from "../test/variants.ts";
import { ClaudeCodeReader } from "./claude-code/reader.ts";
import { CodexReader } from "./codex/reader.ts";
import { Draft } from "./draft/draft.ts";
import { OpenAiChatReader } from "./openai-chat/reader.ts";
import type { SessionFormat } from "./report.ts";
import { emptyReport } from "./report.ts";
import { scanRecording } from "./scan.ts";

const readers = {
  "claude-code": { Reader: ClaudeCodeReader, templates: claudeTemplates },
  codex: { Reader: CodexReader, templates: codexTemplates },
  "openai-chat": { Reader: OpenAiChatReader, templates: chatTemplates },
} as const;

/** The commands and the report that come of some values, a line each. */
async function read(format: SessionFormat, values: readonly unknown[]) {
  const texts = values.map((value) => JSON.stringify(value));
  const draft = new Draft(emptyReport(format));
  const reader = new readers[format].Reader(draft, await scanRecording(texts, format));
  const steps = texts.flatMap((text, index) => [
    ...reader.accept(JSON.parse(text) as Json, { at: index + 1, text }),
  ]);
  steps.push(...reader.end());
  return { commands: draft.take(0)?.commands ?? [], report: draft.report };
}

describe.each(Object.entries(readers))("a recording of format %s", (name, { templates }) => {
  const format = name as SessionFormat;

  it.each(templates)(
    "places every text of $name, or says that it is not placed",
    async (template) => {
      const { before, part, line, named } = template;
      const { commands, report } = await read(format, [...before, line(part)]);
      const said = [...new Set(saidIn(part))].sort();
      expect(said).not.toEqual([]);
      expect([...new Set(saidIn(commands))].sort()).toEqual(named === undefined ? said : []);
      expect(report.unplaced.map(({ what }) => what)).toEqual(named === undefined ? [] : [named]);
    },
  );

  it.each(templates)("places or names every text of $name in other forms", async (template) => {
    const { before, part, line } = template;
    const variants = [...variantsOf(part)];
    expect(variants.length).toBeGreaterThan(4);
    const silent: unknown[] = [];
    for (const variant of variants) {
      const { commands, report } = await read(format, [...before, line(variant)]);
      const placed = new Set(saidIn(commands));
      const isPlaced = saidIn(variant).every((text) => placed.has(text));
      if (!isPlaced && report.unplaced.length === 0) silent.push(variant);
    }
    expect(silent).toEqual([]);
  });
});
