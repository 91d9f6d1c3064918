import type { Json, RecordedWindowEvent, StoredEvent } from "@palimpsest/core/events";
import { windowStream } from "@palimpsest/core/events";
import { Fold } from "../fold/fold.ts";
import type { EditPlan } from "../fold/plan.ts";
import { leafHash } from "../merkle/hashing.ts";
import type { EventLeaf } from "../merkle/leaf.ts";
import { contentOf, eventLeaf } from "../merkle/leaf.ts";
import { MerkleRange } from "../merkle/range.ts";
import { liveContents } from "../render/render.ts";
import { openedOnce } from "../rules/history.ts";
import { isSameAppend, recordOrphan } from "../rules/records.ts";
import type { Finding, Place } from "../rules/rule.ts";
import type { RuleBook } from "../rules/rule-book.ts";
import { ruleBook } from "../rules/rule-book.ts";
import { Contents } from "./contents.ts";
import { Findings } from "./findings.ts";
import { Frame } from "./frame.ts";
import { readEvent } from "./read-event.ts";
import { Settlements } from "./settlements.ts";
import { checkShown, shownNow, tokensNow } from "./shown.ts";
import type { TokenCounter } from "./tokens.ts";
import { tokenCounter } from "./tokens.ts";
import { wantedContents } from "./wanted-contents.ts";

export interface CheckOptions {
  /** Codes of rules that are switched off: how a test shows that each is needed. Default none. */
  readonly without?: readonly string[];
  /**
   * Tokenizers beside the default one, by the name that windows give. Default none: the token
   * counts of a window with another tokenizer are not checked.
   */
  readonly tokenizers?: Readonly<Record<string, TokenCounter>>;
}

/** An append that retracted several claims, each with a reason; worth a look. */
export interface RetractedTogether {
  /** Revision of the first retraction. */
  readonly revision: number;
  /** Ids of the claims, in the order of their retractions. */
  readonly claims: readonly string[];
}

/**
 * Checks the events of one window, one after another from revision 0. Pure: what it needs from the
 * store it asks for. Total: whatever an event is, it becomes a leaf of the tree and findings.
 */
export class WindowCheck {
  readonly window: string;
  readonly fold = new Fold();
  readonly range = new MerkleRange();
  readonly contents = new Contents();
  readonly findings: Findings;
  /** Renderings that were compared, and those that could not be. */
  readonly shown = { checked: 0, unchecked: 0 };
  /** Appends that retracted several claims at once, the first 100 of them. */
  readonly retractedTogether: RetractedTogether[] = [];
  readonly #book: RuleBook;
  readonly #frame = new Frame();
  readonly #options: CheckOptions;
  #previous: RecordedWindowEvent | undefined;
  #last: StoredEvent | undefined;
  /** The last event is a record that was written after its edit. */
  #isLate = false;
  /** The edit that the last event was, if it has no record before it. */
  #lacking: string | undefined;
  #append: RecordedWindowEvent[] = [];
  #plans: EditPlan[] = [];
  readonly #settlements = new Settlements();

  constructor(window: string, options: CheckOptions = {}) {
    this.window = window;
    this.#options = options;
    const without = new Set(options.without);
    this.#book = ruleBook(without);
    this.findings = new Findings(without);
  }

  /** Events taken so far. */
  get size(): number {
    return this.range.size;
  }

  /** Revisions at which the contents of the live spans lie. */
  liveContents(): number[] {
    return liveContents(this.fold);
  }

  /** No append is half taken. */
  get isWhole(): boolean {
    return !this.#frame.isOpen;
  }

  /** The last event taken. */
  get last(): StoredEvent | undefined {
    return this.#last;
  }

  /** Revisions of the contents that must be given from the store before the event is taken. */
  wants(stored: StoredEvent): number[] {
    return wantedContents(this.fold, stored).filter((revision) => !this.contents.has(revision));
  }

  /** What was wanted, as far as the store had it. */
  supply(contents: ReadonlyMap<number, Json>): void {
    this.contents.supply(contents);
  }

