import type { StoredEvent } from "@palimpsest/core/events";
import { windowStream } from "@palimpsest/core/events";
import type { VerdictLog } from "../check/reader.ts";
import { WindowSession } from "../verify/session.ts";
import { UnknownSignerError } from "./errors.ts";
import { HeadKeeper } from "./head-keeper.ts";
import type { Checkpoint, VerifierOptions } from "./options.ts";
import { issueVerdict } from "./publish.ts";

/** Most events of all windows in memory together; one window may have more by itself. */
const MOST_EVENTS = 1_000_000;
/** This many characters of kept content count as one event. */
const CONTENT = 64;

/** A window that has events no verdict covers yet. */
interface Dirty {
  /** When it counts as quiet, in milliseconds of the monotonic clock. */
  deadline: number;
  /** The last place from which a verifier that begins there is still sent those events. */
  readonly resume: Checkpoint | undefined;
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
  readonly #keeper: HeadKeeper;
  readonly #violated = new Set<string>();
  #handled: Checkpoint | undefined;

  /** `start`: the place from which the verifier reads on. */
  constructor(log: VerdictLog, options: VerifierOptions, start: Checkpoint | undefined) {
    this.#log = log;
    this.#options = options;
    this.#keeper = new HeadKeeper(options.heads);
    this.#handled = start;
  }

  /** No window waits for a verdict. */
  get isSettled(): boolean {
    return this.#dirty.size === 0;
  }

  /** The place up to which every event has its verdict, however busy some window is. */
  get covered(): Checkpoint | undefined {
    const [first] = this.#dirty.values();
    return first === undefined ? this.#handled : first.resume;
  }

  /** The windows looked at whose last verdict, from this run or an earlier one, is `violated`. */
  get violated(): readonly string[] {
    return [...this.#violated];
  }

  get nextDeadline(): number {
    let next = Number.POSITIVE_INFINITY;
    for (const { deadline } of this.#dirty.values()) next = Math.min(next, deadline);
    return next;
  }

  /** All events up to this place were taken. */
  handled(place: Checkpoint): void {
    this.#handled = place;
  }

  /** The head of every verdict is kept outside the store. */
  kept(): Promise<void> {
    return this.#keeper.settled();
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
    await this.#checkSigner(session);
    this.#sessions.set(window, session);
    this.#noteStatus(session);
    await session.keepLast();
    await this.#makeRoom(window);
    await this.#readOn(session);
    return session;
  }

  /** An event as it comes. */
  async take(window: string, event: StoredEvent): Promise<void> {
    const session = await this.session(window);
    // The window may have been read further than the subscription is.
    if (event.revision > lastOf(session)) await this.#take(session, event);
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
    if (this.#dirty.has(session.check.window)) return;
    // A window that is gone altogether has no events, and that is a finding too.
    if (session.check.size > 0 || session.findings().count > 0) await this.issue(session);
  }

  async issue(session: WindowSession): Promise<void> {
    const issued = await issueVerdict(this.#log, session, this.#options);
    const { window } = session.check;
    this.#dirty.delete(window);
    this.#noteStatus(session);
    if (issued === undefined) return;
    const { note, key } = issued.verdict;
    await this.#keeper.keep(window, { note, key });
    await this.#options.onVerdict?.(issued);
  }

  #noteStatus({ chain: { last, window } }: WindowSession): void {
    if (last?.status === "violated") this.#violated.add(window);
    else this.#violated.delete(window);
  }

  /**
   * Verdicts of an unknown signer are a finding, unless this verifier signed none in this store:
   * then it was started with the wrong key, and could not take back what it would say.
   */
  async #checkSigner({ chain }: WindowSession): Promise<void> {
    const { last, key, window } = chain;
    if (last === undefined || key !== undefined || (await this.#keeper.hasHeads())) return;
    throw new UnknownSignerError(window, last.key);
  }

  /** Takes what the store holds of the window beyond what was taken. */
  async #readOn(session: WindowSession): Promise<void> {
    const covered = session.chain.lastValid?.size ?? 0;
    const stream = windowStream(session.check.window);
    for await (const page of this.#log.read(stream, { from: lastOf(session) + 1 })) {
      for (const event of page) {
        if (session.check.size < covered) await session.take(event);
        else await this.#take(session, event);
      }
    }
  }

  async #take(session: WindowSession, event: StoredEvent): Promise<void> {
    const { check, chain } = session;
    const before = check.findings.count;
    await session.take(event);
    const { quietMs = 200, every = 1_000 } = this.#options;
    const deadline = performance.now() + quietMs;
    const dirty = this.#dirty.get(check.window);
    if (dirty !== undefined) dirty.deadline = deadline;
    else this.#dirty.set(check.window, { deadline, resume: this.#handled });
    if (!check.isWhole) return;
    const isDue = check.size - (chain.last?.size ?? 0) >= every;
    const isSettlement = session.tookSettlement();
    if (check.findings.count > before || isSettlement || isDue) await this.issue(session);
  }

  /** The windows that were used least recently leave, each with its verdict. */
  async #makeRoom(keep: string): Promise<void> {
    const { maxWindows = 256 } = this.#options;
    let events = 0;
    for (const session of this.#sessions.values()) events += weightOf(session);
    for (const [window, session] of this.#sessions) {
      if (this.#sessions.size <= maxWindows && events <= MOST_EVENTS) return;
      if (window === keep) continue;
      if (this.#dirty.has(window)) {
        // Half an append is whole in the store, unless there is something wrong with it.
        if (!session.check.isWhole) await this.#readOn(session);
        if (this.#dirty.has(window)) await this.issue(session);
      }
      this.#sessions.delete(window);
      events -= weightOf(session);
    }
  }
}

/** Revision of the last event that was taken. */
function lastOf({ check }: WindowSession): number {
  return check.last?.revision ?? -1;
}

function weightOf({ check }: WindowSession): number {
  return check.size + Math.ceil(check.contents.size / CONTENT);
}
