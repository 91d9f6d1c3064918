import { describe, expect, it } from "vitest";
import { checkFolderCircles, checkLayers } from "../../scripts/layers.ts";

const core = (path: string, text: string) => ({ path: `packages/core/src/${path}`, text });
const uses = (specifier: string) => `import type { X } from "${specifier}";\n`;
const messages = (path: string, text: string) =>
  checkLayers([core(path, text)]).map(({ message }) => message);

describe("the layers of core", () => {
  it.each([
    ["host/a.ts", "../decide/b.ts"],
    ["host/a.ts", "../log/port.ts"],
    ["decide/a.ts", "../view/b.ts"],
    ["decide/a.ts", "../commands/refusals.ts"],
    ["view/a.ts", "../state/b.ts"],
    ["state/a.ts", "../events/schema.ts"],
    ["state/a.ts", "./b.ts"],
  ])("let %s use %s", (path, specifier) => {
    expect(messages(path, uses(specifier))).toEqual([]);
  });

  it.each([
    ["decide/a.ts", "../host/b.ts", "../host/b.ts: decide must not point up to host"],
    ["view/a.ts", "../decide/b.ts", "../decide/b.ts: view must not point up to decide"],
    ["state/a.ts", "../view/b.ts", "../view/b.ts: state must not point up to view"],
    ["commands/a.ts", "../state/b.ts", "../state/b.ts: commands must not point up to state"],
    ["decide/a.ts", "../log/port.ts", "../log/port.ts: the log: only host may"],
    ["view/a.ts", "../log/port.ts", "../log/port.ts: the log: only host may"],
    ["state/a.ts", "../log/port.ts", "../log/port.ts: the log: only host may"],
    [
      "state/a.ts",
      "../commands/refusals.ts",
      "../commands/refusals.ts: refusals: only decide says what may happen",
    ],
  ])("keep %s from %s", (path, specifier, message) => {
    expect(messages(path, uses(specifier))).toEqual([message]);
  });

  it.each([
    ["decide/a.ts", "export async function decide() {}", "decide waits: only host may"],
    ["view/a.ts", "const later: Promise<string> = look();", "view waits: only host may"],
    ["state/a.ts", "const now = Date.now();", "state takes a clock or chance"],
    ["decide/a.ts", "const id = crypto.randomUUID();", "decide takes a clock or chance"],
  ])("find in %s: %s", (path, code, message) => {
    expect(messages(path, code)).toEqual([message]);
  });

  it("read no comments and no words in quotes", () => {
    const text = '// No Promise is made.\n/* Date */\nconst word = "async";\n';
    expect(messages("decide/a.ts", text)).toEqual([]);
  });

  it("leave tests alone", () => {
    expect(messages("decide/a.unit.test.ts", uses("../host/b.ts"))).toEqual([]);
  });
});

describe("the folders of a package", () => {
  const file = (path: string, specifier: string) => ({
    path: `packages/x/src/${path}`,
    text: uses(specifier),
  });

  it("may use each other in one direction", () => {
    const files = [file("a/one.ts", "../b/two.ts"), file("b/two.ts", "../c/three.ts")];
    expect(checkFolderCircles(files)).toEqual([]);
  });

  it("form no circle, however long", () => {
    const files = [
      file("a/one.ts", "../b/two.ts"),
      file("b/two.ts", "../c/three.ts"),
      file("c/three.ts", "../a/four.ts"),
      file("d/five.ts", "../a/one.ts"),
    ];
    const found = checkFolderCircles(files).map(({ path, rule }) => `${rule} ${path}`);
    expect(found).toEqual([
      "folder-circle packages/x/src/a/one.ts",
      "folder-circle packages/x/src/b/two.ts",
      "folder-circle packages/x/src/c/three.ts",
    ]);
  });
});
