import type { Json } from "../json/json.ts";

/** A claim line, its strings and values read back from their JSON. */
export interface ParsedClaim {
  /** Id of the claim. */
  readonly claimId: string;
  /** `fact` or `decision`. */
  readonly kind: string;
  /** Whether what it rests on still held. */
  readonly standing: string;
  /** Who said it first: `party/name`. */
  readonly by: string;
  /** The claim in words. */
  readonly statement: string;
  /** What the statement is about. */
  readonly scope?: string;
  /** What it gives a value to. */
  readonly key?: string;
  /** The value of `key`. */
  readonly value?: Json;
  /** Its words in its carrier. */
  readonly quote?: string;
  /** Sources it cites that were last observed otherwise. */
  readonly changed: readonly string[];
  /** Claims it cites that were retracted. */
  readonly retracted: readonly string[];
  /** Ids of the claims it is in open conflict with. */
  readonly contested: readonly string[];
  /** Id of the live span that carries it. */
  readonly live?: string;
  /** Id of the span to recall for it. */
  readonly recall?: string;
}

/** A line that warns of words that were retracted. */
export interface ParsedRetraction {
  /** Id of the claim. */
  readonly claimId: string;
  /** Who retracted it: `party/name`. */
  readonly by: string;
  /** Why, in words. */
  readonly reason: string;
  /** The words not to rely on. */
  readonly quote: string;
  /** Id of the live span that holds them. */
  readonly live: string;
}

/** A line that tells of a conflict that was closed. */
export interface ParsedHistory {
  /** Id of the claim that stands. */
  readonly claimId: string;
  /** Id of the claim that contested it and was retracted. */
  readonly contestedBy: string;
  /** The retracted claim in words. */
  readonly statement: string;
  /** Who retracted it: `party/name`. */
  readonly by: string;
  /** Why, in words. */
  readonly reason: string;
}

/** The claim lines of a ledger. */
export interface ParsedClaims {
  /** The claims of the ledger. */
  readonly claims: readonly ParsedClaim[];
  /** Retracted claims whose words are in view. */
  readonly retracted: readonly ParsedRetraction[];
  /** Conflicts that a retraction closed. */
  readonly history: readonly ParsedHistory[];
}

/**
 * Reads the lines after the ledger line; throws a SyntaxError that names the line for what is none
 * of them. `before`: how many lines came before these.
 */
export function parseClaimLines(lines: readonly string[], before: number): ParsedClaims {
  const claims: ParsedClaim[] = [];
  const retracted: ParsedRetraction[] = [];
  const history: ParsedHistory[] = [];
  for (const [index, line] of lines.entries()) {
    try {
      const words = new Words(line);
      const first = words.word();
      if (first === "::claim") claims.push(claimOf(words));
      else if (first === "::retracted") retracted.push(retractionOf(words));
      else if (first === "::history") history.push(historyOf(words));
      else throw new SyntaxError("it does not begin like a claim line");
    } catch (cause) {
      const at = before + index + 1;
      throw new SyntaxError(`line ${at} of the rendering is not a claim line`, { cause });
    }
  }
  return { claims, retracted, history };
}

function claimOf(words: Words): ParsedClaim {
  const [claimId, kind, standing] = [words.word(), words.word(), words.word()];
  words.expect("by");
  const by = words.word();
  const statement = words.text();
  const rest: Record<string, Json> = {};
  const changed: string[] = [];
  const retracted: string[] = [];
  const contested: string[] = [];
  for (let word = words.word(); word !== ""; word = words.word()) {
    if (word === "scope" || word === "key" || word === "quote") rest[word] = words.text();
    else if (word === "value") rest[word] = words.json();
    else if (word === "changed") changed.push(words.text());
    else if (word === "retracted") retracted.push(words.word());
    else if (word === "contested") contested.push(...words.word().split(","));
    else if (word === "live" || word === "recall") rest[word] = words.word();
    else throw new SyntaxError(`unknown word in a claim line: ${word.slice(0, 80)}`);
  }
  return { claimId, kind, standing, by, statement, changed, retracted, contested, ...rest };
}

function retractionOf(words: Words): ParsedRetraction {
  const claimId = words.word();
  words.expect("by");
  const by = words.word().slice(0, -1);
  const reason = words.text();
  words.expect("; do not rely on");
  const quote = words.text();
  words.expect("in");
  return { claimId, by, reason, quote, live: words.word() };
}

function historyOf(words: Words): ParsedHistory {
  const claimId = words.word();
  words.expect("was contested by");
  const contestedBy = words.word();
  const statement = words.text();
  words.expect("; retracted by");
  const by = words.word().slice(0, -1);
  return { claimId, contestedBy, statement, by, reason: words.text() };
}

/** A line read from left to right: words, and JSON values of any kind among them. */
class Words {
  readonly #line: string;
  #at = 0;

  constructor(line: string) {
    this.#line = line;
  }

  /** The next word; empty at the end. */
  word(): string {
    const end = this.#line.indexOf(" ", this.#at);
    const word = this.#line.slice(this.#at, end < 0 ? this.#line.length : end);
    this.#at = end < 0 ? this.#line.length : end + 1;
    return word;
  }

  expect(words: string): void {
    if (!this.#line.startsWith(words, this.#at)) throw new SyntaxError(`expected ${words}`);
    this.#at += words.length + 1;
  }

  text(): string {
    const value = this.json();
    if (typeof value !== "string") throw new SyntaxError("expected a JSON string");
    return value;
  }

  /** The JSON value that starts here: it ends at a space or at ";" outside strings and brackets. */
  json(): Json {
    const start = this.#at;
    let depth = 0;
    for (let inString = false; this.#at < this.#line.length; this.#at += 1) {
      const char = this.#line[this.#at] ?? "";
      if (inString) {
        if (char === "\\") this.#at += 1;
        else if (char === '"') inString = false;
      } else if (char === '"') inString = true;
      else if (char === "[" || char === "{") depth += 1;
      else if (char === "]" || char === "}") depth -= 1;
      else if (depth === 0 && (char === " " || char === ";")) break;
    }
    const text = this.#line.slice(start, this.#at);
    if (this.#line[this.#at] === " ") this.#at += 1;
    return JSON.parse(text) as Json;
  }
}
