import { randomNumbers } from "../workload.ts";

/*
 * Long tool outputs of the kinds that fill a window: logs, listings, searches, sources, prose.
 * A pool of them is made once and used by all tasks, since making and hashing them is what costs.
 */

export interface Output {
  readonly tool: string;
  readonly arguments: { readonly [name: string]: string };
  readonly text: string;
  readonly failed: boolean;
}

const WORDS = (
  "request handler returned early because the upstream client closed its stream before the " +
  "worker could flush a buffer into storage and the scheduler moved on to another shard while " +
  "metrics were collected from every node of the cluster in order of their zone"
).split(" ");
const NOUNS = ["parser", "router", "store", "client", "codec", "queue", "cursor", "index", "lease"];
const LEVELS = ["INFO", "DEBUG", "WARN", "INFO", "INFO"];

type Line = (n: number, pick: Pick) => string;

interface Pick {
  number(below: number): number;
  of<T>(list: readonly T[]): T;
  words(count: number): string;
}

const KINDS: readonly { tool: string; argument: string; line: Line }[] = [
  {
    tool: "bash",
    argument: "command",
    line: (n, pick) =>
      `2026-03-${10 + (n % 18)}T0${n % 9}:${10 + (n % 49)}:07Z ${pick.of(LEVELS)} ` +
      `[${pick.of(NOUNS)}-${pick.number(40)}] ${pick.words(8)}`,
  },
  {
    tool: "grep",
    argument: "pattern",
    line: (n, pick) =>
      `src/${pick.of(NOUNS)}/${pick.of(NOUNS)}.ts:${n * 7 + pick.number(7)}:  ` +
      `const ${pick.of(NOUNS)} = await ${pick.of(NOUNS)}.next(${pick.of(NOUNS)});`,
  },
  {
    tool: "ls",
    argument: "directory",
    line: (n, pick) =>
      `-rw-r--r-- 1 dev dev ${pick.number(90_000)} Mar ${1 + (n % 28)} ` +
      `${pick.of(NOUNS)}_${pick.of(NOUNS)}_${n}.json`,
  },
  {
    tool: "read",
    argument: "file_path",
    line: (n, pick) => {
      if (n % 6 === 0) return `export function ${pick.of(NOUNS)}${n}(${pick.of(NOUNS)}: Node) {`;
      if (n % 6 === 5) return "}";
      return `  if (${pick.of(NOUNS)}.size > ${pick.number(90)}) return ${pick.of(NOUNS)}(${n});`;
    },
  },
  { tool: "fetch", argument: "url", line: (_, pick) => `${pick.words(14)}.` },
];

/** As many outputs as asked for, of about `tokens` tokens each. */
export function fillerPool(seed: number, count: number, tokens: number): Output[] {
  const next = randomNumbers(seed);
  const number = (below: number) => Math.floor(next() * below);
  const of = <T>(list: readonly T[]): T => list[number(list.length)] as T;
  const words = (many: number) => Array.from({ length: many }, () => of(WORDS)).join(" ");
  return Array.from({ length: count }, (_, i) => {
    const { tool, argument, line } = of(KINDS);
    // From half to one and a half of it: real outputs differ in length, and policies see it.
    const length = tokens * 4 * (0.5 + next());
    const lines: string[] = [];
    for (let size = 0, n = 1; size < length; n += 1) {
      const text = line(n, { number, of, words });
      lines.push(text);
      size += text.length + 1;
    }
    const where = `${of(NOUNS)}/${of(NOUNS)}-${i}`;
    return { tool, arguments: { [argument]: where }, text: lines.join("\n"), failed: i % 30 === 0 };
  });
}
