import { isSpecific } from "./keyed.ts";
import type { Line } from "./lines.ts";
import type { Scalar } from "./scalars.ts";
import { isLiteral, scalarOf } from "./scalars.ts";
import type { SpanClaims } from "./span-claims.ts";

/*
 * Settings in files of other forms: records in one line, markup, directives, options of a command,
 * fields of an object in code. Only names that say by themselves what they are about, and values
 * that are more than a word.
 */

const NAME = "([A-Za-z_][\\w.-]{3,63})";
const VALUE = "(\"[^\"]{1,80}\"|'[^']{1,80}'|[-+]?\\d[\\w.%]{0,30}|true|false|on|off|yes|no)";

/** Each finds a name and the value it has; with an example of what it is for. */
const SHAPES: readonly RegExp[] = [
  // {"max_size": 10, "openTimeout": 3}
  new RegExp(`["']${NAME}["']\\s?:\\s?${VALUE}`, "g"),
  // <maxSize>10</maxSize>
  new RegExp(`<${NAME}>\\s?${VALUE}\\s?</`, "g"),
  // <property name="max-size" value="10"/>
  new RegExp(`\\b(?:name|key|id)="${NAME}"\\s(?:value|default)=${VALUE}`, "g"),
  // ENV MAX_SIZE=10, --max-size=10, - MAX_SIZE=10, let maxSize := 10
  new RegExp(`(?:^|[\\s,({])(?:--?)?${NAME}\\s?(?::=|=>|=|:)\\s?${VALUE}(?=[\\s,;)}\\]/]|$)`, "g"),
];
/** max_size 10; — in files of directives, and --max-size 10 anywhere. */
const DIRECTIVE = new RegExp(`^\\s*(?:set\\s|ENV\\s|export\\s|--)?${NAME}\\s+${VALUE}\\s*;?\\s*$`);
const OPTION = new RegExp(`(?:^|\\s)--${NAME}\\s${VALUE}(?=\\s|$|\\\\)`);

/** max size = 10, "max.size": [10, 20] — whatever it is that a line of settings gives a name. */
const ANY = new RegExp(
  "^\\s*(?:export\\s|set\\s|-\\s)?[\"']?([A-Za-z_][\\w./ -]{2,62}?)[\"']?" +
    "\\s*(?::=|=>|\\?=|\\+=|=|:)\\s*(\\S.{0,78}?)\\s*[;,]?$",
);

/** Files that are there to set something, by their ending or by their name. */
const SETS =
  /(?:\.(?:xml|tf|tfvars|hcl|plist|nix|gradle|kdl|cue|cnf|service)|[/\\]Dockerfile[\w.-]*)$/i;
const NAMES =
  /^(?:[\w-]+[._-])?(?:conf|config|settings?|defaults?|options|limits|params|values|tuning)\.\w+$/i;
const TESTS = /test|spec|mock|fixture|example/i;

export function isSettingsLike(path: string): boolean {
  const name = path.slice(path.lastIndexOf("/") + 1);
  return (SETS.test(path) || NAMES.test(name)) && !TESTS.test(name);
}

export function addInlineSettings(
  findings: SpanClaims,
  scope: string,
  lines: readonly Line[],
  { sets, most }: { readonly sets: boolean; readonly most: number },
): void {
  const found: { readonly key: string; readonly value: Scalar; readonly line: Line }[] = [];
  for (const [at, line] of lines.entries()) {
    if (!sets && !/\d|true|false|["']/.test(line.body)) continue;
    for (const { key, value, whole = false } of settingsIn(lines, at, sets)) {
      if ((whole || isSpecific(key)) && (sets || !isStart(value))) found.push({ key, value, line });
    }
  }
  const values = new Map<string, Set<Scalar>>();
  for (const { key, value } of found) values.set(key, (values.get(key) ?? new Set()).add(value));
  let left = most;
  for (const { key, value, line } of found) {
    // A key that a file gives two values is two things, and nobody can say which.
    if (left === 0 || values.get(key)?.size !== 1) continue;
    left -= 1;
    findings.add({ statement: `${key} = ${value}`, scope, key, value, quote: line.raw });
  }
}

/** What variables start with: says nothing of what they are set to. */
function isStart(value: Scalar): boolean {
  return typeof value === "boolean" || value === 0 || value === 1 || value === -1;
}

function settingsIn(
  lines: readonly Line[],
  at: number,
  sets: boolean,
): { readonly key: string; readonly value: Scalar; readonly whole?: boolean }[] {
  const { body } = lines[at] as Line;
  if (/^\s*(?:#|\/\/|\*|<!--|;|--\s)/.test(body)) return [];
  const found = SHAPES.flatMap((shape) => [...body.matchAll(shape)]);
  const option = OPTION.exec(body);
  const any = sets && found.length === 0 ? ANY.exec(body.replace(/\s(?:#|\/\/).*$/, "")) : null;
  const directive = sets ? DIRECTIVE.exec(body) : null;
  // - name: MAX_SIZE, and in the next line its value: "10"
  const name = sets
    ? /^\s*-?\s*(?:name|key)\s*[:=]\s*["']?([\w.-]{4,64})["']?\s*$/.exec(lines[at - 1]?.body ?? "")
    : null;
  const value = name === null ? null : /^\s*(?:value|default)\s*[:=]\s*(\S.{0,80})$/.exec(body);
  const all: [string, string][] = [
    ...[...found, ...(option ? [option] : []), ...(directive ? [directive] : [])].map(
      (match): [string, string] => [match[1] ?? "", match[2] ?? ""],
    ),
    ...(name !== null && value !== null
      ? [[name[1] ?? "", value[1] ?? ""] as [string, string]]
      : []),
  ];
  // Its words are the value, whatever they are.
  const opens = /^(?:[[{(|>&]|["']{2}$)/.test(any?.[2] ?? "");
  const words =
    any === null || opens
      ? []
      : [{ key: (any[1] ?? "").trim().replace(/\s+/g, "_"), value: any[2] ?? "", whole: true }];
  const scalars = all.flatMap(([key, text]) => {
    const scalar = scalarOf(text);
    const told = scalar !== undefined && (isLiteral(scalar) || sets);
    return told ? [{ key, value: scalar }] : [];
  });
  return scalars.length > 0 ? scalars : words;
}
