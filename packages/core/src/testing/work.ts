import { Session } from "node:inspector/promises";
import { setFlagsFromString } from "node:v8";
import { runInThisContext } from "node:vm";

/*
 * Work that a task does, in steps that are the same on every machine, however busy it is. A step
 * is one run of a block of code (the body of a function, a loop, a branch), one character that a
 * regular expression or a search in a string passes, one step back that a regular expression
 * takes, or one element of an array that is passed or copied.
 */

const session = new Session();

/**
 * Starts counting in this process; resolves with what stops it, as `beforeAll` likes it. A function
 * that ran before is counted as one block, loops and all, so this comes before anything that is to
 * be counted. While V8 counts, it optimises nothing.
 */
export async function startCounting(): Promise<() => Promise<void>> {
  setFlagsFromString("--allow-natives-syntax");
  session.connect();
  await session.post("Profiler.enable");
  await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: true });
  return async () => {
    await session.post("Profiler.stopPreciseCoverage");
    session.disconnect();
  };
}

/** The steps of a task, and what it returned. */
export async function countSteps<T>(
  task: () => T | Promise<T>,
): Promise<{ steps: number; value: T }> {
  await session.post("Profiler.takePreciseCoverage");
  const native = countNative();
  let value: T;
  try {
    value = await task();
  } finally {
    native.stop();
  }
  const { result } = await session.post("Profiler.takePreciseCoverage");
  const ranges = result
    .filter(({ url }) => !url.endsWith("/testing/work.ts"))
    .flatMap(({ functions }) => functions.flatMap((one) => one.ranges));
  return { steps: native.steps() + ranges.reduce((sum, { count }) => sum + count, 0), value };
}

/** Methods of arrays that pass over all elements, at their longest. */
const PASSING = ["includes", "indexOf", "slice", "concat", Symbol.iterator] as const;

/** Counts what V8 does by itself, and would otherwise be one step however long it takes. */
function countNative(): { steps: () => number; stop: () => void } {
  let steps = 0;
  const { exec } = RegExp.prototype;
  const { indexOf, includes } = String.prototype;
  RegExp.prototype.exec = function counting(text) {
    RegExp.prototype.exec = exec;
    const from = this.global || this.sticky ? this.lastIndex : 0;
    steps += stepsBack(exec, this, from, text);
    const found = exec.call(this, text);
    const missed = this.sticky ? from + 1 : text.length;
    steps += (found === null ? missed : found.index + found[0].length) - from + 1;
    RegExp.prototype.exec = counting;
    return found;
  };
  String.prototype.indexOf = function (part, from = 0) {
    const at = indexOf.call(this, part, from);
    steps += (at < 0 ? this.length : at) - from + 1;
    return at;
  };
  String.prototype.includes = function (part, from = 0) {
    return this.indexOf(part, from) >= 0;
  };
  const methods = PASSING.map((name) => [name, Array.prototype[name]] as const);
  for (const [name, method] of methods) {
    replace(name, function (this: unknown[], ...args: unknown[]) {
      steps += this.length;
      return Reflect.apply(method, this, args);
    });
  }
  const stop = () => {
    RegExp.prototype.exec = exec;
    Object.assign(String.prototype, { indexOf, includes });
    for (const [name, method] of methods) replace(name, method);
  };
  return { steps: () => steps, stop };
}

function replace(name: (typeof PASSING)[number], value: unknown): void {
  Object.defineProperty(Array.prototype, name, { value, configurable: true, writable: true });
}

/** Steps back that are not counted one by one. */
const FEW = 128;
const MOST = 2 ** 26;

/** Regular expressions that give up after so many steps back, by source, flags and limit. */
const limited = new Map<string, RegExp>();

/** How often a regular expression steps back, to within a quarter; 0 for a few times. */
function stepsBack(exec: RegExp["exec"], regExp: RegExp, from: number, text: string): number {
  for (let limit = FEW; limit <= MOST; limit = Math.ceil(limit * 1.25)) {
    const twin = limitedTwin(regExp, limit);
    twin.lastIndex = from;
    if (exec.call(twin, text) !== null) return limit === FEW ? 0 : limit;
  }
  throw new Error(`steps back more than ${MOST} times: ${regExp.source}`);
}

/** A class of characters, an escape or any other character, and the sign that repeats it. */
const PARTS = /(\[(?:\\.|[^\]\\])*\]|\\(?:k<[^>]*>|[pPu]\{[^}]*\}|x..|u....|c?.)|.)(?=([*+{])?)/gsu;

/** V8 steps back in a repetition of plain characters without counting; in none with a condition. */
function counted(source: string): string {
  return source.replace(PARTS, (part, _, repeated) => {
    if (repeated === undefined) return part;
    return part === ")" ? "(?=))" : `(?:${part}(?=))`;
  });
}

/** Matches whatever comes, so that it returns null only where it gave up. */
function limitedTwin({ source, flags, sticky }: RegExp, limit: number): RegExp {
  const key = `${limit} ${flags} ${source}`;
  const known = limited.get(key);
  if (known !== undefined) return known;
  const make = runInThisContext(
    "((...all) => %NewRegExpWithBacktrackLimit(all[0], all[1], all[2]))",
  );
  const twin: RegExp = make(`(?:${counted(source)})|${sticky ? "" : "$(?![^])"}`, flags, limit);
  limited.set(key, twin);
  return twin;
}
