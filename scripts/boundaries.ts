import { posix } from "node:path";
import { importsOf } from "./imports.ts";
import { checkFolderCircles, checkLayers } from "./layers.ts";
import type { Rule, SourceFile, Violation } from "./violations.ts";

/** What the shipped code of each package may import of the others (design §10). */
const allowedImports: Readonly<Record<string, RegExp>> = {
  core: /^$/,
  claims: /^@palimpsest\/core(\/(events|state))?$/,
  eventstoredb: /^@palimpsest\/core\/(log|events)$/,
  projections: /^@palimpsest\/core(\/|$)/,
  verifier: /^@palimpsest\/core\/events$/,
  import: /^@palimpsest\/core(\/|$)/,
  cli: /^@palimpsest\/(claims|core|eventstoredb|import|projections|verifier)(\/|$)/,
};

const maxColumns = 100;

/** Checks the rules on imports and comments that Biome has no rule for. */
export function checkBoundaries(files: readonly SourceFile[]): Violation[] {
  const broken = files.flatMap((file) => [
    ...importsOf(file.text).flatMap((found) =>
      checkImport(file.path, found.specifier).map((broken) => ({
        path: file.path,
        line: found.line,
        ...broken,
      })),
    ),
    ...checkClocks(file),
    ...checkComments(file),
  ]);
  return [...broken, ...checkLayers(files), ...checkFolderCircles(files)];
}

type Broken = Pick<Violation, "rule" | "message">;

function checkImport(path: string, specifier: string): Broken[] {
  const place = placeOf(path);
  if (!specifier.startsWith(".")) {
    return place === undefined ? checkOutsideName(specifier) : checkName(place, specifier);
  }
  const target = posix.join(posix.dirname(path), specifier);
  const targetPlace = placeOf(target);
  if (targetPlace?.packageName !== place?.packageName) {
    return [broken("reaches-into-package", `${specifier}: import a package by its name`)];
  }
  return place === undefined || targetPlace === undefined
    ? []
    : checkInside(place, targetPlace, specifier);
}

/** Where in the packages a file lies. */
interface Place {
  readonly packageName: string;
  /** Path below `packages/NAME/src`, or the whole path for a file elsewhere in the package. */
  readonly inside: string;
  readonly isTest: boolean;
}

function placeOf(path: string): Place | undefined {
  const match = /^packages\/([^/]+)\/(?:src\/)?(.*)$/.exec(path);
  if (match === null) return undefined;
  const inside = match[2] ?? "";
  return { packageName: match[1] ?? "", inside, isTest: inside.endsWith(".test.ts") };
}

/** An import by name, in a file of a package. */
function checkName(place: Place, specifier: string): Broken[] {
  const { packageName, inside, isTest } = place;
  const found = checkOutsideName(specifier);
  if (specifier.startsWith("@palimpsest/") && !isTest) {
    if (allowedImports[packageName]?.test(specifier) !== true) {
      found.push(broken("package-dependency", `${packageName} must not import ${specifier}`));
    }
    if (specifier.endsWith("/testing") && !inside.startsWith("testing/")) {
      found.push(broken("testing-entry", `${specifier} is for tests`));
    }
  }
  const hasSqlite = packageName === "core" || packageName === "projections";
  const ofSqlite = hasSqlite && inside.startsWith("sqlite/");
  if (/^better-sqlite3(\/|$)/.test(specifier) && !ofSqlite) {
    found.push(
      broken("sqlite-entry", "better-sqlite3 loads through the entries named sqlite only"),
    );
  }
  if (/^@eventstore\/db-client(\/|$)/.test(specifier) && packageName !== "eventstoredb") {
    found.push(
      broken(
        "eventstoredb-client",
        "@eventstore/db-client loads through @palimpsest/eventstoredb only",
      ),
    );
  }
  const mayUseNode = /^(platform\/node\.ts$|sqlite\/|sources\/|testing\/)/.test(inside) || isTest;
  if (packageName === "core" && specifier.startsWith("node:") && !mayUseNode) {
    found.push(broken("node-import", `${specifier}: core also runs where there is no Node`));
  }
  return found;
}

/** An import by name, in any file. */
function checkOutsideName(specifier: string): Broken[] {
  return /^@palimpsest\/[^/]+\/(src|dist)(\/|$)/.test(specifier)
    ? [broken("reaches-into-package", `${specifier} is not an entry of that package`)]
    : [];
}

/** A relative import that stays in its package. */
function checkInside(from: Place, to: Place, specifier: string): Broken[] {
  if (from.isTest) return [];
  const found: Broken[] = [];
  const enters = (folder: string) =>
    to.inside.startsWith(folder) && !from.inside.startsWith(folder);
  if (enters("testing/")) {
    found.push(broken("testing-entry", `${specifier}: what is under testing/ is for tests`));
  }
  if (enters("sqlite/")) {
    found.push(broken("sqlite-entry", `${specifier}: sqlite/ has an entry of its own`));
  }
  if (from.packageName === "core" && enters("sources/")) {
    found.push(
      broken(
        "sources-entry",
        `${specifier}: nothing in core may import sources/, which looks outside`,
      ),
    );
  }
  const leavesEvents =
    from.inside.startsWith("events/") &&
    !/^((events|json|platform)\/|log\/port\.ts$)/.test(to.inside);
  if (from.packageName === "core" && leavesEvents) {
    found.push(
      broken("events-entry", `${specifier}: the verifier shares the schemas, not the fold`),
    );
  }
  return found;
}

const clock = /\bperformance\s*\.\s*now\b|\b(?:cpuUsage|hrtime)\b/;

/** A test counts work: what it says about time says how busy the machine was. */
function checkClocks({ path, text }: SourceFile): Violation[] {
  if (path.startsWith("bench/") || !path.endsWith(".test.ts")) return [];
  return text.split("\n").flatMap((line, index) => {
    const found = clock.exec(line);
    if (found === null) return [];
    const message = `${found[0]}: a test does not look at a clock: let it count work`;
    return [{ path, line: index + 1, rule: "clock-in-test" as const, message }];
  });
}

/** The formatter breaks code at 100 columns; it leaves comments alone. */
function checkComments(file: SourceFile): Violation[] {
  return file.text.split("\n").flatMap((text, index) => {
    const fits = [...text].length <= maxColumns || text.includes("://");
    if (fits || !/^\s*(\/\/|\/\*|\*)/.test(text)) return [];
    const message = `comment is wider than ${maxColumns} columns`;
    return [{ path: file.path, line: index + 1, rule: "comment-width" as const, message }];
  });
}

function broken(rule: Rule, message: string): Broken {
  return { rule, message };
}
