import type { ChildProcess } from "node:child_process";
import { fork, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { text as readText } from "node:stream/consumers";
import { pathToFileURL } from "node:url";
import type { Json } from "@palimpsest/core";
import { contentDigest, eventId, openWindow, utf8Div4 } from "@palimpsest/core";
import { openSqliteLog } from "@palimpsest/core/sqlite";
import type { SmallAppend } from "../test/support/log/fill.ts";
import { fillStore } from "../test/support/log/fill.ts";
import type { Figure, Result } from "./figure.ts";
import { costResult, countResult } from "./figure.ts";
import { quantile } from "./measure.ts";
import { content } from "./workload.ts";

/** What a worker says when it is done: milliseconds, and the most memory it had, in MiB. */
interface WorkerResult {
  readonly ms: number;
  readonly mib: number;
}

const EVENTS = Number(process.env.PALIMPSEST_BENCH_EVENTS ?? 1_000_000);
const MOST_MIB = 350;

/**
 * The command as a user types it, from the start of the process to the verdict on every event,
 * against reading and parsing the same rows alone.
 */
const fullVerification: Figure = {
  name: "full verification",
  async measure(folder) {
    const file = join(folder, "verified.db");
    await fillStore(file, mixedHistory(EVENTS));
    const ours = await command("verify", "--store", file, "--no-state");
    const theirs = await reading(file);
    const time = costResult(
      { ours: [ours.ms], theirs: [theirs.ms] },
      {
        name: fullVerification.name,
        unit: "µs",
        per: EVENTS,
        target: 8,
        note: `${EVENTS} events, 1 KiB a span, an edit every ten, against read + JSON.parse`,
      },
    );
    const memory = countResult({
      name: "full verification, memory",
      unit: "MiB",
      value: ours.mib,
      limit: MOST_MIB,
      target: 1,
      note: "most resident memory of `palimpsest verify --store FILE`",
    });
    return [time, memory];
  },
};

const SETTLEMENTS = 200;
const MOST_MS = 150;

/** From a settlement's append to the verdict on it, said by another process. */
const verdictLatency: Figure = {
  name: "verdict latency",
  async measure(folder): Promise<Result> {
    const file = join(folder, "followed.db");
    const log = openSqliteLog(file);
    const window = await openWindow(log, "w", { principals: ["host/h", "model/m"] });
    const worker = startWorker("follow", file);
    await once(worker, "message");
    const times: number[] = [];
    const settled = new Map<number, number>();
    const verdicts = log.subscribe({ stream: "verdict-w" })[Symbol.asyncIterator]();
    for (let i = 0; i < SETTLEMENTS; i += 1) {
      const { revision } = await window.admit({
        spanId: `s${i}`,
        origin: "tool",
        content: content(i),
      });
      const proposalId = `p${i}`;
      const candidates = [`s${i}`];
      await window.execute({ command: "proposePruning", proposalId, candidates, by: "model/m" });
      await window.execute({ command: "settlePruning", proposalId });
      const start = performance.now();
      // Admission, proposal, record, edit, settlement: the verdict is about all of them.
      settled.set(revision + 5, start);
      await verdictOn(verdicts, revision + 5);
      times.push(performance.now() - start);
    }
    worker.send("stop");
    await once(worker, "exit");
    await verdicts.return?.();
    await log.close();
    return countResult({
      name: verdictLatency.name,
      unit: "ms",
      value: quantile(times, 0.99),
      limit: MOST_MS,
      target: 1,
      note: `p99 of ${SETTLEMENTS} settlements, the median ${quantile(times, 0.5).toFixed(1)} ms`,
    });
  },
};

export const VERIFIER_FIGURES: readonly Figure[] = [fullVerification, verdictLatency];

type Messages = ReturnType<ReturnType<typeof openSqliteLog>["subscribe"]>;

async function verdictOn(
  messages: ReturnType<Messages[typeof Symbol.asyncIterator]>,
  size: number,
): Promise<void> {
  for (;;) {
    const { value, done } = await messages.next();
    if (done === true) throw new Error("the verdicts ended");
    if (value.kind !== "events") continue;
    const said = value.events.some(({ type, data }) => {
      return type === "VerdictIssued" && (data as { size: number }).size >= size;
    });
    if (said) return;
  }
}

/** Runs the built command, which must find that all is well. */
async function command(...args: string[]): Promise<WorkerResult> {
  const program = join(import.meta.dirname, "../packages/cli/bin/palimpsest.mjs");
  const usage = pathToFileURL(join(import.meta.dirname, "usage.mjs")).href;
  const child = spawn(process.execPath, ["--import", usage, program, ...args], {
    stdio: ["ignore", "ignore", "inherit", "pipe"],
  });
  const [text, [code]] = await Promise.all([
    readText(child.stdio[3] as Readable),
    once(child, "close") as Promise<[number | null]>,
  ]);
  if (code !== 0) throw new Error(`palimpsest ${args[0]} ended with ${code}`);
  return JSON.parse(text) as WorkerResult;
}

function startWorker(mode: string, file: string): ChildProcess {
  return fork(join(import.meta.dirname, "verifier-worker.mjs"), [mode, file]);
}

async function reading(file: string): Promise<WorkerResult> {
  const worker = startWorker("read", file);
  const [result] = (await once(worker, "message")) as [WorkerResult];
  if (worker.exitCode === null) await once(worker, "exit");
  return result;
}

/** Admissions of 1 KiB each, and an evict of the oldest live span every ten events. */
function* mixedHistory(events: number): Generator<SmallAppend> {
  const born: { spanId: string; revision: number; digest: string }[] = [];
  let [revision, edits] = [0, 0];
  const append = (list: readonly { type: string; data: Json }[]): SmallAppend => {
    const commandId = `c${revision}`;
    const command = { commandId, commandDigest: contentDigest(commandId), count: list.length };
    const at = new Date(1_700_000_000_000 + revision).toISOString();
    const shared = { by: "host/h", ...command, at, schemaVersion: 1 };
    const appended = list.map(({ type, data }, index) => ({
      id: eventId("w", "host/h", commandId, index),
      type,
      data,
      metadata: { ...shared, index },
    }));
    revision += list.length;
    return { stream: "window-w", revision: revision - list.length, events: appended };
  };
  yield append([{ type: "WindowOpened", data: { window: "w", tokenizer: utf8Div4.name } }]);
  while (revision < events) {
    if (revision % 10 === 9) {
      const [oldest] = born.slice(edits, edits + 1);
      edits += 1;
      const [editId, ordinal] = [`e${edits}`, edits];
      yield append([
        { type: "RecoveryRecorded", data: { editId, ordinal, consumed: [oldest as never] } },
        { type: "WindowEdited", data: { editId, ordinal, verb: "evict" } },
      ]);
      continue;
    }
    const text = content(revision);
    const measures = { tokens: utf8Div4.count(text), digest: contentDigest(text) };
    const span = { spanId: `s${revision}`, origin: "tool", kind: "text", content: text };
    born.push({ spanId: span.spanId, revision, digest: measures.digest });
    yield append([{ type: "SpanAdmitted", data: { ...span, ...measures } }]);
  }
}
