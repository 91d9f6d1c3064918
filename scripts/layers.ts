import { posix } from "node:path";
import { importsOf } from "./imports.ts";
import type { SourceFile, Violation } from "./violations.ts";

/** The layers of core, the highest first: each may use those behind it, none those before it. */
const LAYERS: readonly string[] = ["host", "decide", "view", "state"];

/** What a layer must not do beside pointing up; each pattern finds it in the code of a line. */
const FORBIDDEN: Readonly<Record<string, readonly (readonly [RegExp, string])[]>> = {
  decide: [
    [/\basync\b|\bawait\b|\bPromise\b/, "waits: only host may"],
    [/\bDate\b|\bperformance\b|\bMath\.random\b|\brandomUUID\b/, "takes a clock or chance"],
  ],
  view: [[/\basync\b|\bawait\b|\bPromise\b/, "waits: only host may"]],
  state: [
    [/\basync\b|\bawait\b|\bPromise\b/, "waits: only host may"],
    [/\bDate\b|\bperformance\b|\bMath\.random\b|\brandomUUID\b/, "takes a clock or chance"],
  ],
};

/** Files that a layer must not import, by their path below core's src. */
const CLOSED: Readonly<Record<string, readonly (readonly [RegExp, string])[]>> = {
  decide: [[/^log\//, "the log: only host may"]],
  view: [[/^log\//, "the log: only host may"]],
  state: [
    [/^log\//, "the log: only host may"],
    [/^commands\/refusals\.ts$/, "refusals: only decide says what may happen"],
  ],
};

/** Checks that nothing in core points to a higher layer, or does what its layer must not. */
export function checkLayers(files: readonly SourceFile[]): Violation[] {
  return files.flatMap((file) => {
    const layer = layerOf(file.path);
    return layer === undefined ? [] : [...upwards(file, layer), ...forbidden(file, layer)];
  });
}

/** The folder below core's src, of a file that is shipped. */
function layerOf(path: string): string | undefined {
  if (path.endsWith(".test.ts")) return undefined;
  return /^packages\/core\/src\/([^/]+)\//.exec(path)?.[1];
}

function upwards({ path, text }: SourceFile, layer: string): Violation[] {
  const rank = LAYERS.indexOf(layer);
  return importsOf(text).flatMap(({ specifier, line }) => {
    if (!specifier.startsWith(".")) return [];
    const target = posix.join(posix.dirname(path), specifier);
    const above = LAYERS.indexOf(layerOf(target) ?? "");
    // A folder that is not a layer lies below all of them, but for the adapters and the tests'
    // entry.
    const isUp = above !== -1 && (rank === -1 ? !/^(testing|index)/.test(layer) : above < rank);
    const name = target.replace("packages/core/src/", "");
    const closed = CLOSED[layer]?.find(([pattern]) => pattern.test(name))?.[1];
    const why = isUp ? `${layer} must not point up to ${LAYERS[above]}` : closed;
    return why === undefined
      ? []
      : [{ path, line, rule: "layer", message: `${specifier}: ${why}` }];
  });
}

function forbidden({ path, text }: SourceFile, layer: string): Violation[] {
  const patterns = FORBIDDEN[layer] ?? [];
  return text.split("\n").flatMap((line, index) => {
    const code = /^\s*(\/\/|\/?\*)/.test(line) ? "" : line.replace(/"[^"]*"|`[^`]*`/g, "");
    return patterns
      .filter(([pattern]) => pattern.test(code))
      .map(([, why]) => ({
        path,
        line: index + 1,
        rule: "layer" as const,
        message: `${layer} ${why}`,
      }));
  });
}

/** Checks that the folders of a package's src form no circle, types included. */
export function checkFolderCircles(files: readonly SourceFile[]): Violation[] {
  const arrows = new Map<string, Map<string, Violation>>();
  for (const { path, text } of files) {
    const from = folderOf(path);
    if (from === undefined) continue;
    for (const { specifier, line } of importsOf(text)) {
      if (!specifier.startsWith(".")) continue;
      const to = folderOf(posix.join(posix.dirname(path), specifier));
      if (to === undefined || to === from) continue;
      const known = arrows.get(from) ?? new Map<string, Violation>();
      const message = `${specifier}: ${to} uses ${from}, so this closes a circle of folders`;
      if (!known.has(to)) known.set(to, { path, line, rule: "folder-circle", message });
      arrows.set(from, known);
    }
  }
  return [...arrows].flatMap(([from, targets]) =>
    [...targets].filter(([to]) => leadsTo(arrows, to, from)).map(([, violation]) => violation),
  );
}

/** A folder right below a package's src; what lies in src itself is the package's front. */
function folderOf(path: string): string | undefined {
  if (path.endsWith(".test.ts")) return undefined;
  return /^(packages\/[^/]+\/src\/[^/]+)\//.exec(path)?.[1];
}

function leadsTo(
  arrows: ReadonlyMap<string, ReadonlyMap<string, Violation>>,
  from: string,
  to: string,
  seen = new Set<string>(),
): boolean {
  if (from === to) return true;
  if (seen.has(from)) return false;
  seen.add(from);
  return [...(arrows.get(from)?.keys() ?? [])].some((next) => leadsTo(arrows, next, to, seen));
}
