/* What a command runs, whatever stands around it. */

const AROUND = new Set(
  (
    "npx uv run python python3 bash sh poetry bundle exec yarn pnpm bunx cd export source set " +
    "env sudo"
  ).split(" "),
);

/** The command without what only prepares it or cuts its output. */
export function plainCommand(command: string): string {
  return command
    .replace(/^(?:\s*(?:cd|export|source|set|timeout|env|sudo)\b[^&;\n]*(?:&&|;|\n))+/g, "")
    .replace(/\s*(?:2>&1|\|\s*(?:tail|head|tee|cat)\b[^|]*)\s*/g, " ")
    .replace(/\s+/g, " ")
    .trim();
}

/** The programs with their targets, without options: `pytest`, `go test`, `make check`. */
export function runnersOf(command: string): string[] {
  return plainCommand(command)
    .split(/\s*(?:&&|;|\|\||\|)\s*/, 6)
    .flatMap((part) => {
      const words = part.split(" ").filter((word) => !/^-|=/.test(word) && !AROUND.has(word));
      const [program = "", target = ""] = words;
      const name = program.slice(program.lastIndexOf("/") + 1).replace(/^gradlew$/, "gradle");
      if (name === "") return [];
      return [`runner ${/^[a-z][\w:-]*$/i.test(target) ? `${name} ${target}` : name}`];
    });
}

/** Files of tests and scripts, and tests by the way they are usually named. */
const NAMED = new RegExp(
  "^(?:[\\w-]+(?:\\.[\\w-]+)*\\.(?:py|sh|rs|go|rb|js|jsx|ts|tsx|mjs|cjs|java|kt|cs|cpp|c|exs?|php|pl|" +
    "bats|feature|t)|\\w*test_\\w+|Test[A-Z]\\w+|\\w+Test|\\w+(?:::\\w+)+)$",
);
/** Most words of a text in which names are looked for, and most names. */
const MAX_WORDS = 4_000;
const MAX_NAMES = 64;
const MAX_NAME = 120;
/** What every such name has in it: cheap to look for. */
const MARKED = /[._]|::|Test/;

const TESTS = /test|spec|::/i;

/** What the text of a run names: files, scripts and tests with `all`, else tests alone. */
export function namesOfRun(text: string, all = false): Set<string> {
  const names = new Set<string>();
  if (!all && !TESTS.test(text)) return names;
  for (const word of text.split(/[\s"'`()[\]{}<>,;|=/\\]+/, MAX_WORDS)) {
    if (word.length > MAX_NAME || names.size >= MAX_NAMES || !MARKED.test(word)) continue;
    const plain = word.replace(/(?::\d+)*[:.!?]*$/, "");
    for (const part of plain.includes(".") ? plain.split("::") : [plain]) {
      if (NAMED.test(part) && (all || TESTS.test(part))) names.add(part.toLowerCase());
    }
  }
  return names;
}
