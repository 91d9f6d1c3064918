import type { VerdictLog } from "../check/reader.ts";
import type { Probe } from "../verdict/schema.ts";
import type { WindowSession } from "../verify/session.ts";
import type { VerifierOptions } from "./options.ts";
import { probeEdit, unprobed } from "./probe.ts";
import { publishProbes } from "./publish.ts";
import { isWithin } from "./scope.ts";
import type { Windows } from "./windows.ts";
import { windowsToProbe } from "./windows-to-probe.ts";

/** Most windows that wait to be probed; the verdicts tell of the rest again. */
const MOST_WAITING = 10_000;
/** Most edits whose probes are one append. */
const BATCH = 32;

/** Longest time that an arriving event waits for this work, in milliseconds. */
const MOMENT = 10;

/** Windows to look at, one after another. */
interface Walk {
  readonly windows: AsyncIterator<string>;
  /** For what waits to be probed only: it pauses while enough of that is known. */
  readonly isForProbes: boolean;
}

/**
 * What is done while nothing comes: windows of which a head is kept are checked again, once, and
 * what edits consumed is read from the store again, at a rate.
 */
export class Background {
  readonly #log: VerdictLog;
  readonly #windows: Windows;
  readonly #options: VerifierOptions;
  readonly #signal: AbortSignal;
  readonly #rate: number;
  readonly #mostWaiting: number;
  readonly #waiting = new Set<string>();
  #walk: Walk | undefined;
  /** More windows wait to be probed than those in `waiting`. */
  #hasMoreToProbe: boolean;
  #ready = 0;

  constructor(
    log: VerdictLog,
    windows: Windows,
    options: VerifierOptions,
    signal: AbortSignal,
    mostWaiting = MOST_WAITING,
  ) {
    this.#log = log;
    this.#windows = windows;
    this.#options = options;
    this.#signal = signal;
    this.#mostWaiting = mostWaiting;
    this.#rate = options.probesPerSecond ?? 200;
    const kept = options.recheck === false ? undefined : options.heads?.windows();
    if (kept !== undefined) this.#walk = { windows: iterate(kept), isForProbes: false };
    // Without kept heads the verdicts alone tell what an earlier run left to be probed.
    this.#hasMoreToProbe = kept === undefined && this.#rate > 0;
  }

  wantProbes(window: string): void {
    if (this.#rate === 0 || this.#waiting.has(window)) return;
    if (this.#waiting.size < this.#mostWaiting) this.#waiting.add(window);
    else this.#hasMoreToProbe = true;
  }

  get isDone(): boolean {
    return this.#walk === undefined && !this.#hasMoreToProbe && this.#waiting.size === 0;
  }

  /** When there is something to do next. */
  nextStep(now: number): number {
    if (this.#canWalk) return now;
    return this.#waiting.size > 0 ? Math.max(now, this.#ready) : Number.POSITIVE_INFINITY;
  }

  /** Works for a moment, as far as there is something to do and it is time. */
  async work(): Promise<void> {
    const end = performance.now() + MOMENT;
    for (let now = performance.now(); now < end && this.nextStep(now) <= now; ) {
      if (this.#canWalk) await this.#goOn();
      else await this.#probe();
      now = performance.now();
    }
  }

  get #canWalk(): boolean {
    if (this.#walk === undefined) return this.#hasMoreToProbe && this.#waiting.size === 0;
    return !this.#walk.isForProbes || this.#waiting.size < this.#mostWaiting;
  }

  async #goOn(): Promise<void> {
    if (this.#walk === undefined) {
      this.#hasMoreToProbe = false;
      this.#walk = {
        windows: windowsToProbe(this.#log, this.#options, this.#signal),
        isForProbes: true,
      };
    }
    const { windows, isForProbes } = this.#walk;
    const next = await windows.next();
    if (next.done === true) {
      this.#walk = undefined;
      return;
    }
    const window = next.value;
    if (!isWithin(this.#options, window) || this.#waiting.has(window)) return;
    const session = await this.#windows.session(window);
    if (!isForProbes) await this.#windows.issueIfNews(session);
    if (!unprobed(session).next().done) this.wantProbes(window);
  }

  async #probe(): Promise<void> {
    const [window] = this.#waiting;
    if (window === undefined) return;
    const session = await this.#windows.session(window);
    const probes: Probe[] = [];
    let cost = 0;
    for (const number of unprobed(session)) {
      const { probe, spans } = await probeEdit(this.#log, session, number);
      probes.push(probe);
      cost += Math.max(1, spans);
      if (probes.length === BATCH || cost >= this.#rate / 10) break;
    }
    this.#ready = performance.now() + (cost * 1_000) / this.#rate;
    if (probes.length > 0) await publishProbes(this.#log, session, this.#options, probes);
    if (unprobed(session).next().done) await this.#finish(window, session);
  }

  async #finish(window: string, session: WindowSession): Promise<void> {
    this.#waiting.delete(window);
    await this.#windows.issueIfNews(session);
  }
}

function iterate(windows: AsyncIterable<string>): AsyncIterator<string> {
  return windows[Symbol.asyncIterator]();
}
