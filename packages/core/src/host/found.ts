import { isRefusal, parseCommand } from "../commands/parse.ts";
import type { DecidedCommand, Step } from "../decide/step.ts";
import { frozen } from "../json/frozen.ts";
import type { Json } from "../json/json.ts";
import type { ContentRef } from "../state/content.ts";
import { contentRef } from "../state/content.ts";
import type { Span, WindowState } from "../state/state.ts";
import { findSpan } from "../state/state.ts";
import { readContent } from "./contents.ts";
import type { AppendSoFar, ClaimFinder, FinderWindow, FoundClaims, LeftOut } from "./finder.ts";
import { NOTHING_LEFT_OUT } from "./finder.ts";
import type { Shell } from "./shell.ts";

/** A window as a finder may see it. */
export function finderWindow(shell: Omit<Shell, "finderWindow">): FinderWindow {
  return {
    get state() {
      return shell.state;
    },
    peek: (index) => shell.contents.peek(index),
    read: (spans) => readSpans(shell, spans),
  };
}

async function readSpans(
  { state, contents, log }: Pick<Shell, "state" | "contents" | "log">,
  spans: readonly Span[],
): Promise<ReadonlyMap<number, Json>> {
  const away = spans.filter(({ index }) => contents.peek(index) === undefined);
  const refs = away.map((span) => contentRef(state, span));
  const facts = await readContent(log, state.window, refs);
  const found = new Map<number, Json>();
  for (const { index, contentRevision } of spans) {
    const fact = facts.get(contentRevision);
    const stored = fact?.intact === true ? fact.content : undefined;
    const content = fact === undefined ? contents.peek(index) : stored;
    if (content !== undefined) found.set(index, content);
  }
  return found;
}

/** Most commands that a finder is asked for in one append; a finder that goes on is left alone. */
const MAX_FOUND = 10_000;
/** Most ids that it may say it cites. */
const MAX_CITED = 10_000;
/** The longest that a timer can wait. */
const MAX_TIMEOUT = 2 ** 31 - 1;

/** What a finder found for one append, however often the append is decided. */
export class Found {
  readonly #claims: FoundClaims | undefined;
  readonly #cites: readonly string[];
  #append: AppendSoFar | undefined;
  #given = 0;
  #malformed = 0;
  #failed: boolean;

  private constructor(claims: FoundClaims | undefined, cites: readonly string[] = []) {
    this.#claims = claims;
    this.#cites = cites;
    this.#failed = claims === undefined;
  }

  static async by(
    finder: ClaimFinder,
    { finderWindow: window, finderTimeoutMs }: Pick<Shell, "finderWindow" | "finderTimeoutMs">,
    steps: readonly Step[],
  ): Promise<Found> {
    const late = Promise.withResolvers<undefined>();
    const timer = setTimeout(() => late.resolve(undefined), Math.min(finderTimeoutMs, MAX_TIMEOUT));
    try {
      // Frozen: what was asked for is decided, whatever the finder does to what it is given.
      const commands = steps.map(({ command }) => frozen(command));
      const claims = await Promise.race([finder.look({ window, commands }), late.promise]);
      return new Found(claims, claims === undefined ? [] : citedBy(claims));
    } catch {
      return new Found(undefined);
    } finally {
      clearTimeout(timer);
    }
  }

  /** The stored content that the optional steps may want. */
  content(state: WindowState): ContentRef[] {
    const spans = this.#cites.map((id) => findSpan(state, id));
    return spans.flatMap((span) => (span === undefined ? [] : [contentRef(state, span)]));
  }

  /** The optional steps behind the one at `index`, each given when it is asked for. */
  *behind(index: number, step: Step, append: AppendSoFar): Generator<Step> {
    if (this.#append !== append) {
      this.#append = append;
      this.#given = 0;
      this.#malformed = 0;
    }
    const { by, via } = step;
    for (const found of this.#commandsBehind(index, append)) {
      const command = findable(found);
      if (command === undefined) this.#malformed += 1;
      else yield { command, by, optional: true, ...(via !== undefined && { via }) };
    }
  }

  /** What is not in the window of what was found; `dropped`: as the decision counted. */
  leftOut(dropped: number): LeftOut {
    let beyond: Partial<LeftOut> = {};
    try {
      const { claims, conflicts } = this.#claims?.beyondLimits?.() ?? NOTHING_LEFT_OUT;
      beyond = { claims: counted(claims), conflicts: counted(conflicts) };
    } catch {
      this.#failed = true;
    }
    return {
      ...NOTHING_LEFT_OUT,
      ...beyond,
      dropped: dropped + this.#malformed,
      failures: Number(this.#failed),
    };
  }

  *#commandsBehind(index: number, append: AppendSoFar): Generator<unknown> {
    try {
      for (const command of this.#claims?.behind(index, append) ?? []) {
        this.#given += 1;
        if (this.#given > MAX_FOUND) throw new RangeError(`more than ${MAX_FOUND} commands`);
        yield command;
      }
    } catch {
      this.#failed = true;
    }
  }
}

/** A fact or a conflict in the form of a command; the window mints the id of a claim. */
function findable(found: unknown): DecidedCommand | undefined {
  const parsed = parseCommand(found);
  if (isRefusal(parsed)) return undefined;
  const { command } = parsed;
  if (command.command === "noteConflict") return command;
  if (command.command !== "assertClaim") return undefined;
  const { claimId: _, ...claim } = command;
  const isPlain = (claim.kind ?? "fact") === "fact" && claim.evidence !== true;
  return isPlain && claim.supersedes === undefined ? claim : undefined;
}

function citedBy({ cites = [] }: FoundClaims): string[] {
  const ids: string[] = [];
  for (const id of cites) {
    if (ids.length === MAX_CITED) break;
    if (typeof id === "string") ids.push(id);
  }
  return ids;
}

function counted(value: unknown): number {
  return Number.isSafeInteger(value) && Number(value) > 0 ? Number(value) : 0;
}
