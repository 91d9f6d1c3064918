import { execFile } from "node:child_process";
import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

/*
 * Compiles a copy of the verifier against a storage format with one more type of event. Every place
 * that tells the types apart must fail to compile, and without that type nothing may.
 */

const root = dirname(dirname(import.meta.dirname));
const verifier = join(root, "packages", "verifier");
const tsc = join(root, "node_modules", "typescript", "bin", "tsc");

const oneMoreWindowEvent = `
import type * as stored from "../../../core/src/events/index.ts";
export * from "../../../core/src/events/index.ts";
type Forgotten = { readonly type: "SpanForgotten"; readonly data: { readonly spanId: string } };
type Place = Pick<stored.RecordedWindowEvent, "revision" | "id" | "metadata">;
export type WindowEventType = stored.WindowEventType | "SpanForgotten";
export type WindowEvent = stored.WindowEvent | Forgotten;
export type WindowEventOf<T extends WindowEventType> = Extract<WindowEvent, { type: T }>;
export type RecordedWindowEvent = stored.RecordedWindowEvent | (Forgotten & Place);
`;

let folder = "";
beforeAll(async () => {
  // Inside the package, so that its dependencies are found.
  folder = await mkdtemp(join(verifier, "node_modules", ".forgotten-event-type-"));
  await cp(join(verifier, "package.json"), join(folder, "package.json"));
  await cp(join(verifier, "src"), join(folder, "src"), {
    recursive: true,
    filter: (path) => !path.endsWith(".test.ts"),
  });
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** The files that do not compile; `paths` puts other modules in the place of some. */
async function filesBroken(paths: Readonly<Record<string, string[]>> = {}): Promise<string[]> {
  const config = {
    extends: "../../../../tsconfig.base.json",
    compilerOptions: {
      composite: false,
      declaration: false,
      declarationMap: false,
      noEmit: true,
      types: ["node"],
      paths,
    },
    include: ["src"],
  };
  await writeFile(join(folder, "tsconfig.json"), JSON.stringify(config));
  const output = await new Promise<string>((resolve) => {
    execFile(process.execPath, [tsc, "-p", "."], { cwd: folder }, (_, stdout) => resolve(stdout));
  });
  const errors = output.split("\n").filter((line) => line.includes("error TS"));
  return [...new Set(errors.map((line) => line.replace(/\(.*$/s, "")))].sort();
}

describe("the verifier, when the storage format gets one more type of event", () => {
  it("compiles as long as there is none", async () => {
    expect(await filesBroken()).toEqual([]);
  });

  it("does not compile with one in the window stream", async () => {
    await writeFile(join(folder, "events.ts"), oneMoreWindowEvent);
    expect(await filesBroken({ "@palimpsest/core/events": ["./events.ts"] })).toEqual([
      "src/check/wanted-contents.ts",
      "src/fold/fold.ts",
      "src/rules/rule-book.ts",
      "src/rules/spans.ts",
    ]);
  });

  it("does not compile with one in the verdict stream", async () => {
    const path = join(folder, "src", "verdict", "schema.ts");
    const schema = await readFile(path, "utf8");
    const one = "EditProbed: editProbed,";
    expect(schema).toContain(one);
    await writeFile(path, schema.replace(one, `${one} EditForgotten: editProbed,`));
    expect(await filesBroken()).toEqual([
      "src/verdict/read-verdict-event.ts",
      "src/verdict/verdict-chain.ts",
    ]);
  });
});
