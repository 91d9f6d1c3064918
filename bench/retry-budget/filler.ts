import type { SeededRandom } from "@palimpsest/core/testing";
import { seededRandom } from "@palimpsest/core/testing";

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

type Line = (n: number, random: RandomWords) => string;

interface RandomWords extends SeededRandom {
  words(count: number): string;
}

const KINDS: readonly { tool: string; argument: string; line: Line }[] = [
  {
    tool: "bash",
    argument: "command",
    line: (n, random) =>
      `2026-03-${10 + (n % 18)}T0${n % 9}:${10 + (n % 49)}:07Z ${random.pick(LEVELS)} ` +
      `[${random.pick(NOUNS)}-${random.below(40)}] ${random.words(8)}`,
  },
  {
    tool: "grep",
    argument: "pattern",
    line: (n, random) =>
      `src/${random.pick(NOUNS)}/${random.pick(NOUNS)}.ts:${n * 7 + random.below(7)}:  ` +
      `const ${random.pick(NOUNS)} = await ${random.pick(NOUNS)}.next(${random.pick(NOUNS)});`,
  },
  {
    tool: "ls",
    argument: "directory",
    line: (n, random) =>
      `-rw-r--r-- 1 dev dev ${random.below(90_000)} Mar ${1 + (n % 28)} ` +
      `${random.pick(NOUNS)}_${random.pick(NOUNS)}_${n}.json`,
  },
  {
    tool: "read",
    argument: "file_path",
    line: (n, random) => {
      if (n % 6 === 0)
        return `export function ${random.pick(NOUNS)}${n}(${random.pick(NOUNS)}: Node) {`;
      if (n % 6 === 5) return "}";
      return `  if (${random.pick(NOUNS)}.size > ${random.below(90)}) return ${random.pick(NOUNS)}(${n});`;
    },
  },
  { tool: "fetch", argument: "url", line: (_, random) => `${random.words(14)}.` },
];

/** As many outputs as asked for, of about `tokens` tokens each. */
export function fillerPool(seed: number, count: number, tokens: number): Output[] {
  const random = seededRandom(seed);
  const words = (many: number) => Array.from({ length: many }, () => random.pick(WORDS)).join(" ");
  return Array.from({ length: count }, (_, i) => {
    const { tool, argument, line } = random.pick(KINDS);
    // From half to one and a half of it: real outputs differ in length, and policies see it.
    const length = tokens * 4 * (0.5 + random.next());
    const lines: string[] = [];
    for (let size = 0, n = 1; size < length; n += 1) {
      const text = line(n, { ...random, words });
      lines.push(text);
      size += text.length + 1;
    }
    const where = `${random.pick(NOUNS)}/${random.pick(NOUNS)}-${i}`;
    return { tool, arguments: { [argument]: where }, text: lines.join("\n"), failed: i % 30 === 0 };
  });
}
