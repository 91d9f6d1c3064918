import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Finding } from "../../scripts/public-types.ts";
import { checkEntry } from "../../scripts/public-types.ts";

const core = join(import.meta.dirname, "..", "..", "packages", "core", "src");
const others = ["state", "view", "decide", "host", "events"].map((room) =>
  join(core, room, "index.ts"),
);

it("a user of core can name every type that its main entry names, and finds words on each", () => {
  expect(checkEntry(join(core, "index.ts"), others)).toEqual([]);
});

describe("an entry", () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "palimpsest-entry-"));
    await writeFile(
      join(folder, "tsconfig.json"),
      '{"compilerOptions":{"strict":true,"noLib":true}}',
    );
    await writeFile(join(folder, "shared.ts"), "export interface Shared { readonly a: string }\n");
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  const findingsOf = async (...lines: string[]): Promise<Finding[]> => {
    const entry = join(folder, "index.ts");
    await writeFile(entry, ['import type { Shared } from "./shared";', ...lines, ""].join("\n"));
    return checkEntry(entry, []);
  };

  it.each([
    ["a field", "export interface Box {\n/** It. */\nreadonly it: Shared }", "Box.it"],
    ["a list of them", "export interface Box {\n/** It. */\nit: readonly Shared[] }", "Box.it"],
    ["a parameter", "/** It. */ export function box(it: Shared): void {}", "box"],
    ["a return", "/** It. */ export function box(): Promise<Shared> { throw 0 }", "box"],
    ["a return that nobody wrote", "/** It. */ export function box() { return made() }", "box"],
    ["a parameter that has a default", "/** It. */ export function box(it = made()) {}", "box"],
    ["a method", "export class Box {\n/** It. */\nget(it: Shared): void {} }", "Box.get"],
    ["a constructor", "export class Box { constructor(it: Shared) {} }", "new Box"],
    ["a constant", "/** It. */ export const box: Shared[] = []", "box"],
    ["an alias", "export type Box = Shared | undefined", "Box"],
    ["what it extends", "export interface Box extends Shared {}", "Box"],
  ])("may not name what it does not export, as %s", async (_, line, at) => {
    const made = "function made(): Shared { throw 0 }";
    expect(await findingsOf(made, line)).toContainEqual({ at, unnamed: "Shared" });
  });

  it("may, once it exports that", async () => {
    const shown = 'export type { Shared } from "./shared";';
    const line = "export interface Box {\n/** It. */\nreadonly it: Shared }";
    expect(await findingsOf(shown, line)).toEqual([{ at: "Shared.a" }]);
  });

  it.each([
    ["a field", "export interface Box { readonly it: string }", "Box.it"],
    ["a field of an alias", "export type Box = { readonly it: string };", "Box.it"],
    ["a method", "export class Box { get(): void {} }", "Box.get"],
    ["a function", "export function box(): void {}", "box"],
    ["a constant", "export const box = 1;", "box"],
  ])("says something of %s", async (_, line, at) => {
    expect(await findingsOf(line)).toEqual([{ at }]);
  });

  it("may keep to itself what is private, and how a type is computed", async () => {
    const found = await findingsOf(
      "interface Table { a: 1 }",
      "export type Box = Table[keyof Table];",
      "export class Chest { #it: Shared | undefined; private get(): Shared { throw 0 } }",
    );
    expect(found).toEqual([]);
  });
});
