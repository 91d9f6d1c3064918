import { MAX_QUOTE, startOf } from "@palimpsest/core/state";
import { bodyOf } from "./lines.ts";
import { isSameFile, pathsIn } from "./paths.ts";

/*
 * Edits as the arguments of a call show them, whatever tool and arguments are called: the name of a
 * file that was read, and words that stood in it beside others like them, a patch, or a whole file.
 */

export interface FileEdit {
  /** A whole line as it was read, which the edit took away or changed. */
  readonly before: string;
  /** What stands there now, as the arguments say it; undefined: nothing, or not one line. */
  readonly after?: string;
}

/** Shortest text that is taken for something that stood in the file. */
const MIN_OLD = 4;
/** Most text of a read that is looked at, and most strings of one call. */
const MAX_TEXT = 300_000;
const MAX_STRINGS = 16;
/** Lines of a replaced text that are looked for. */
const MAX_LINES = 50;
/** Lines that went, and lines that came, which are compared with each other. */
const MAX_GONE = 100;
const MAX_ADDED = 1_000;
/** Longest line of a shell command that is read as an edit. */
const MAX_COMMAND = 4_000;

/** What a call with these strings does to `path`, of which `whole` was read; undefined: no edit. */
export function editOf(
  strings: readonly string[],
  path: string,
  whole: string,
): FileEdit | undefined {
  if (!pathsIn(strings).some((one) => isSameFile(one, path))) return undefined;
  const text = whole.slice(0, MAX_TEXT);
  const others = strings
    .filter((one) => one.length >= MIN_OLD && !isSameFile(one, path))
    .slice(0, MAX_STRINGS);
  return replacement(others, text) ?? patched(others, text) ?? rewritten(others, text, path);
}

/** One text that was read, and another that is like it: the words before and after. */
function replacement(strings: readonly string[], text: string): FileEdit | undefined {
  for (const old of strings) {
    if (!stoodIn(old, text) || !isTellingLine(old)) continue;
    const after = strings.find((one) => one !== old && isLike(one, old) && !isDiff(one));
    if (after !== undefined) return changedLine(old, after, text);
  }
  return undefined;
}

/** It stood there, whatever a reading tool put before its lines. */
function stoodIn(old: string, text: string): boolean {
  if (text.includes(old.trim())) return true;
  const lines = old.split("\n", MAX_LINES).map((line) => line.trim());
  const told = lines.filter((line) => line.length >= MIN_OLD);
  return told.length > 1 && told.every((line) => text.includes(line));
}

/** Words that say something by themselves: a grep's pattern is often one name. */
function isTellingLine(old: string): boolean {
  return /[^\w\s]|\s/.test(old.trim());
}

/** Two versions of one text have words in common. */
function isLike(one: string, other: string): boolean {
  return haveCommon(wordsOf(one), new Set(wordsOf(other)));
}

function haveCommon(own: readonly string[], words: ReadonlySet<string>): boolean {
  const common = own.filter((word) => words.has(word)).length;
  return common > 0 && common * 4 >= Math.min(own.length, words.size);
}

function wordsOf(text: string): string[] {
  return text.slice(0, MAX_COMMAND).match(/\w{2,}/g) ?? [];
}

/** The first line that is not the same before and after, as it was read. */
function changedLine(old: string, after: string, text: string): FileEdit | undefined {
  const now = after.split("\n");
  const were = old.split("\n");
  const [kept, known] = [new Set(now), new Set(were)];
  const at = were.findIndex((line) => line.trim() !== "" && !kept.has(line));
  const was = at < 0 ? undefined : were[at];
  const before = was === undefined ? undefined : lineWith(text, was.trim());
  if (before === undefined) return undefined;
  const better = bestLike(
    was ?? "",
    now.filter((line) => !known.has(line)),
  );
  return { before, ...(better !== undefined && { after: better }) };
}

function bestLike(was: string, lines: readonly string[]): string | undefined {
  const told = lines
    .filter((line) => line.trim() !== "" && line.length <= MAX_QUOTE)
    .slice(0, MAX_ADDED);
  return told.find((line) => isLike(line, was)) ?? told[0];
}

