import { isHedge, statedValue } from "./hedges.ts";
import type { Keyed } from "./keyed.ts";
import { commentOf, isSpecific, keyedOf } from "./keyed.ts";
import type { Line } from "./lines.ts";
import type { Scalar } from "./scalars.ts";
import { sameValue } from "./scalars.ts";
import type { SpanClaims } from "./span-claims.ts";

/** A line that gives a key a value, and the words beside it that qualify it. */
export interface Setting {
  readonly line: Line;
  readonly keyed: Keyed;
  /** The key with what it stands in, where a file has it several times. */
  readonly path: string;
  readonly hedge?: { readonly text: string; readonly line: Line };
  /** It stands in a comment, so it is not in force. */
  readonly off: boolean;
}

/** Adds a setting, and what its hedge says against it. */
export function addSetting(
  findings: SpanClaims,
  scope: string,
  { line, path, keyed: { value }, hedge, off }: Setting,
  key: string,
): void {
  // One word says what it is about only with what it stands in.
  const stated = `${off ? "not in force: " : ""}${isSpecific(key) ? key : path} = ${value}`;
  const statement = hedge === undefined ? stated : `${stated} (${hedge.text.trim()})`;
  const index = findings.add({ statement, scope, key, value, quote: line.raw });
  if (hedge === undefined || index === undefined) return;
  const text = `${key}: ${hedge.text.trim()}`;
  const other = statedValue(hedge.text);
  if (other === undefined) {
    const remark = findings.add({ statement: text, scope, quote: hedge.line.raw });
    if (remark !== undefined) findings.conflict(index, remark, "qualified by a remark beside it");
  } else if (!sameValue(other, value)) {
    findings.add({ statement: text, scope, key, value: other, quote: hedge.line.raw });
  }
}

/** The hedge beside a line: in its own remark, in the comment above it, or in one below it. */
export function hedgeBeside(
  lines: readonly Line[],
  at: number,
  keyed: Keyed,
  weakToo: boolean,
): Setting["hedge"] {
  const line = lines[at];
  if (line !== undefined && keyed.remark !== undefined && isHedge(keyed.remark, weakToo)) {
    return { text: keyed.remark, line };
  }
  const hedges = [];
  for (let above = at - 1; above >= Math.max(0, at - MAX_COMMENT); above -= 1) {
    const found = hedgeIn(lines[above], weakToo);
    if (found === undefined) break;
    if (found.hedge) hedges.push(found);
  }
  const best = hedges.find(({ text }) => statedValue(text) !== undefined) ?? hedges[0];
  if (best !== undefined) return best;
  const next = lines[at + 2]?.body.trim() ?? "";
  const below = next === "" || next.startsWith("[") ? hedgeIn(lines[at + 1], weakToo) : undefined;
  return below?.hedge === true ? below : undefined;
}

/** Longest comment, in lines, that is read for a hedge. */
const MAX_COMMENT = 3;

function hedgeIn(line: Line | undefined, weakToo: boolean) {
  const text = line === undefined ? undefined : commentOf(line.body);
  if (line === undefined || text === undefined) return undefined;
  return { text, line, hedge: isHedge(text, weakToo) };
}

/** Adds the hedged comments of a file that stand beside none of its settings. */
export function addRemarks(
  findings: SpanClaims,
  scope: string,
  lines: readonly Line[],
  settings: readonly Setting[],
): void {
  const beside = new Set(settings.map(({ hedge }) => hedge?.line));
  let left = MAX_REMARKS;
  for (const block of commentsIn(lines)) {
    if (block.some(({ line }) => beside.has(line))) continue;
    for (const { line, text } of block) {
      if (left === 0 || !isHedge(text, false) || keyedOf(text) !== undefined) continue;
      left -= 1;
      findings.add({ statement: text.trim(), scope, quote: line.raw });
    }
  }
}

