import { diffArrays } from "diff";

/** Most lines added and removed on one side; a text that differs more is not merged by lines. */
const MAX_EDITS = 4_000;

/** Lines `start` to `end` (exclusive) of the base, and what one side has instead. */
interface Hunk {
  readonly start: number;
  readonly end: number;
  readonly lines: readonly string[];
}

/**
 * The three-way merge of two texts that came from `base`, by lines (diff3): a stretch that one
 * side changed is taken from that side, one that both changed alike is taken once. Undefined when
 * both changed the same stretch differently, or one side shares too little with the base.
 *
 * The differences are Myers', which repeated lines do not slow down; the usual diff3 libraries
 * take minutes for a few thousand equal lines, which is what tool output looks like.
 */
export function mergeLines(base: string, ours: string, theirs: string): string | undefined {
  const lines = base.split("\n");
  const mine = hunksOf(lines, ours.split("\n"));
  const other = hunksOf(lines, theirs.split("\n"));
  if (mine === undefined || other === undefined) return undefined;
  const merged: string[] = [];
  let at = 0;
  while (mine.length > 0 || other.length > 0) {
    const region = nextRegion(mine, other);
    for (; at < region.start; at += 1) merged.push(lines[at] ?? "");
    const left = sideOf(lines, region, region.mine);
    const right = sideOf(lines, region, region.other);
    const chosen = region.other.length === 0 ? left : region.mine.length === 0 ? right : left;
    if (region.mine.length > 0 && region.other.length > 0 && !equal(left, right)) return undefined;
    for (const line of chosen) merged.push(line);
    at = region.end;
  }
  for (; at < lines.length; at += 1) merged.push(lines[at] ?? "");
  return merged.join("\n");
}

function hunksOf(base: readonly string[], side: readonly string[]): Hunk[] | undefined {
  const changes = diffArrays([...base], [...side], { maxEditLength: MAX_EDITS });
  if (changes === undefined) return undefined;
  const hunks: Hunk[] = [];
  let at = 0;
  for (const { added, removed, value } of changes) {
    const last = hunks.at(-1);
    if (!added && !removed) at += value.length;
    else if (last?.end === at && last !== undefined) {
      hunks.pop();
      const end = removed ? at + value.length : at;
      hunks.push({ ...last, end, lines: added ? [...last.lines, ...value] : last.lines });
      at = end;
    } else {
      const end = removed ? at + value.length : at;
      hunks.push({ start: at, end, lines: added ? value : [] });
      at = end;
    }
  }
  return hunks;
}

interface Region {
  readonly start: number;
  readonly end: number;
  readonly mine: readonly Hunk[];
  readonly other: readonly Hunk[];
}

/** Takes the first hunk of either side and whatever touches it, until nothing does. */
function nextRegion(mine: Hunk[], other: Hunk[]): Region {
  const start = Math.min(
    mine[0]?.start ?? Number.POSITIVE_INFINITY,
    other[0]?.start ?? Number.POSITIVE_INFINITY,
  );
  let end = start;
  const taken = { mine: [] as Hunk[], other: [] as Hunk[] };
  for (;;) {
    const fromMine = mine[0] !== undefined && mine[0].start <= end;
    const hunk = fromMine ? mine[0] : other[0];
    if (hunk === undefined || hunk.start > end) break;
    end = Math.max(end, hunk.end);
    if (fromMine) taken.mine.push(hunk) && mine.shift();
    else taken.other.push(hunk) && other.shift();
  }
  return { start, end, ...taken };
}

/** What one side has in place of the base's lines of a region. */
function sideOf(base: readonly string[], { start, end }: Region, hunks: readonly Hunk[]): string[] {
  const lines: string[] = [];
  let at = start;
  for (const hunk of hunks) {
    lines.push(...base.slice(at, hunk.start), ...hunk.lines);
    at = hunk.end;
  }
  lines.push(...base.slice(at, end));
  return lines;
}

function equal(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((line, i) => line === b[i]);
}
