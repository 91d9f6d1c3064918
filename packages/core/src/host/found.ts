import { isRefusal, parseCommand } from "../commands/parse.ts";
import type { Deciding } from "../decide/decide.ts";
import type { Step } from "../decide/step.ts";
import type { Json } from "../json/json.ts";
import type { ContentRef } from "../state/content.ts";
import { contentRef } from "../state/content.ts";
import type { Span, WindowState } from "../state/state.ts";
import { findSpan } from "../state/state.ts";
import { readContent } from "./contents.ts";
import type { ClaimFinder, FinderWindow, FoundClaims, FoundCommand, LeftOut } from "./finder.ts";
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

/** What a finder found for one append, however often the append is decided. */
export class Found {
  readonly #claims: FoundClaims | undefined;
  /** By index of the command, since a lost race asks for all of them again. */
  readonly #malformed = new Map<number, number>();
  #failed: boolean;

  private constructor(claims: FoundClaims | undefined) {
    this.#claims = claims;
    this.#failed = claims === undefined;
  }

  static async by(
    finder: ClaimFinder,
    { window, timeoutMs }: { readonly window: FinderWindow; readonly timeoutMs: number },
    steps: readonly Step[],
  ): Promise<Found> {
    const commands = steps.map(({ command }) => command);
    const late = Promise.withResolvers<undefined>();
    const timer = setTimeout(() => late.resolve(undefined), timeoutMs);
    try {
      return new Found(await Promise.race([finder.look({ window, commands }), late.promise]));
    } catch {
      return new Found(undefined);
    } finally {
      clearTimeout(timer);
    }
  }

  /** The stored content that the optional steps may want. */
  content(state: WindowState): ContentRef[] {
    const spans = [...(this.#claims?.cites ?? [])].map((id) => findSpan(state, id));
    return spans.flatMap((span) => (span === undefined ? [] : [contentRef(state, span)]));
  }

  /** The optional steps behind the one at `index`, each given when it is asked for. */
  *behind(index: number, step: Step, deciding: Deciding): Generator<Step> {
    const { by, via } = step;
    let malformed = 0;
    for (const found of this.#commandsBehind(index, deciding)) {
      const parsed = parseCommand(found);
      const command = isRefusal(parsed) ? undefined : parsed.command;
      if (command?.command === "assertClaim" || command?.command === "noteConflict") {
        yield { command, by, optional: true, ...(via !== undefined && { via }) };
      } else malformed += 1;
    }
    this.#malformed.set(index, malformed);
  }

  /** What is not in the window of what was found; `dropped`: as the decision counted. */
  leftOut(dropped: number): LeftOut {
    const malformed = [...this.#malformed.values()].reduce((sum, one) => sum + one, 0);
    return {
      ...NOTHING_LEFT_OUT,
      ...this.#claims?.beyondLimits?.(),
      dropped: dropped + malformed,
      failures: Number(this.#failed),
    };
  }

  *#commandsBehind(
    index: number,
    append: { readonly state: WindowState },
  ): Generator<FoundCommand> {
    try {
      for (const command of this.#claims?.behind(index, append) ?? []) yield command;
    } catch {
      this.#failed = true;
    }
  }
}
