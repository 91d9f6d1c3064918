import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { removeStaleOutput } from "../../scripts/stale-output.ts";

it("removes the output of sources that are gone, and nothing else", () => {
  const folder = mkdtempSync(join(tmpdir(), "stale-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const output = (name: string) => [".js", ".js.map", ".d.ts", ".d.ts.map"].map((e) => name + e);
  const files = ["src/a.ts", "src/b/c.ts", "dist/.tsbuildinfo", ...output("dist/a")];
  for (const path of [...files, ...output("dist/b/c"), ...output("dist/b/moved")]) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), "");
  }
  expect(removeStaleOutput(folder).sort()).toEqual(output("dist/b/moved").sort());
  expect(readdirSync(join(folder, "dist/b")).sort()).toEqual(output("c").sort());
  expect(removeStaleOutput(folder)).toEqual([]);
});
