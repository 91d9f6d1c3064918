import type { StoredEvent } from "@palimpsest/core/events";
import { VERDICT_STREAM_PREFIX } from "@palimpsest/core/events";
import type { VerifierKey } from "../notes/key.ts";
import { formatVerifierKey, parseVerifierKey } from "../notes/key.ts";
import { claimsFell, verdictChain, verdictForm, verdictSignature } from "../rules/history.ts";
import type { RuleInfo } from "../rules/rule.ts";
import { readVerdictEvent } from "./read-verdict-event.ts";
import type { Probe, Verdict, VerdictEvent } from "./schema.ts";
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
  #lastValid: Verdict | undefined;
  #acknowledged: Verdict | undefined;
  #next = 0;

  /** `trusted`: keys known from elsewhere. Without any, the first key that signs is believed. */
  constructor(window: string, trusted: readonly VerifierKey[] = []) {
    this.window = window;
    this.#trusted = trusted;
  }

  /** The last verdict that was well formed: the next one follows it, whoever wrote it. */
  get last(): Verdict | undefined {
    return this.#last;
  }

  /** The last verdict with nothing wrong about it. */
  get lastValid(): Verdict | undefined {
    return this.#lastValid;
  }

  /** The last verdict that somebody acknowledged. */
  get acknowledged(): Verdict | undefined {
    return this.#acknowledged;
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
      problems.push({
        rule: verdictForm,
        message: "it is not an event that its writer may write here",
      });
      return { problems };
    }
    switch (read.type) {
      case "EditProbed":
        return { probe: read.data, problems };
      case "VerdictAcknowledged":
        problems.push(...this.#acknowledge(read.data.verdict));
        return { problems };
      case "VerdictIssued":
        problems.push(...this.#follow(read.data));
        if (problems.length === 0) this.#lastValid = read.data;
        return { verdict: read.data, problems };
    }
  }

  #read(stored: StoredEvent): VerdictEvent | undefined {
    if (stored.stream !== VERDICT_STREAM_PREFIX + this.window) return undefined;
    return readVerdictEvent(stored, this.window);
  }

  #follow(verdict: Verdict): ChainProblem[] {
    const problems = [...this.#placeProblems(verdict), ...this.#signatureProblems(verdict)];
    this.#last = verdict;
    return problems;
  }

  #acknowledge(digest: string): ChainProblem[] {
    const seen = this.#lastValid;
    if (seen === undefined || noteDigest(seen) !== digest) {
      const message = "the verdict that it acknowledges is not the last one";
      return [{ rule: verdictForm, message }];
    }
    this.#acknowledged = seen;
    return [];
  }

  #placeProblems(verdict: Verdict): ChainProblem[] {
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
    const message = `it counts ${d} claims and ${t} retracted ones, the one before ${last.distinct} and ${last.retracted}`;
    return [{ rule: claimsFell, message }];
  }

  #signatureProblems(verdict: Verdict): ChainProblem[] {
    const key = parseVerifierKey(verdict.key);
    if (key === undefined) {
      return [{ rule: verdictSignature, message: "its key is not one that anybody can own" }];
    }
    const problem = verdictProblem(verdict, key, this.#vouchersOf(key));
    if (problem === undefined) {
      this.#current = key;
      return [];
    }
    const isStrange = problem === "unknown-signer" && this.#current === undefined;
    const message = isStrange
      ? `it is signed by ${key.name} ${key.id}, which nobody trusted here vouches for`
      : `its note is not valid: ${problem}`;
    return [{ rule: verdictSignature, message }];
  }

  /** The keys of which one must sign a verdict under this key, beside the key itself. */
  #vouchersOf(key: VerifierKey): readonly VerifierKey[] {
    const text = formatVerifierKey(key);
    const known = this.#current === undefined ? this.#trusted : [this.#current];
    return known.some((one) => formatVerifierKey(one) === text) ? [] : known;
  }
}
