import { MAX_QUOTE, startOf } from "@palimpsest/core/state";
import type { ExtractSpan } from "./extraction.ts";
import type { KnownClaim } from "./known-claim.ts";
import type { Line } from "./lines.ts";
import { isGood, isSign } from "./outcome-phrases.ts";
import { FAILED, PASSED } from "./results.ts";
import type { SpanClaims } from "./span-claims.ts";
import { namesOfRun, plainCommand, runnersOf } from "./test-runners.ts";
import type { Run } from "./topics.ts";
import { runStatement } from "./topics.ts";

/*
 * Runs of tests and checks. The command tells what was run, or else the names of tests in what it
 * printed; a total tells how it went, and where there is none any sign of failure.
 */

/** Programs that print what is there and check nothing. */
const READS = new RegExp(
  "^(?:cat|grep|rg|ag|ls|find|sed|head|tail|less|git|echo|awk|wc|tree|diff|stat|which|view|read|" +
    "nl|man|curl|wget)\\b",
);
/** Commands that check something. */
const RUNS = new RegExp(
  "\\b(?:[\\w:-]*tests?|check|verify|lint|soak|smoke|suite|e2e|bench|spec|ci|pytest|jest|vitest|" +
    "mocha|ctest|tox|nox|rspec|phpunit|ava|jasmine|karma|cypress|playwright|bats|nextest|tsc|" +
    "mypy|ruff|eslint|biome|build|compile|validate|healthcheck|probe)\\b",
  "i",
);

export function isRun({ command = "", tool = "", source }: ExtractSpan): boolean {
  const plain = plainCommand(command);
  if (plain === "") return /test|check|lint|verify|build/i.test(tool) && source === undefined;
  if (READS.test(plain) || (source !== undefined && /^\S+$/.test(plain))) return false;
  return RUNS.test(plain) || /test|check|lint|verify/i.test(tool);
}

/** Longest output in which any sign of failure counts, wherever it stands. */
const SHORT = 80;

/** The line that shows that a run failed. */
export function failureIn(lines: readonly Line[], span: ExtractSpan): Line | undefined {
  const told = lines.filter(({ body }) => body.trim() !== "");
  const total = told.findLast(({ body }) => FAILED.test(body.trimStart()));
  if (total !== undefined) return total;
  const bad = span.status === "error";
  const partial = told.find(({ body }) => isPartial(body));
  if (partial !== undefined) return partial;
  if (!bad && told.some(({ body }) => PASSED.test(body.trimStart()))) return undefined;
  const failureLines = told.filter(({ body }) => isSign(body));
  // The end of a long output whose every other line has one tells how it went.
  const loud = told.length > SHORT && failureLines.length * FEW > told.length;
  const end = new Set(told.slice(-SHORT / 4));
  const sign = loud ? failureLines.find((line) => end.has(line)) : failureLines[0];
  return sign ?? (bad ? told.at(-1) : undefined);
}

/** Signs are few in an output when no more than one line in so many has one. */
const FEW = 20;