  take(stored: StoredEvent): void {
    const leaf = this.#leafOf(stored);
    this.range.append(leaf?.hash ?? leafHash(new Uint8Array()));
    const read = readEvent(stored, windowStream(this.window));
    const { metadata, problems } = read;
    // What has no canonical form could be compared with nothing later on.
    const event = leaf === undefined ? undefined : read.event;
    for (const { code, message } of problems) this.findings.add({ code }, stored, message);
    for (const { rule, message, atPrevious } of this.#frame.next(stored.revision, metadata)) {
      this.findings.add(rule, atPrevious === true ? this.#last : stored, message);
    }
    this.#checkOpened(stored, event);
    this.#checkOrphan(event);
    if (event === undefined) this.fold.skip(stored.revision);
    else this.#takeEvent(event, stored, leaf);
    this.#noteRecord(event);
    this.#previous = event;
    this.#last = stored;
    if (metadata !== undefined && !this.#frame.isOpen) this.#endAppend();
  }

  /** What is wrong if the stream ends here. */
  endFindings(): Finding[] {
    const end = new Findings(new Set(this.#options.without));
    for (const { rule, message } of this.#frame.end()) end.add(rule, this.#last, message);
    if (this.#previous?.type === "RecoveryRecorded" && this.isWhole && !this.#isLate) {
      end.add(recordOrphan, this.#last, "no edit follows the record");
    }
    return [...end.list];
  }

  #leafOf(stored: StoredEvent): EventLeaf | undefined {
    try {
      return eventLeaf(stored);
    } catch {
      this.findings.add({ code: "malformed-event" }, stored, "the event has no canonical form");
      return undefined;
    }
  }

  #checkOpened(stored: StoredEvent, event: RecordedWindowEvent | undefined): void {
    const isFirst = stored.revision === 0;
    const opens = event?.type === "WindowOpened";
    if (event !== undefined && opens !== isFirst) {
      const message = isFirst
        ? "the first event does not open the window"
        : "the window is opened again";
      this.findings.add(openedOnce, stored, message);
    } else if (opens && event.data.window !== this.window) {
      this.findings.add(openedOnce, stored, `the window that it opens is not ${this.window}`);
    }
  }

  /** A record directly behind the edit that lacks it is found at the edit, and only there. */
  #noteRecord(event: RecordedWindowEvent | undefined): void {
    const isRecord = event?.type === "RecoveryRecorded";
    this.#isLate = isRecord && this.#lacking === event.data.editId;
    this.#lacking = undefined;
    if (event?.type !== "WindowEdited") return;
    const previous = this.#previous;
    const hasRecord = previous?.type === "RecoveryRecorded" && isSameAppend(previous, event);
    if (!hasRecord) this.#lacking = event.data.editId;
  }

  #checkOrphan(event: RecordedWindowEvent | undefined): void {
    const record = this.#previous;
    if (record?.type !== "RecoveryRecorded" || event === undefined) return;
    // An edit that is elsewhere is found to lack its record; here, none is.
    if (event.type !== "WindowEdited" && !this.#isLate)
      this.findings.add(recordOrphan, this.#last, "no edit follows the record");
  }

  #takeEvent(event: RecordedWindowEvent, stored: StoredEvent, leaf: EventLeaf | undefined): void {
    const { fold } = this;
    const plan = event.type === "WindowEdited" ? fold.plan(event) : undefined;
    const tokensOf = tokenCounter(fold.tokenizer, this.#options.tokenizers);
    const tokens = (): number | undefined => tokensNow(fold, tokensOf)?.tokens;
    const place: Place = {
      event,
      fold,
      plan,
      previous: this.#previous,
      contentDigest: leaf?.contentDigest,
      contentText: leaf?.contentText,
      contentAt: (revision) => this.contents.at(revision),
      tokensOf,
      settling:
        event.type === "PruningSettled"
          ? this.#settlements.settle(event.data.proposalId, tokens)
          : undefined,
    };
    for (const rule of this.#book.on[event.type]) {
      const message = rule.check(place);
      if (message !== undefined) this.findings.add(rule, stored, message);
    }
    if (event.type === "WindowRendered") this.#checkShown(event, stored, place);
    if (plan !== undefined) this.#settlements.add(plan, tokens);
    const content = contentOf(stored.data);
    if (content !== undefined) {
      this.contents.keep(stored.revision, content, leaf?.contentText?.length ?? 0);
    }
    fold.apply(event, plan);
    this.#append.push(event);
    if (plan !== undefined) this.#plans.push(plan);
  }

  #checkShown(
    event: RecordedWindowEvent & { readonly type: "WindowRendered" },
    stored: StoredEvent,
    { contentAt, tokensOf }: Place,
  ): void {
    const isNow = event.data.at === this.fold.revision;
    const shown = isNow ? shownNow(this.fold, contentAt, tokensOf) : undefined;
    if (shown?.digest === undefined) this.shown.unchecked += 1;
    else this.shown.checked += 1;
    for (const { rule, message } of checkShown(event, shown, this.fold.firstChanged)) {
      this.findings.add(rule, stored, message);
    }
  }

  #endAppend(): void {
    const events = this.#append;
    const place = { events, fold: this.fold, plans: this.#plans };
    for (const rule of this.#book.appends) {
      const broken = rule.check(place);
      if (broken !== undefined) {
        this.findings.add(rule, broken.event ?? this.#last, broken.message);
      }
    }
    const retracted = events.filter(({ type }) => type === "ClaimRetracted");
    if (retracted.length > 1 && this.retractedTogether.length < 100) {
      const claims = retracted.map(({ data }) => (data as { claimId: string }).claimId);
      this.retractedTogether.push({ revision: retracted[0]?.revision ?? -1, claims });
    }
    this.fold.endAppend();
    this.#append = [];
    this.#plans = [];
    this.#settlements.endAppend();
  }
}
