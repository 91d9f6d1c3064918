import type { StoredEvent } from "@palimpsest/core/events";
import { windowStream } from "@palimpsest/core/events";
import type { VerdictLog } from "../check/reader.ts";
import { WindowSession } from "../verify/session.ts";
import type { IssuedVerdict, VerifierOptions } from "./options.ts";
import { issueVerdict } from "./publish.ts";

/** Most events of all windows in memory together; one window may have more by itself. */
const MOST_EVENTS = 1_000_000;

/** A window that has events no verdict covers yet. */
interface Dirty {
  /** When it counts as quiet, in milliseconds of the monotonic clock. */
  deadline: number;
}

/**
 * The windows that a verifier is looking at: a bounded number of them, the least recently used
 * one leaves. A window that comes back is read from its first event again.
 */
export class Windows {
  readonly #log: VerdictLog;
  readonly #options: VerifierOptions;
  readonly #sessions = new Map<string, WindowSession>();
  /** In order of their first event without a verdict. */
  readonly #dirty = new Map<string, Dirty>();

  constructor(log: VerdictLog, options: VerifierOptions) {
    this.#log = log;
    this.#options = options;
  }

  /** No window waits for a verdict: a verifier may resume behind everything it has read. */
  get isSettled(): boolean {
    return this.#dirty.size === 0;
  }

  get nextDeadline(): number {
    let next = Number.POSITIVE_INFINITY;
    for (const { deadline } of this.#dirty.values()) next = Math.min(next, deadline);
    return next;
  }

  /** The session of a window, read up to its head. */
  async session(window: string): Promise<WindowSession> {
    const known = this.#sessions.get(window);
    if (known !== undefined) {
      this.#sessions.delete(window);
      this.#sessions.set(window, known);
      return known;
    }
    const session = await WindowSession.open(this.#log, window, this.#options);
    this.#sessions.set(window, session);
    await session.keepLast();
    await this.#makeRoom(window);
    const covered = session.chain.last?.size ?? 0;
    for await (const page of this.#log.read(windowStream(window))) {
      for (const event of page) {
        if (session.check.size < covered) await session.take(event);
        else await this.#take(session, event);
      }
    }
    return session;
  }

  /** An event as it comes. */
  async take(window: string, event: StoredEvent): Promise<void> {
    const session = await this.session(window);
    // The window may have been read further than the subscription is.
    if (event.revision >= session.check.size) await this.#take(session, event);
  }

  /**
   * Verdicts on the windows that are quiet at `now`. The rest of an append may still be on its way
   * while the verifier is behind; half an append is half an append only once it has caught up.
   */
  async settle(now: number, isCaughtUp: boolean): Promise<void> {
    for (const [window, { deadline }] of [...this.#dirty]) {
      const session = this.#sessions.get(window);
      if (session === undefined || deadline > now) continue;
      if (session.check.isWhole || isCaughtUp) await this.issue(session);
    }
  }

  /** A verdict that differs from the last one, unless events are still coming. */
  async issueIfNews(session: WindowSession): Promise<void> {
    if (session.check.size > 0 && !this.#dirty.has(session.check.window)) {
      await this.issue(session);
    }
  }

  async issue(session: WindowSession): Promise<void> {
    const issued = await issueVerdict(this.#log, session, this.#options);
    this.#dirty.delete(session.check.window);
    if (issued !== undefined) this.#tell(issued);
  }

  async #take(session: WindowSession, event: StoredEvent): Promise<void> {
    const { check, chain } = session;
    const before = check.findings.count;
    await session.take(event);
    const { quietMs = 200, every = 1_000 } = this.#options;
    const deadline = performance.now() + quietMs;
    const dirty = this.#dirty.get(check.window);
    if (dirty === undefined) this.#dirty.set(check.window, { deadline });
    else dirty.deadline = deadline;
    if (!check.isWhole) return;
    const isDue = check.size - (chain.last?.size ?? 0) >= every;
    const isSettlement = session.tookSettlement();
    if (check.findings.count > before || isSettlement || isDue) await this.issue(session);
  }

  async #makeRoom(keep: string): Promise<void> {
    const { maxWindows = 256 } = this.#options;
    let events = 0;
    for (const { check } of this.#sessions.values()) events += check.size;
    for (const [window, session] of this.#sessions) {
      if (this.#sessions.size <= maxWindows && events <= MOST_EVENTS) return;
      if (window === keep) continue;
      if (this.#dirty.has(window)) await this.issue(session);
      this.#sessions.delete(window);
      events -= session.check.size;
    }
  }

  #tell(issued: IssuedVerdict): void {
    this.#options.onVerdict?.(issued);
  }
}