/** `483/500` or `3 of 12` where the whole is more than the part; not `[3/12]`, which counts on. */
const PARTIAL = /(?<![\w./[(-])(\d{1,7}) ?(?:\/|of|out of) ?(\d{1,7})(?![\w/)\]-])(?! Test #)/;
const OF_WHAT =
  /%|answer|pass|ok|green|done|succe|complet|hold|held|good|tests?|checks?|cases?|specs?|runs?|clean|fine/i;

function isPartial(body: string): boolean {
  const found = PARTIAL.exec(body);
  if (found === null || !OF_WHAT.test(body)) return false;
  const [part, whole] = [Number(found[1]), Number(found[2])];
  return part < whole && part > 0;
}

/** Names that the statement of a run gives beside its command. */
const MAX_NAMES = 6;
const MAX_COMMAND = 120;
/** Output in which names are looked for. */
const MAX_PRINTED = 20_000;

/** Adds that a run went well, for a later one to be compared with. */
export function addRun(findings: SpanClaims, span: ExtractSpan, lines: readonly Line[]): void {
  const run = isRun(span);
  // Without a command, only what names a test is a run; tests are named in few texts.
  const unnamed = span.source !== undefined || span.command !== undefined;
  if (!run && (unnamed || !/test|spec|::/i.test(span.text))) return;
  const told = lines.filter(({ body }) => body.trim() !== "");
  const good =
    told.findLast(({ body }) => PASSED.test(body.trimStart())) ??
    told.findLast(({ body }) => isGood(body));
  if (good === undefined && !run) return;
  const printed = told.map(({ body }) => body).join("\n");
  const names = namesOfRun(printed.slice(0, MAX_PRINTED));
  if (!run && names.size === 0) return;
  if (failureIn(lines, span) !== undefined) return;
  const line = good ?? told.at(-1);
  if (line === undefined || line.body.trim().length > 160) return;
  const command = startOf(plainCommand(span.command ?? ""), MAX_COMMAND) || (span.tool ?? "run");
  const inCommand = namesOfRun(command, true);
  const more = [...names].filter((name) => !inCommand.has(name)).slice(0, MAX_NAMES);
  const what = more.length === 0 ? command : `${command} (${more.join(", ")})`;
  findings.add({ statement: runStatement(false, what, line.body), quote: line.raw });
}

export interface FailedRun {
  readonly statement: string;
  readonly quote: string;
  readonly known: readonly KnownClaim[];
}

/** Lines before and after the one that shows a failure, which say of what. */
const AROUND = 4;
/** Earlier runs that one failure is set against. */
const MAX_RUNS = 3;

/** What a span shows to have failed that went well before. */
export function failedRun(
  span: ExtractSpan,
  lines: readonly Line[],
  lookup: (name: string) => readonly Run[],
): FailedRun | undefined {
  const { command = "", origin, source } = span;
  const run = origin === "tool" && isRun(span);
  if (!run && (READS.test(plainCommand(command)) || source !== undefined)) return undefined;
  const printed = lines
    .map(({ body }) => body)
    .join("\n")
    .slice(0, 60_000);
  const line = run ? failureIn(lines, span) : undefined;
  // A run prints the names of what went well too: what its failure names counts.
  const at = line === undefined ? -1 : lines.indexOf(line);
  const around = lines.slice(Math.max(0, at - AROUND), at + AROUND);
  const named = run ? around.map(({ body }) => body).join("\n") : printed;
  const all = [...namesOfRun(command, true), ...namesOfRun(named, !run)];
  const known = new Set<KnownClaim>();
  const names = new Set<string>();
  for (const name of all) {
    for (const { claim } of lookup(name)) {
      known.add(claim);
      names.add(name);
    }
  }
  if (run) {
    const asked = namesOfRun(command, true);
    for (const { claim, names: own } of runnersOf(command).flatMap(lookup)) {
      if (asked.size === 0 || own.size === 0) known.add(claim);
    }
  }
  if (known.size === 0) return undefined;
  const told = run ? (line ?? silent(lines, command, known)) : saidToFail(lines, names);
  if (told === undefined || told.raw.length > MAX_QUOTE) return undefined;
  const what = startOf(plainCommand(command), MAX_COMMAND) || [...names].slice(0, 2).join(", ");
  const statement = runStatement(true, what, told.body);
  return { statement, quote: told.raw, known: [...known].slice(-MAX_RUNS) };
}

/** The last line of a run that says nothing of how it went, where the same command did before. */
function silent(
  lines: readonly Line[],
  command: string,
  known: ReadonlySet<KnownClaim>,
): Line | undefined {
  const told = lines.filter(({ body }) => body.trim() !== "");
  if (told.some(({ body }) => isGood(body) || PASSED.test(body.trimStart()))) return undefined;
  const plain = startOf(plainCommand(command), MAX_COMMAND);
  const same = runStatement(false, plain, "").trimEnd().replace(/:$/, "");
  const spoke = [...known].some(({ statement }) => {
    return statement.startsWith(same) && isGood(statement.slice(same.length));
  });
  return spoke && plain !== "" ? told.at(-1) : undefined;
}

/** A line that names the test, with a sign of failure in it or beside it. */
function saidToFail(lines: readonly Line[], names: ReadonlySet<string>): Line | undefined {
  const at = lines.findIndex(({ body }, i) => {
    const lower = body.toLowerCase();
    if (![...names].some((name) => lower.includes(name))) return false;
    return isSign(body) || isPartial(body) || isSign(lines[i + 1]?.body ?? "");
  });
  return lines[at];
}
