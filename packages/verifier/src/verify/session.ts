import type { StoredEvent } from "@palimpsest/core/events";
import { VERDICT_STREAM_PREFIX, windowStream } from "@palimpsest/core/events";
import { sha256Hex } from "#platform";
import { Findings } from "../check/findings.ts";
import type { Reader } from "../check/reader.ts";
import { takeEvent } from "../check/stored-contents.ts";
import type { CheckOptions, RetractedTogether } from "../check/window-check.ts";
import { WindowCheck } from "../check/window-check.ts";
import { toHex } from "../json/bytes.ts";
import type { VerifierKey } from "../notes/key.ts";
import { parseVerifierKey } from "../notes/key.ts";
import {
  claimsFell,
  probeLost,
  rolledBack,
  tailCut,
  verdictForm,
  verdictsLost,
} from "../rules/history.ts";
import type { Finding } from "../rules/rule.ts";
import type { Verdict } from "../verdict/schema.ts";
import { noteDigest, openHead } from "../verdict/sign.ts";
import { VerdictChain } from "../verdict/verdict-chain.ts";
import type { Head, KeptHead } from "./heads.ts";
import { Heads, headOf } from "./heads.ts";
import type { KeptHeads } from "./kept-heads.ts";

export interface SessionOptions extends CheckOptions {
  /** Keys known from elsewhere. Default: the first key that signed on the window is believed. */
  readonly keys?: readonly VerifierKey[];
  /** The heads kept outside the store. Default none: a report says `rollback: unchecked`. */
  readonly heads?: KeptHeads;
}

/** What was found of a window up to where it was read: what a verdict says, not signed. */
export interface WindowReport extends Omit<Verdict, "previous" | "guarantees" | "note" | "key"> {
  /** Appends that retracted several claims at once; the first 100. No verdict holds these. */
  readonly retractedTogether: readonly RetractedTogether[];
}

/** Findings that a later look cannot repeat, so every later verdict carries them. */
const LASTING = new Set([tailCut, rolledBack, verdictsLost].map(({ code }) => code));

/** The check of one window together with what was signed of it before. */
export class WindowSession {
  readonly check: WindowCheck;
  readonly chain: VerdictChain;
  /** Edits that were probed, by id, and how it ended. */
  readonly probes = new Map<string, "proven" | "lost">();
  /** No edit with a lower number waits to be probed. */
  firstUnprobed = 1;
  readonly #log: Reader;
  readonly #options: SessionOptions;
  readonly #heads: Heads;
  readonly #early: Findings;
  readonly #hasKept: boolean;
  /** The kept head, if there is one, is that of a verdict in the stream; but not of the last. */
  readonly #isKeptOld: boolean;
  #settled = false;

  private constructor(log: Reader, options: SessionOptions, past: Past) {
    this.#log = log;
    this.#options = options;
    this.check = new WindowCheck(past.chain.window, options);
    this.chain = past.chain;
    this.#early = past.findings;
    this.#heads = new Heads(past.heads, past.kept, past.isKeptKnown);
    this.#hasKept = past.kept !== undefined;
    this.#isKeptOld = past.isKeptOld;
    for (const [editId, outcome] of past.probes) this.probes.set(editId, outcome);
  }

  /** Reads what was said of the window before; the window itself is still to be read. */
  static async open(log: Reader, window: string, options: SessionOptions): Promise<WindowSession> {
    return new WindowSession(log, options, await readPast(log, window, options));
  }