/** Comment lines that follow each other, each with its words. */
function commentsIn(lines: readonly Line[]): { line: Line; text: string }[][] {
  const blocks: { line: Line; text: string }[][] = [[]];
  for (const line of lines) {
    const text = commentOf(line.body);
    if (text !== undefined) blocks.at(-1)?.push({ line, text });
    else if (blocks.at(-1)?.length !== 0) blocks.push([]);
  }
  return blocks;
}

/** Most hedged comments of one file that are kept. */
const MAX_REMARKS = 5;

/** All settings of a file of keys and values under section headers. */
export function flatSettings(lines: readonly Line[]): Setting[] {
  const settings: Setting[] = [];
  let section = "";
  let inTable = false;
  for (const [at, line] of lines.entries()) {
    const header = /^\s*(\[\[?)\s*([\w."' -]{1,80}?)\s*\]\]?\s*(?:[#;].*)?$/.exec(line.body);
    if (header !== null) {
      section = header[2] ?? "";
      inTable = header[1] === "[[";
      continue;
    }
    if (inTable) continue;
    const setting = settingAt(lines, at, section === "" ? "" : `${section}.`);
    if (setting !== undefined) settings.push(setting);
  }
  return settings;
}

/** All settings of a file that nests by indentation, but for those in lists. */
export function treeSettings(lines: readonly Line[]): Setting[] {
  const settings: Setting[] = [];
  const stack: { readonly indent: number; readonly name: string; readonly list: boolean }[] = [];
  for (const [at, line] of lines.entries()) {
    const text = line.body.trimStart();
    if (text === "") continue;
    while ((stack.at(-1)?.indent ?? -1) >= line.indent) stack.pop();
    if (text.startsWith("- ")) stack.push({ indent: line.indent, name: "", list: true });
    if (stack.some(({ list }) => list)) continue;
    const opens = /^(["']?)([\w.$@/ -]{1,64})\1\s*:\s*([{[|>]?[-+]?)$/.exec(text);
    if (opens !== null) {
      const list = opens[3] !== "" && opens[3] !== "{";
      stack.push({ indent: line.indent, name: opens[2] ?? "", list });
      continue;
    }
    const setting = settingAt(lines, at, stack.map(({ name }) => `${name}.`).join(""));
    if (setting !== undefined) settings.push(setting);
  }
  return settings;
}

function settingAt(lines: readonly Line[], at: number, prefix: string): Setting | undefined {
  const line = lines[at];
  if (line === undefined) return undefined;
  const comment = commentOf(line.body);
  const keyed = keyedOf(comment ?? line.body, true);
  if (keyed === undefined) return undefined;
  const hedge = hedgeBeside(lines, at, keyed, true);
  const off = comment !== undefined;
  if (off && hedge === undefined) return undefined;
  const path = `${prefix}${keyed.key}`;
  return { line, keyed, path, off, ...(hedge !== undefined && { hedge }) };
}

/** Each setting with the shortest key that tells it from the others; unclear ones are left out. */
export function named(settings: readonly Setting[]): { setting: Setting; key: string }[] {
  const inForce = settings.filter(({ off }) => !off);
  const byKey = valuesBy(inForce, ({ keyed }) => keyed.key);
  const byPath = valuesBy(inForce, ({ path }) => path);
  return settings.flatMap((setting) => {
    const { keyed, path, hedge } = setting;
    if (setting.off || byKey.get(keyed.key)?.size === 1) return [{ setting, key: keyed.key }];
    return hedge !== undefined || byPath.get(path)?.size === 1 ? [{ setting, key: path }] : [];
  });
}

function valuesBy(settings: readonly Setting[], keyOf: (setting: Setting) => string) {
  const values = new Map<string, Set<Scalar>>();
  for (const setting of settings) {
    const key = keyOf(setting);
    const known = values.get(key);
    if (known === undefined) values.set(key, new Set([setting.keyed.value]));
    else known.add(setting.keyed.value);
  }
  return values;
}
