import { execFile } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { claimFinder } from "@palimpsest/claims";
import type { ReadyPolicy, RecordedWindowEvent } from "@palimpsest/core";
import { openWindow, parseRendering, READY_POLICIES, readyPolicy } from "@palimpsest/core";
import { openSqliteLog } from "@palimpsest/core/sqlite";
import type { Found, Side } from "./found.ts";
import { carrierOf, foundIn, isShown, recallOf } from "./found.ts";

/* Recorded sessions, with the pairs of places in them that state different things. */

const ROOT = join(import.meta.dirname, "..", "..");
const FOLDER = join(process.env.PALIMPSEST_SHARED ?? join(ROOT, "..", "shared"), "transcripts");
const COMMAND = join(ROOT, "packages", "cli", "bin", "palimpsest.mjs");

/** Those of the recordings that `palimpsest import` reads. */
const FILES = [
  "claude-code-attribution-3-compactions.jsonl",
  "claude-code-checkpoint-debug-2-compactions.jsonl",
  "claude-code-settings-migration.jsonl",
  "codex-rollout-issue-triage-2-compactions.jsonl",
  "tau-bench-airline-20.json",
] as const;

interface Pair {
  readonly id: string;
  readonly file: string;
  readonly line_a: number;
  readonly line_b: number;
  readonly quote_a: string;
  readonly quote_b: string;
  readonly gist_a: string;
  readonly gist_b: string;
}

export interface Pruned {
  readonly policy: ReadyPolicy;
  readonly before: number;
  readonly after: number;
  readonly ledgerTokens: number;
  /** Pairs of which both sides are in the rendered bytes. */
  readonly shown: readonly string[];
  readonly missing: readonly string[];
  /** Pairs of which both sides are still there when the same spans are evicted without claims. */
  readonly shownWithout: readonly string[];
}

export interface TranscriptResult {
  readonly file: string;
  readonly absent: boolean;
  readonly spans: number;
  readonly found: Found;
  /** Pairs in this file, and what the extractor alone found of them. */
  readonly pairs: readonly {
    readonly id: string;
    readonly sides: number;
    readonly both: boolean;
  }[];
  readonly pruned: readonly Pruned[];
}

const AGENT = "model/agent";
const HARNESS = "host/harness";

export async function runTranscripts(): Promise<TranscriptResult[]> {
  const cache = join(ROOT, "node_modules", ".cache");
  mkdirSync(cache, { recursive: true });
  const work = mkdtempSync(join(cache, "palimpsest-retry-budget-"));
  try {
    const results: TranscriptResult[] = [];
    for (const file of FILES) {
      process.stderr.write(`${file} ...\n`);
      results.push(await runTranscript(file, work));
    }
    return results;
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

async function runTranscript(file: string, work: string): Promise<TranscriptResult> {
  const path = join(FOLDER, file);
  if (!existsSync(path)) {
    const found = { claims: [], conflicts: [] };
    return { file, absent: true, spans: 0, found, pairs: [], pruned: [] };
  }
  const all = JSON.parse(readFileSync(join(FOLDER, "contested.json"), "utf8")) as Pair[];
  const pairs = all.filter((pair) => pair.file === file);
  const store = join(work, `${file}.db`);
  const args = ["import", "--store", `sqlite:${store}`, "--window", "w", "--json", path];
  await promisify(execFile)(process.execPath, [COMMAND, ...args], { maxBuffer: 1 << 28 });
  const { events, found } = await lookAt(store);
  const pruned: Pruned[] = [];
  for (const policy of READY_POLICIES) {
    const copy = join(work, `${file}-${policy}.db`);
    copyFileSync(store, copy);
    pruned.push(await pruneCopy(copy, policy, pairs));
  }
  return {
    file,
    absent: false,
    spans: events.filter(({ type }) => type === "SpanAdmitted").length,
    found,
    pairs: pairs.map((pair) => ({ id: pair.id, ...recallOf(found, ...sidesOf(pair)) })),
    pruned,
  };
}

async function lookAt(store: string): Promise<{ events: RecordedWindowEvent[]; found: Found }> {
  return withWindow(store, async (window) => {
    const events = await window.history();
    return { events, found: foundIn(events, await window.claims()) };
  });
}

type WindowOf = Awaited<ReturnType<typeof openWindow>>;

async function withWindow<T>(store: string, use: (window: WindowOf) => Promise<T>): Promise<T> {
  const log = openSqliteLog(store);
  try {
    return await use(
      await openWindow(log, "w", { principals: [HARNESS, AGENT], finder: claimFinder() }),
    );
  } finally {
    await log.close();
  }
}

/**
 * The compactions of the recording are undone first, so that all that was said is in view and can
 * be cited; then the pairs are noted, and the window is pruned to a third in a later epoch.
 */
function pruneCopy(store: string, policy: ReadyPolicy, pairs: readonly Pair[]): Promise<Pruned> {
  return withWindow(store, async (window) => {
    for (const { editId } of (await window.status()).toReversed()) await window.undo(editId);
    const { tokens: before } = await window.show();
    for (const pair of pairs) await notePair(window, pair);
    const target = Math.floor(before / 3);
    await window.authorPolicy(readyPolicy(policy, target), { policyId: "third", by: AGENT });
    for (const policyId of [undefined, "third"]) {
      await window.admit({ origin: "user", content: "Go on." });
      await window.openEpoch(policyId === undefined ? {} : { policyId });
    }
    await window.prune();
    const { tokens, ledger, rendered } = await window.show();
    const read = parseRendering(rendered);
    const both = (pair: Pair, where: typeof read) =>
      sidesOf(pair).every((side) => isShown(side, where));
    const without = { ...read, claims: [] };
    const ids = (keep: (pair: Pair) => boolean) => pairs.filter(keep).map(({ id }) => id);
    return {
      policy,
      before,
      after: tokens,
      ledgerTokens: ledger.tokens,
      shown: ids((pair) => both(pair, read)),
      missing: ids((pair) => !both(pair, read)),
      shownWithout: ids((pair) => both(pair, without)),
    };
  });
}

async function notePair(window: WindowOf, pair: Pair): Promise<void> {
  const events = await window.history();
  const ids: string[] = [];
  for (const [index, side] of sidesOf(pair).entries()) {
    const carrier = carrierOf(side, events);
    const statement = index === 0 ? pair.gist_a : pair.gist_b;
    const done = await window.assert({ statement, ...carrier, by: HARNESS });
    ids.push(done.claimId);
  }
  const [a = "", b = ""] = ids;
  await window.noteConflict(a, b, { note: pair.id });
}

function sidesOf(pair: Pair): [Side, Side] {
  return [
    { line: pair.line_a, quote: pair.quote_a },
    { line: pair.line_b, quote: pair.quote_b },
  ];
}
