import type { VerdictLog } from "../check/reader.ts";
import type { Probe } from "../verdict/schema.ts";
import type { WindowSession } from "../verify/session.ts";
import type { VerifierOptions } from "./options.ts";
import { probeEdit, unprobed } from "./probe.ts";
import { publishProbes } from "./publish.ts";
import { isWithin } from "./scope.ts";
import type { Windows } from "./windows.ts";

/** Most windows that wait to be probed; the rest is found again by the next start. */
const MOST_WAITING = 10_000;
/** Most edits whose probes are one append. */
const BATCH = 32;

/**
 * What is done while nothing comes: windows of which a head is kept are checked again, once, and
 * what edits consumed is read from the store again, at a rate.
 */
export class Background {
  readonly #log: VerdictLog;
  readonly #windows: Windows;
  readonly #options: VerifierOptions;
  readonly #waiting = new Set<string>();
  readonly #rechecks: AsyncIterator<string> | undefined;
  #isRechecking: boolean;
  #ready = 0;

  constructor(log: VerdictLog, windows: Windows, options: VerifierOptions) {
    this.#log = log;
    this.#windows = windows;
    this.#options = options;
    this.#isRechecking = options.recheck !== false && options.heads !== undefined;
    this.#rechecks = options.heads?.windows()[Symbol.asyncIterator]();
  }

  wantProbes(window: string): void {
    const { probesPerSecond = 200 } = this.#options;
    if (probesPerSecond > 0 && this.#waiting.size < MOST_WAITING) this.#waiting.add(window);
  }

  get isDone(): boolean {
    return !this.#isRechecking && this.#waiting.size === 0;
  }

  /** When there is something to do next. */
  nextStep(now: number): number {
    if (this.#isRechecking) return now;
    return this.#waiting.size > 0 ? Math.max(now, this.#ready) : Number.POSITIVE_INFINITY;
  }

  /** Does one piece of work, if there is any and it is time. */
  async step(): Promise<void> {
    if (this.#isRechecking) await this.#recheck();
    else if (performance.now() >= this.#ready) await this.#probe();
  }

  async #recheck(): Promise<void> {
    const next = await this.#rechecks?.next();
    if (next === undefined || next.done === true) {
      this.#isRechecking = false;
      return;
    }
    if (!isWithin(this.#options, next.value)) return;
    const session = await this.#windows.session(next.value);
    await this.#windows.issueIfNews(session);
    if (!unprobed(session).next().done) this.wantProbes(next.value);
  }

  async #probe(): Promise<void> {
    const [window] = this.#waiting;
    if (window === undefined) return;
    const { probesPerSecond = 200 } = this.#options;
    const session = await this.#windows.session(window);
    const probes: Probe[] = [];
    let cost = 0;
    for (const number of unprobed(session)) {
      const { probe, spans } = await probeEdit(this.#log, session, number);
      probes.push(probe);
      cost += Math.max(1, spans);
      if (probes.length === BATCH || cost >= probesPerSecond / 10) break;
    }
    this.#ready = performance.now() + (cost * 1_000) / probesPerSecond;
    if (probes.length > 0) await publishProbes(this.#log, session, this.#options, probes);
    if (unprobed(session).next().done) await this.#finish(window, session);
  }

  async #finish(window: string, session: WindowSession): Promise<void> {
    this.#waiting.delete(window);
    await this.#windows.issueIfNews(session);
  }
}
