import { existsSync, globSync, readdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";

/**
 * Removes what an earlier build left in a package's `dist` of source files that were moved or
 * removed since; the compiler leaves it there, and it would be packed. Returns what it removed.
 */
export function removeStaleOutput(packageFolder: string): string[] {
  const stale = globSync("dist/**/*.{js,d.ts,js.map,d.ts.map}", { cwd: packageFolder }).filter(
    (path) => !existsSync(join(packageFolder, sourceOf(path))),
  );
  for (const path of stale) rmSync(join(packageFolder, path));
  return stale;
}

/** The same for every package of the repository. */
export function removeAllStaleOutput(): void {
  const packages = join(dirname(import.meta.dirname), "packages");
  for (const name of readdirSync(packages)) removeStaleOutput(join(packages, name));
}

function sourceOf(path: string): string {
  return path.replace(/^dist/, "src").replace(/(\.d\.ts|\.js)(\.map)?$/, ".ts");
}
