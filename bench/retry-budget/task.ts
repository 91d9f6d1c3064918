import type { BatchItem, BatchItemOf, Origin } from "@palimpsest/core";
import { contentDigest } from "@palimpsest/core";
import type { SeededRandom } from "@palimpsest/core/testing";
import { seededRandom } from "@palimpsest/core/testing";
import type { Output } from "./filler.ts";
import type { Family, Passages } from "./passages.ts";
import { FAMILIES, passagesOf } from "./passages.ts";
import { HELD_OUT, WORDINGS } from "./wordings.ts";

/** Turns of a task; the question comes after the last. */
export const TURNS = 90;

/** A passage that was said in the window: where, and in which words. */
export interface Said {
  readonly spanId: string;
  readonly line: string;
}

export interface Turn {
  /** Commands of the turn, one append. */
  readonly admit: readonly BatchItem[];
  /** Spans that the agent looks at again in this turn. */
  readonly read: readonly string[];
}

export interface Task {
  readonly index: number;
  readonly family: Family;
  readonly heldOut: boolean;
  readonly turns: readonly Turn[];
  /** Turns after which the window is pruned; the last is the last turn. */
  readonly prunes: readonly number[];
  readonly first: Said;
  /** Absent when nothing in the window ever says so: a file overwritten outside. */
  readonly second?: Said;
  readonly decision: {
    readonly statement: string;
    readonly spanId: string;
    readonly turn: number;
    /** It was taken when both passages had been seen. */
    readonly knowsBoth: boolean;
  };
  /** The file that the first passage was read from, and what it holds from a turn on. */
  readonly source?: { readonly uri: string; readonly digest: string; readonly from: number };
}

interface Schedule {
  readonly first: number;
  readonly second: number;
  readonly decision: number;
}

/**
 * A task by its number: the family, the set of wordings and everything else come from it and the
 * seed. `early`: the decision is taken right after the first passage, before anybody contests it.
 */
export function makeTask(
  { seed, index, early = false }: { seed: number; index: number; early?: boolean },
  pool: readonly Output[],
): Task {
  const random = seededRandom(Math.imul(seed, 7919) + index);
  const family = FAMILIES[index % FAMILIES.length] as Family;
  // One of every two rounds through the families speaks in the held-out words.
  const heldOut = Math.floor(index / FAMILIES.length) % 2 === 1;
  const passages = passagesOf(family, heldOut ? HELD_OUT : WORDINGS, random);
  const at = scheduleOf(family, early, random);
  const turns = fillerTurns(pool, random);
  const story = storyOf(family, passages, random);
  put(turns, at.first, story.first);
  put(turns, at.second, story.second);
  const knowsBoth = at.decision > at.second;
  const statement = `${passages.label} of ${passages.name}: going with ${passages.value}`;
  const spoken = `${statement}. What follows builds on it.`;
  put(turns, at.decision, [{ ...text("assistant", spoken), spanId: "decision" }]);
  rereadings(family, turns, at, random);
  const changed = family === "read-edited" || family === "overwritten-outside";
  const cut = random.between(40, 50);
  return {
    index,
    family,
    heldOut,
    turns,
    prunes: [cut, TURNS],
    first: { spanId: "first", line: passages.first },
    ...(family !== "overwritten-outside" && {
      second: { spanId: "second", line: passages.second },
    }),
    decision: { statement, spanId: "decision", turn: at.decision, knowsBoth },
    ...(changed && {
      source: { uri: passages.file, digest: contentDigest(passages.second), from: at.second },
    }),
  };
}

function scheduleOf(family: Family, early: boolean, random: SeededRandom): Schedule {
  const first = random.between(5, 22);
  if (family === "read-edited" || family === "overwritten-outside") {
    return { first, second: random.between(first + 5, 85), decision: first + random.between(1, 3) };
  }
  const second = first + random.between(3, 14);
  const decision = early ? first + random.between(1, 2) : second + random.between(1, 3);
  return { first, second, decision };
}

interface MutableTurn {
  readonly admit: BatchItem[];
  readonly read: string[];
}

