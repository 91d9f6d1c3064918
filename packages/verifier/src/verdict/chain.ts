import type { StoredEvent } from "@palimpsest/core/events";
import { VERDICT_STREAM_PREFIX } from "@palimpsest/core/events";
import type { VerifierKey } from "../notes/key.ts";
import { formatVerifierKey, parseVerifierKey } from "../notes/key.ts";
import { claimsFell, verdictChain, verdictForm, verdictSignature } from "../rules/history.ts";
import type { RuleInfo } from "../rules/rule.ts";
import type { Probe, Verdict } from "./schema.ts";
import { verdictEventSchemas, verdictMetadataSchema } from "./schema.ts";
import { noteDigest, verdictProblem } from "./sign.ts";

export interface ChainProblem {
  readonly rule: RuleInfo;
  readonly message: string;
}

/** One event of a verdict stream, as far as it can be believed. */
export interface ChainLink {
  readonly verdict?: Verdict;
  readonly probe?: Probe;
  readonly problems: readonly ChainProblem[];
}

/**
 * The verdicts of one window, one after another: their form, their signatures and how each follows
 * from the one before. Knows nothing of the window itself. Total: an event may be anything.
 */
export class VerdictChain {
  readonly window: string;
  readonly #trusted: readonly VerifierKey[];
  #current: VerifierKey | undefined;
  #last: Verdict | undefined;
  #next = 0;

  /** `trusted`: keys known from elsewhere. Without any, the first key that signs is believed. */
  constructor(window: string, trusted: readonly VerifierKey[] = []) {
    this.window = window;
    this.#trusted = trusted;
  }

  /** The last verdict that was well formed. */
  get last(): Verdict | undefined {
    return this.#last;
  }

  /** Revision of the last event of the stream; -1 when there is none. */
  get head(): number {
    return this.#next - 1;
  }

  /** The key whose signature counts now. */
  get key(): VerifierKey | undefined {
    return this.#current;
  }

  take(stored: StoredEvent): ChainLink {
    const problems: ChainProblem[] = [];
    if (stored.revision !== this.#next) {
      const message = `revision ${stored.revision} stands where ${this.#next} is expected`;
      problems.push({ rule: verdictForm, message });
    }
    this.#next = stored.revision + 1;
    const read = this.#read(stored);
    if (read === undefined) {
      problems.push({ rule: verdictForm, message: "it is no verdict and no probe of this window" });
      return { problems };
    }
    if ("probe" in read) return { probe: read.probe, problems };
    const { verdict } = read;
    problems.push(...this.#follows(verdict), ...this.#isSigned(verdict));
    this.#last = verdict;
    return { verdict, problems };
  }

  #read(stored: StoredEvent): { verdict: Verdict } | { probe: Probe } | undefined {
    const { type, data, metadata, undecodable } = stored;
    const placed = stored.stream === VERDICT_STREAM_PREFIX + this.window;
    if (!placed || undecodable !== undefined) return undefined;
    const meta = verdictMetadataSchema.safeParse(metadata);
    if (!meta.success || !meta.data.by.startsWith("verifier/")) return undefined;
    if (type === "EditProbed") {
      const parsed = verdictEventSchemas.EditProbed.safeParse(data);
      return parsed.success ? { probe: parsed.data } : undefined;
    }
    if (type !== "VerdictIssued") return undefined;
    const parsed = verdictEventSchemas.VerdictIssued.safeParse(data);
    if (!parsed.success || parsed.data.window !== this.window) return undefined;
    return { verdict: parsed.data };
  }

  #follows(verdict: Verdict): ChainProblem[] {
    const last = this.#last;
    if (verdict.previous !== (last === undefined ? null : noteDigest(last))) {
      return [{ rule: verdictChain, message: "it does not name the verdict before it" }];
    }
    if (last === undefined) return [];
    if (verdict.size < last.size) {
      const message = `it is about ${verdict.size} events, the one before about ${last.size}`;
      return [{ rule: verdictChain, message }];
    }
    const [d, t] = [verdict.distinct, verdict.retracted];
    if (t >= last.retracted && d + t >= last.distinct + last.retracted) return [];
    const message = `${d} claims, ${t} retracted, after ${last.distinct} and ${last.retracted}`;
    return [{ rule: claimsFell, message }];
  }

  #isSigned(verdict: Verdict): ChainProblem[] {
    const key = parseVerifierKey(verdict.key);
    if (key === undefined) {
      return [{ rule: verdictSignature, message: "its key is no key that anybody can own" }];
    }
    const current = this.#current;
    const isSame = current !== undefined && formatVerifierKey(current) === verdict.key;
    if (current === undefined && !this.#believes(key)) {
      const message = `it is signed by ${key.name} ${key.id}, which is not trusted here`;
      return [{ rule: verdictSignature, message }];
    }
    const signers = current === undefined || isSame ? [key] : [key, current];
    const problem = verdictProblem(verdict, signers);
    if (problem !== undefined) {
      return [{ rule: verdictSignature, message: `its note is not valid: ${problem}` }];
    }
    this.#current = key;
    return [];
  }

  #believes(key: VerifierKey): boolean {
    const text = formatVerifierKey(key);
    return (
      this.#trusted.length === 0 || this.#trusted.some((one) => formatVerifierKey(one) === text)
    );
  }
}
