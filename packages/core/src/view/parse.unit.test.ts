import { describe, expect, it } from "vitest";
import { parseRendering } from "./parse.ts";

const LEDGER = "::ledger edits 0, records 0, 0 spans out of view\n";
const noEdits = { edits: 0, records: 0, outOfView: 0, alarm: false };

describe("parseRendering", () => {
  it("reads a window without spans", () => {
    expect(parseRendering(LEDGER)).toMatchObject({ spans: [], gaps: [], ledger: noEdits });
  });

  it("reads spans, gaps and ledger, each where it stands", () => {
    const rendered = [
      "::gap spans 2 edits 1: e1 (out of view; undo an edit to see its spans)",
      "::span s3 user text",
      "two",
      "lines",
      '::span s4 tool tool-result json call c tool "json" status ok covers 1 edit e2 recall s1',
      '{"a":1}',
      "::gap spans 1 edits 2: e3 e4 (out of view; undo an edit to see its spans)",
      "::ledger edits 4, records 4, 5 spans out of view",
      "",
    ].join("\n");
    expect(parseRendering(rendered)).toMatchObject({
      spans: [
        { spanId: "s3", origin: "user", kind: "text", text: "two\nlines", json: false },
        { spanId: "s4", origin: "tool", kind: "tool-result", text: '{"a":1}', json: true },
      ],
      gaps: [
        { after: null, spans: 2, edits: 1, named: ["e1"] },
        { after: "s4", spans: 1, edits: 2, named: ["e3", "e4"] },
      ],
      ledger: { edits: 4, records: 4, outOfView: 5, alarm: false },
    });
  });

  it("tells JSON content from a tool that is named json", () => {
    const rendered = `::span s1 tool tool-call tool "x json"\n1\n${LEDGER}`;
    expect(parseRendering(rendered).spans).toMatchObject([{ json: false, text: "1" }]);
  });

  it.each([
    ["", ""],
    ["\n", "\n"],
    ["a\n\n", "a\n\n"],
    ["\\::gap", "::gap"],
    ["\\\\::\r\\::", "\\::\r::"],
    [" ::span", " ::span"],
  ])("gives the content of %j back as %j", (body, text) => {
    const rendered = `::span s1 user text\n${body}\n${LEDGER}`;
    expect(parseRendering(rendered).spans).toMatchObject([{ spanId: "s1", text }]);
  });

  it("reads the alarm", () => {
    const alarmed =
      "::ledger edits 2, records 1, 0 spans out of view; ALARM: edits and records differ\n";
    expect(parseRendering(alarmed).ledger).toEqual({
      edits: 2,
      records: 1,
      outOfView: 0,
      alarm: true,
    });
  });

  it.each([
    ["nothing", "", 0],
    ["no line break at the end", LEDGER.trimEnd(), 0],
    ["no ledger", "::span s1 user text\nx\n", 0],
    ["text before everything", `x\n${LEDGER}`, 1],
    ["a span line without content", `::span s1 user text\n${LEDGER}`, 1],
    ["a span line that is cut off", `::span s1\nx\n${LEDGER}`, 1],
    ["a gap line that is cut off", `::gap spans 1\n${LEDGER}`, 1],
    ["a gap line of another form", `::gap spans x edits 1: e1 (out of view)\n${LEDGER}`, 1],
    ["a line of an unknown kind", `::spam s1 user text\nx\n${LEDGER}`, 1],
    ["a second ledger", LEDGER + LEDGER, 2],
    ["a span after the ledger", `${LEDGER}::span s1 user text\nx\n`, 2],
  ])("throws a SyntaxError for %s, with the line", (_, rendered, line) => {
    expect(() => parseRendering(rendered)).toThrow(SyntaxError);
    expect(() => parseRendering(rendered)).toThrow(line === 0 ? "rendering" : `line ${line} of`);
  });
});