/** Turn 0 is the request, the others a call and its long output each. */
function fillerTurns(pool: readonly Output[], random: SeededRandom): MutableTurn[] {
  const start = random.below(pool.length);
  const turns: MutableTurn[] = [
    {
      admit: [
        { ...text("system", "You are an agent that looks after services."), pinned: true },
        text("user", "Prepare the release; ask when something is unclear."),
      ],
      read: [],
    },
  ];
  for (let turn = 1; turn <= TURNS; turn += 1) {
    const n = (start + turn) % pool.length;
    const output = pool[n] as Output;
    turns.push({ admit: callOf(`f${n}`, output), read: [] });
    if (turn > 3 && random.below(8) === 0) {
      turns.at(-1)?.read.push(`f${(start + turn - random.between(1, 3)) % pool.length}`);
    }
  }
  return turns;
}

function callOf(
  id: string,
  output: Output,
  more: Partial<BatchItemOf<"admitSpan">> = {},
): BatchItem[] {
  const { tool, arguments: args, text: content, failed } = output;
  const call = `call-${id}`;
  const status = failed ? "error" : "ok";
  return [
    {
      command: "admitSpan",
      spanId: `${id}-call`,
      origin: "assistant",
      kind: "tool-call",
      call,
      content: { name: tool, arguments: args },
    },
    {
      command: "admitSpan",
      spanId: id,
      origin: "tool",
      kind: "tool-result",
      call,
      tool: { name: tool, status },
      content,
      ...more,
    },
  ];
}

function text(origin: Origin, content: string): BatchItemOf<"admitSpan"> {
  return { command: "admitSpan", origin, content };
}

/** What is admitted for the two passages. */
function storyOf(
  family: Family,
  said: Passages,
  random: SeededRandom,
): { first: BatchItem[]; second: BatchItem[] } {
  const { first, second, file, name } = said;
  if (family === "test-failure") {
    return { first: run("first", first, false), second: run("second", second, true) };
  }
  const content =
    family === "document-rule" ? handbook(first, random) : settings(first, name, random);
  const read = { tool: "read", arguments: { file_path: file }, text: content, failed: false };
  const source = { source: { uri: file, digest: contentDigest(content) } };
  const reading = callOf("first", read, source);
  if (family === "overwritten-outside") return { first: reading, second: [] };
  if (family === "read-edited") return { first: reading, second: editOf(said) };
  if (random.below(2) === 0) {
    return { first: reading, second: [{ ...text("user", second), spanId: "second" }] };
  }
  const page = `${name} / 4 comments\n\nthanks, will look\n${second}\n+1`;
  const ticket = { tool: "ticket", arguments: { id: `OPS-${random.between(100, 999)}` } };
  return { first: reading, second: callOf("second", { ...ticket, text: page, failed: false }) };
}

function editOf({ file, first, second, edited }: Passages): BatchItem[] {
  const args = { file_path: file, old_string: first, new_string: second };
  return callOf("second", { tool: "edit", arguments: args, text: edited, failed: false });
}

function run(id: string, line: string, failed: boolean): BatchItem[] {
  const steps = Array.from({ length: 40 }, (_, i) => `  step ${i} of the suite finished`);
  const output = [...steps, line, "done"].join("\n");
  return callOf(id, { tool: "bash", arguments: { command: "run tests" }, text: output, failed });
}

function settings(line: string, name: string, random: SeededRandom): string {
  const other = (n: number) => `# part ${n} of ${name}\noption_${n} = ${random.below(9_000)}`;
  const above = Array.from({ length: random.between(5, 40) }, (_, i) => other(i));
  const below = Array.from({ length: random.between(5, 40) }, (_, i) => other(i + 50));
  return [...above, line, ...below].join("\n");
}

function handbook(line: string, random: SeededRandom): string {
  const other = (n: number) =>
    `Section ${n}. Teams write down what they agreed on and tell others.`;
  const above = Array.from({ length: random.between(5, 30) }, (_, i) => other(i));
  const below = Array.from({ length: random.between(5, 30) }, (_, i) => other(i + 40));
  return [...above, line, ...below].join("\n");
}

function put(turns: MutableTurn[], turn: number, commands: readonly BatchItem[]): void {
  turns[turn]?.admit.push(...commands);
}

/** The agent works with what it read first, and looks at most once at what was said against it. */
function rereadings(
  family: Family,
  turns: MutableTurn[],
  at: Schedule,
  random: SeededRandom,
): void {
  for (let n = random.between(0, 8); n > 0; n -= 1) {
    turns[random.between(at.first + 1, TURNS - 1)]?.read.push("first");
  }
  if (family === "overwritten-outside") return;
  const turn = at.second + random.between(1, 2);
  if (random.below(3) === 0) turns[turn]?.read.push("second");
}