  /**
   * Reads the verdicts that came since the verdict stream was read, and the window as far as they
   * go: events that another verifier has seen may just not have come here yet.
   */
  async catchUp(): Promise<void> {
    const { chain, check, probes } = this;
    const stream = VERDICT_STREAM_PREFIX + chain.window;
    for await (const page of this.#log.read(stream, { from: chain.head + 1 })) {
      for (const event of page) {
        const { head, probe } = takeSaid(chain, event, this.#early);
        if (head !== undefined) this.#heads.add(head, check);
        if (probe !== undefined) probes.set(probe.editId, probe.outcome);
      }
    }
    if (check.size >= (chain.last?.size ?? 0)) return;
    for await (const page of this.#log.read(windowStream(chain.window), { from: check.size })) {
      for (const event of page) await this.take(event);
    }
  }

  /** Checks one more event; a promise only where the store must be read for it. */
  take(event: StoredEvent): Promise<void> | undefined {
    this.#settled ||= event.type === "PruningSettled";
    const pending = takeEvent(this.#log, this.check, event);
    if (pending !== undefined) return pending.then(() => this.#heads.pass(this.check));
    this.#heads.pass(this.check);
    return undefined;
  }

  /** Whether a settlement came since this was asked. */
  tookSettlement(): boolean {
    const settled = this.#settled;
    this.#settled = false;
    return settled;
  }

  /** Everything found so far, should the stream end here. */
  findings(): { readonly list: readonly Finding[]; readonly count: number } {
    const end = new Findings(new Set(this.#options.without));
    this.#heads.end(this.check, end);
    const others = [...end.list, ...this.check.endFindings(), ...this.#lostProbes()];
    const known = new Set(this.#early.list.map(({ code, message }) => `${code} ${message}`));
    const late = others.filter(({ code, message }) => !known.has(`${code} ${message}`));
    return {
      list: [...this.#early.list, ...this.check.findings.list, ...late],
      count: this.#early.count + this.check.findings.count + late.length,
    };
  }

  /** `probed`: how many edits count as probed. */
  report(probed: number): WindowReport {
    const { fold, range, shown, window, size } = this.check;
    const { list, count } = this.findings();
    const status = count > 0 ? "violated" : probed < fold.edits.size ? "incomplete" : "holds";
    return {
      window,
      size,
      root: toHex(range.root()),
      distinct: fold.claims.distinct,
      retracted: fold.claims.retractedCount,
      edits: fold.edits.size,
      records: fold.records,
      probed,
      status,
      findings: list.slice(0, MOST_FINDINGS).map(trimmed),
      findingCount: count,
      counts: { ...fold.policies.counts },
      shown: shown.checked > 0 && shown.unchecked === 0 ? "checked" : "unchecked",
      retractedTogether: this.check.retractedTogether,
      rollback: this.#options.heads === undefined || !this.#hasKept ? "unchecked" : "checked",
    };
  }

  /**
   * Keeps the head of the last verdict if a crash came between appending and keeping it. A kept
   * head that the verdict stream does not know stays as it is, for that is a finding.
   */
  async keepLast(): Promise<void> {
    const { last } = this.chain;
    if (last === undefined || !this.#isKeptOld || this.#early.count > 0) return;
    await this.#options.heads?.put(last.window, { note: last.note, key: last.key });
  }

  get provenEdits(): number {
    let proven = 0;
    for (const outcome of this.probes.values()) proven += outcome === "proven" ? 1 : 0;
    return proven;
  }

  #lostProbes(): Finding[] {
    const { edits } = this.check.fold;
    if (this.#options.without?.includes(probeLost.code) === true) return [];
    return [...this.probes].flatMap(([editId, outcome]) => {
      const number = edits.find(editId);
      if (outcome === "proven" || number === 0) return [];
      const revision = edits.revision(number);
      const message = `the content that edit ${editId} took is lost or changed`;
      return [{ code: probeLost.code, revision, id: "", message }];
    });
  }
}

/** Most findings in a report. */
const MOST_FINDINGS = 100;

function trimmed({ code, revision, id, message, stream }: Finding) {
  const limit = 500;
  const said = message.length > limit ? `${message.slice(0, limit)}…` : message;
  const text = said.toWellFormed();
  return { code, revision, id, message: text, ...(stream !== undefined && { stream }) };
}

interface Past {
  readonly chain: VerdictChain;
  readonly heads: readonly Head[];
  readonly probes: ReadonlyMap<string, "proven" | "lost">;
  readonly findings: Findings;
  readonly kept: KeptHead | undefined;
  readonly isKeptKnown: boolean;
  readonly isKeptOld: boolean;
}

async function readPast(log: Reader, window: string, options: SessionOptions): Promise<Past> {
  const findings = new Findings(new Set(options.without));
  const chain = new VerdictChain(window, options.keys);
  const keptVerdict = await options.heads?.get(window);
  const wanted = keptVerdict === undefined ? undefined : sha256Hex(keptVerdict.note);
  const heads: Head[] = [];
  const probes = new Map<string, "proven" | "lost">();
  let isKeptKnown = false;
  for await (const page of log.read(VERDICT_STREAM_PREFIX + window)) {
    for (const event of page) {
      const { head, probe, note } = takeSaid(chain, event, findings);
      if (probe !== undefined) probes.set(probe.editId, probe.outcome);
      if (head !== undefined) heads.push(head);
      isKeptKnown ||= note !== undefined && note === wanted;
    }
  }
  for (const finding of carried(chain.last)) {
    findings.add(finding, finding, finding.message, finding.stream);
  }
  const kept = keptVerdict === undefined ? undefined : keptHead(keptVerdict, options.keys ?? []);
  if (keptVerdict !== undefined && kept === undefined) {
    findings.add(verdictForm, undefined, "the head kept outside the store is not a signed head");
  }
  const isLast = chain.last !== undefined && noteDigest(chain.last) === wanted;
  const isKeptOld = !isLast && (isKeptKnown || keptVerdict === undefined);
  return { chain, heads, probes, findings, kept, isKeptKnown, isKeptOld };
}

/** Takes an event of the verdict stream; what is wrong with it becomes findings. */
function takeSaid(chain: VerdictChain, event: StoredEvent, findings: Findings) {
  const { verdict, probe, problems } = chain.take(event);
  for (const { rule, message } of problems) findings.add(rule, event, message, "verdict");
  if (verdict === undefined) return { probe };
  const hasFewer = problems.some(({ rule }) => rule.code === claimsFell.code);
  return { head: headOf(verdict, event, hasFewer), note: noteDigest(verdict) };
}

function carried(last: Verdict | undefined): Finding[] {
  return (last?.findings ?? []).filter(({ code }) => LASTING.has(code));
}

function keptHead(
  { note, key }: { readonly note: string; readonly key: string },
  trusted: readonly VerifierKey[],
): KeptHead | undefined {
  const own = parseVerifierKey(key);
  const head = openHead(note, own === undefined ? trusted : [...trusted, own]);
  return head === undefined ? undefined : { ...head, note: sha256Hex(note) };
}
