import type { Findings } from "../check/findings.ts";
import type { WindowCheck } from "../check/window-check.ts";
import { toHex } from "../json/bytes.ts";
import { headRoot, rolledBack, tailCut, verdictCounts, verdictsLost } from "../rules/history.ts";
import type { Verdict } from "../verdict/schema.ts";

/** What a verdict says about the window, and where the verdict lies. */
export interface Head {
  readonly size: number;
  readonly root: string;
  readonly distinct: number;
  readonly retracted: number;
  readonly edits: number;
  readonly records: number;
  /** Where the verdict lies in the verdict stream. */
  readonly revision: number;
  readonly id: string;
  /** It counts fewer claims than the verdict before it, which is a finding already. */
  readonly hasFewer: boolean;
}

/** The last head that the verifier kept outside the store. */
export interface KeptHead {
  readonly size: number;
  readonly root: string;
  /** SHA-256 of the verdict's note. */
  readonly note: string;
}

/** Compares what was signed before with the stream as it is read now. */
export class Heads {
  readonly #heads: Head[];
  readonly #kept: KeptHead | undefined;
  /** The verdict stream holds the verdict of the kept head. */
  readonly #isKeptKnown: boolean;
  #next = 0;
  #keptRoot: string | undefined;

  constructor(heads: readonly Head[], kept: KeptHead | undefined, isKeptKnown: boolean) {
    // Another rule finds a verdict about fewer events than the one before.
    this.#heads = [...heads].sort((a, b) => a.size - b.size);
    this.#kept = kept;
    this.#isKeptKnown = isKeptKnown;
  }

  /** A verdict that somebody else issued while the window was looked at. */
  add(head: Head, check: WindowCheck): void {
    if (head.size < check.size) return;
    if (head.size === check.size) compare(check, head, toHex(check.range.root()));
    const place = this.#heads.findLastIndex(({ size }) => size <= head.size) + 1;
    this.#heads.splice(place, 0, head);
    if (head.size === check.size) this.#next = place + 1;
  }

  /** After each event. */
  pass(check: WindowCheck): void {
    const { size } = check;
    while ((this.#heads[this.#next]?.size ?? size) < size) this.#next += 1;
    const head = this.#heads[this.#next];
    if (head?.size !== size && this.#kept?.size !== size) return;
    const root = toHex(check.range.root());
    if (this.#kept?.size === size) this.#keptRoot = root;
    let isTold = false;
    for (let one = head; one !== undefined && one.size <= size; one = this.#heads[this.#next]) {
      // Several verdicts on the same number of events give one finding.
      if (one.size === size && !isTold) isTold = compare(check, one, root);
      this.#next += 1;
    }
  }

  /** What is wrong if the stream ends here. */
  end(check: WindowCheck, findings: Findings): void {
    const { size, last } = check;
    const longest = this.#heads.at(-1);
    if (longest !== undefined && longest.size > size) {
      const message = `the window has ${size} events, a verdict was about ${longest.size}`;
      findings.add(tailCut, last, message);
    }
    const kept = this.#kept;
    if (kept === undefined || this.#isKeptKnown) return;
    if (kept.size > size) {
      const message =
        `the window has ${size} events and the verdict stream does not know of ` +
        `${kept.size}; a verdict on so many was kept outside the store`;
      findings.add(rolledBack, last, message);
    } else if (kept.size > 0 && this.#keptRoot !== kept.root) {
      const message =
        `the first ${kept.size} events are not those of the verdict that was kept outside the ` +
        "store, and the verdict stream does not know it";
      findings.add(rolledBack, last, message);
    } else {
      const message = "the verdict that was kept outside the store is not in the verdict stream";
      findings.add(verdictsLost, undefined, message);
    }
  }
}

/** True when the stream does not hash to the head. */
function compare(check: WindowCheck, head: Head, root: string): boolean {
  const { fold, findings, last } = check;
  if (head.root !== root) {
    const message = `the first ${head.size} events do not hash to the head that was signed of them`;
    findings.add(headRoot, last, message);
    return true;
  }
  const isSame =
    (head.hasFewer || head.distinct === fold.claims.distinct) &&
    (head.hasFewer || head.retracted === fold.claims.retractedCount) &&
    head.edits === fold.edits.size &&
    head.records === fold.records;
  if (isSame) return false;
  const message = `the verdict on ${head.size} events counted other claims, edits or records`;
  findings.add(verdictCounts, head, message, "verdict");
  return false;
}

export function headOf(
  verdict: Verdict,
  { revision, id }: { readonly revision: number; readonly id: string },
  hasFewer: boolean,
): Head {
  const { size, root, distinct, retracted, edits, records } = verdict;
  return { size, root, distinct, retracted, edits, records, revision, id, hasFewer };
}
