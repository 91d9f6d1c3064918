import { literalsIn } from "./literals.ts";
import { topicsIn } from "./words.ts";

/*
 * Which lines of what was read somebody has used since: those whose words and values the model
 * repeats. Its words ground nothing; they only tell which lines of a long file matter.
 */

/** Rare words and values of a text, as one set. */
export function marksIn(text: string): Set<string> {
  const { numbers, days, booleans, words } = literalsIn(text);
  const marks = new Set<string>([...topicsIn(text), ...days, ...words]);
  for (const one of [...numbers, ...booleans]) marks.add(String(one));
  return marks;
}

/** Least weight of a line that counts as used. */
const MIN_WEIGHT = 1;

/** The lines that hold most of what is in `used`, best first; words of many lines count little. */
export function usedLines(
  lines: readonly string[],
  used: ReadonlySet<string>,
  most: number,
): string[] {
  if (used.size === 0) return [];
  const marked = lines.map((line) => ({ line, marks: [...marksIn(line)] }));
  const count = new Map<string, number>();
  for (const { marks } of marked) {
    for (const mark of marks) count.set(mark, (count.get(mark) ?? 0) + 1);
  }
  const weighed = marked.map(({ line, marks }) => {
    const shared = marks.filter((mark) => used.has(mark));
    const weight = shared.reduce((sum, mark) => sum + 1 / (count.get(mark) ?? 1), 0);
    return { line, weight: shared.length < 2 ? 0 : weight };
  });
  return weighed
    .filter(({ weight }) => weight >= MIN_WEIGHT)
    .sort((a, b) => b.weight - a.weight)
    .slice(0, most)
    .map(({ line }) => line);
}
