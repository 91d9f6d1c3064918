import type { StoredEvent } from "@palimpsest/core/events";
import { WINDOW_STREAM_PREFIX } from "@palimpsest/core/events";
import type { LogMessage, VerdictLog } from "../check/reader.ts";
import { Background } from "./background.ts";
import type { Checkpoint, RunningVerifier, VerifierOptions } from "./options.ts";
import { Progress } from "./progress.ts";
import { checkScope, isWithin, targetOf } from "./scope.ts";
import { Windows } from "./windows.ts";

/**
 * Follows the windows of a store, or a part of them, and publishes verdicts: when a window is
 * quiet, at every settlement, at least every so many events, and at once when something is wrong.
 * It pulls: while it checks and signs, nothing more is read. In between it probes.
 *
 * Two verifiers with one key that look at the same window do the same work twice; the second finds
 * that its verdict is there already.
 */
export function startVerifier(log: VerdictLog, options: VerifierOptions): RunningVerifier {
  checkScope(options);
  const ending = new AbortController();
  const waiting: (() => void)[] = [];
  let windows: Windows | undefined;
  const begin = async (): Promise<void> => {
    const start = await startOf(log, options);
    windows = new Windows(log, believing(options), start);
    await run(log, windows, options, { signal: ending.signal, start }, () => {
      for (const resolve of waiting.splice(0)) resolve();
    });
  };
  const done = begin();
  // `done` tells of a failure; nobody may be waiting for it yet.
  done.catch(() => undefined);
  return {
    done,
    idle: () => Promise.race([done, new Promise<void>((resolve) => waiting.push(resolve))]),
    async stop() {
      ending.abort();
      await done;
    },
    violated: () => windows?.violated ?? [],
  };
}

async function run(
  log: VerdictLog,
  windows: Windows,
  options: VerifierOptions,
  { signal, start }: { readonly signal: AbortSignal; readonly start: Checkpoint | undefined },
  onIdle: () => void,
): Promise<void> {
  const background = new Background(log, windows, options, signal);
  const progress = new Progress(options.checkpoints, start);
  const messages = log
    .subscribe(targetOf(options), { signal, ...(start !== undefined && { after: start.after }) })
    [Symbol.asyncIterator]();
  let pending: Promise<IteratorResult<LogMessage>> = messages.next();
  // A rejection while the loop is busy is met when the loop comes back to it.
  pending.catch(() => undefined);
  let isCaughtUp = false;
  let before = start?.after;
  while (!signal.aborted) {
    const isIdle: boolean = isCaughtUp && windows.isSettled && background.isDone;
    if (isIdle) {
      await windows.kept();
      onIdle();
    }
    const wait: number = isIdle ? IDLE_WAIT : waitTime(windows, background);
    const message: IteratorResult<LogMessage> | undefined = await firstOf(pending, wait);
    if (message === undefined) {
      await windows.settle(performance.now(), isCaughtUp);
      await background.work();
    } else if (message.done === true) {
      break;
    } else {
      isCaughtUp = message.value.kind === "caught-up";
      if (message.value.kind === "events") {
        const { events, checkpoint } = message.value;
        for (const event of events) {
          const window = event.stream.slice(WINDOW_STREAM_PREFIX.length);
          if (isWithin(options, window)) await takeOne(windows, background, window, event);
        }
        const [first] = events;
        if (first !== undefined && before !== undefined)
          windows.handled(checkpointBefore(first, before));
        before = checkpoint;
      }
      pending = messages.next();
      pending.catch(() => undefined);
    }
    await save(progress, windows);
  }
  await windows.settle(Number.POSITIVE_INFINITY, isCaughtUp);
  await windows.kept();
  await progress.save(windows.covered);
  await messages.return?.();
}

/** Saves a place before which the head of every verdict is kept as well. */
async function save(progress: Progress, windows: Windows): Promise<void> {
  const { covered } = windows;
  if (!progress.isDue(covered)) return;
  await windows.kept();
  await progress.save(covered);
}

async function takeOne(
  windows: Windows,
  background: Background,
  window: string,
  event: StoredEvent,
): Promise<void> {
  await windows.take(window, event);
  if (event.type === "WindowEdited") background.wantProbes(window);
}

function checkpointBefore({ stream, revision, id }: StoredEvent, after: string): Checkpoint {
  return { after, stream, revision, id };
}

/** A verifier believes its own keys and those it was given, never the first one that signs. */
function believing(options: VerifierOptions): VerifierOptions {
  const { keys = [], key, retired = [] } = options;
  return { ...options, keys: [...keys, ...retired, key] };
}

/**
 * Where to begin: at the checkpoint, as long as the same event stands behind it. A copy of a store
 * may hold the events in another order, and then unchecked ones may lie before the place.
 */
async function startOf(log: VerdictLog, options: VerifierOptions): Promise<Checkpoint | undefined> {
  const checkpoint = await options.checkpoints?.load();
  if (checkpoint === undefined) return undefined;
  const { after, stream, revision, id } = checkpoint;
  for await (const message of log.subscribe(targetOf(options), { after, pageSize: 1 })) {
    if (message.kind !== "events") return undefined;
    const [event] = message.events;
    const isThere = event?.id === id && event.stream === stream && event.revision === revision;
    return isThere ? checkpoint : undefined;
  }
  return undefined;
}

function waitTime(windows: Windows, background: Background): number {
  const now = performance.now();
  return Math.max(0, Math.min(windows.nextDeadline, background.nextStep(now)) - now);
}

/** The next message, or undefined after `ms`; the message is not lost then. */
async function firstOf<T>(pending: Promise<T>, ms: number): Promise<T | undefined> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), Math.min(ms, IDLE_WAIT));
  });
  try {
    return await Promise.race([pending, timeout]);
  } finally {
    clearTimeout(timer);
  }
}

/** Milliseconds between two looks, while there is nothing to do, at who asks whether it is idle. */
const IDLE_WAIT = 50;