/** The whole line of a text in which something stands. */
function lineWith(text: string, part: string): string | undefined {
  const at = part === "" ? -1 : text.indexOf(part);
  if (at < 0) return undefined;
  const start = at === 0 ? 0 : text.lastIndexOf("\n", at - 1) + 1;
  const end = text.indexOf("\n", at);
  const line = text.slice(start, end < 0 ? text.length : end);
  return line.length <= MAX_QUOTE ? line : startOf(part, MAX_QUOTE);
}

function isDiff(text: string): boolean {
  return /^(?:@@|---|\*\*\* |diff )/m.test(text);
}

/** A patch that takes away a line which was read. */
function patched(strings: readonly string[], text: string): FileEdit | undefined {
  for (const patch of strings) {
    if (!/^[-+]/m.test(patch) || !(isDiff(patch) || /^-.*\n\+/m.test(patch))) continue;
    const lines = patch.slice(0, 100_000).split("\n");
    const taken = lines.filter((line) => /^-(?!--)/.test(line) && line.trim().length > MIN_OLD);
    const gone = taken.slice(0, MAX_GONE).find((line) => text.includes(line.slice(1).trim()));
    const before = gone === undefined ? undefined : lineWith(text, gone.slice(1).trim());
    if (before === undefined) continue;
    const at = lines.indexOf(gone ?? "");
    const added = lines.slice(at + 1, at + 40).filter((line) => /^\+(?!\+\+)/.test(line));
    const after = bestLike(
      before,
      added.map((line) => line.slice(1)),
    );
    return { before, ...(after !== undefined && { after }) };
  }
  return undefined;
}

/** Commands that write to a file they name. */
const WRITES =
  /\bsed\b[^|;]* -[a-zA-Z]*i|\bperl\b[^|;]* -[a-zA-Z]*i|\btee\b|>>? ?\S|\bmv\b|\bpatch\b/;

/** The whole file, or a command that writes to it, without a line of what was read. */
function rewritten(strings: readonly string[], text: string, path: string): FileEdit | undefined {
  for (const now of strings) {
    const command = now.length <= MAX_COMMAND && WRITES.test(now) && namesIt(now, path);
    if (command) return substituted(now, text) ?? overwritten(now, text);
    const found = now.includes("\n") ? overwritten(now, text) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}

function namesIt(command: string, path: string): boolean {
  return pathsIn([command]).some((one) => isSameFile(one, path));
}

/** `s/old/new/`, with any sign between. */
function substituted(command: string, text: string): FileEdit | undefined {
  const found = /\bs([/|#,@])((?:(?!\1).){1,200})\1((?:(?!\1).){0,200})\1/.exec(command);
  const old = found?.[2]?.replace(/^\^|\$$/g, "").replace(/\\(.)/g, "$1");
  const before = old === undefined ? undefined : (lineWith(text, old) ?? loosely(text, old));
  const after = found?.[3];
  if (before === undefined) return undefined;
  return { before, ...(after !== undefined && after !== "" && { after }) };
}

/** The line with the plain beginning of a pattern: `retries = .*`. */
function loosely(text: string, pattern: string): string | undefined {
  const plain = /^[\w\s"'=:-]{4,}/.exec(pattern)?.[0].trimEnd();
  return plain === undefined ? undefined : lineWith(text, plain);
}

/** Most lines are there as they were read, and one is not. */
function overwritten(now: string, text: string): FileEdit | undefined {
  const kept = new Set(now.split("\n").map((line) => line.trim()));
  const read = text.split("\n", 2_000).map(bodyOf);
  const told = read.filter((line) => line.trim().length >= MIN_OLD);
  const gone = told.filter((line) => !kept.has(line.trim()));
  if (gone.length === 0 || (told.length - gone.length) * 2 < told.length) return undefined;
  const known = new Set(told.map((line) => line.trim()));
  const added = now.split("\n").filter((line) => !known.has(line.trim()));
  // What a tool prints around a file is not in it either.
  const words = added.slice(0, MAX_ADDED).map((line) => new Set(wordsOf(line)));
  const was = gone.slice(0, MAX_GONE).find((line) => {
    const own = wordsOf(line);
    return words.some((other) => haveCommon(own, other));
  });
  const before = was === undefined ? undefined : lineWith(text, was.trim());
  if (was === undefined || before === undefined) return undefined;
  const after = bestLike(was, added);
  return { before, ...(after !== undefined && { after }) };
}
