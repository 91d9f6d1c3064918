/** Undefined when the unified diff does not fit the text. */
export function applyDiff(text: string, diff: string): string | undefined {
  const before = linesOf(text);
  const after: string[] = [];
  let at = 0;
  let left = 0;
  for (const line of linesOf(diff)) {
    const hunk = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/.exec(line);
    if (hunk !== null && left === 0) {
      const count = Number(hunk[2] ?? 1);
      // A hunk that takes no lines names the line before it.
      const start = Number(hunk[1]) - (count === 0 ? 0 : 1);
      if (start < at || start > before.length) return undefined;
      // Not by spreading, for a text may have more lines than a call can have arguments.
      while (at < start) after.push(before[at++] as string);
      left = count + Number(hunk[4] ?? 1);
      continue;
    }
    if (left === 0) continue;
    const [sign, rest] = [line.charAt(0), line.slice(1)];
    if (sign === "\\") continue;
    if (sign !== "+") {
      if (before[at] !== rest) return undefined;
      at += 1;
      left -= 1;
    }
    if (sign !== "-") {
      after.push(rest);
      left -= 1;
    }
    if (!["+", "-", " ", ""].includes(sign) || left < 0) return undefined;
  }
  if (left !== 0) return undefined;
  return [...after, ...before.slice(at)].join("\n");
}

/** The last line feed ends a line and begins none. */
function linesOf(text: string): string[] {
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  return lines;
}

/** The text without its last line feed: a diff says little about it. */
export function withoutLastBreak(text: string): string {
  return text.endsWith("\n") ? text.slice(0, -1) : text;
}
