import type {
  AppendSoFar,
  BeyondLimits,
  ClaimFinder,
  FinderWindow,
  FoundClaims,
  FoundCommand,
  UndecidedAppend,
} from "@palimpsest/core";
import { spanAt } from "@palimpsest/core/state";
import { Admissions } from "./admissions.ts";
import { changedSource } from "./changed-sources.ts";
import { contesting } from "./contesting.ts";
import { deterministicExtractor } from "./extract.ts";
import { extractedCommands } from "./extracted-claims.ts";
import type { ClaimExtractor, Extraction, ExtractSpan } from "./extraction.ts";
import { NOTHING_EXTRACTED } from "./extraction.ts";
import { isExtraction } from "./extraction-shape.ts";
import { FileReads } from "./file-reads.ts";
import { overtakenCommands } from "./overtaken-reads.ts";
import type { Overtaken } from "./overtaken-statements.ts";
import { ClaimsInAppend, WindowClaims } from "./window-claims.ts";

export interface ClaimFinderOptions {
  /** What proposes claims from the words of one span. Default: `deterministicExtractor`. */
  readonly extractor?: ClaimExtractor;
}

/**
 * A finder for the port of `@palimpsest/core`: asserts what an extractor finds in the spans that
 * people, systems and tools bring, sets it against what the window knows, and notes what was read
 * of a file or source before it was edited or observed changed. One finder serves many windows.
 */
export function claimFinder({
  extractor = deterministicExtractor,
}: ClaimFinderOptions = {}): ClaimFinder {
  const memories = new WeakMap<FinderWindow, Memory>();
  return {
    name: extractor.name,
    async look(append) {
      const memory = memories.get(append.window) ?? new Memory();
      memories.set(append.window, memory);
      const looks = await lookAt(append, memory.reads, extractor);
      return new FoundInAppend(looks, append.window, memory.claims);
    },
  };
}

/** What a finder remembers of one window, so that an append costs what it brings. */
class Memory {
  readonly claims = new WindowClaims();
  readonly reads = new FileReads();
}

/** What one command brings: words, and what it overtakes of what was read before. */
interface Look {
  readonly span?: ExtractSpan;
  readonly extraction?: Extraction;
  readonly overtaken?: Overtaken;
}

const NOTHING_SEEN: Look = Object.freeze({});

async function lookAt(
  { window, commands }: UndecidedAppend,
  reads: FileReads,
  extractor: ClaimExtractor,
): Promise<Look[]> {
  const admissions = new Admissions(window, reads);
  const looks: Promise<Look>[] = [];
  for (const command of commands) {
    if (command.command === "observeSource") {
      const overtaken = await changedSource(window, command);
      looks.push(Promise.resolve(overtaken === undefined ? NOTHING_SEEN : { overtaken }));
    } else if (command.command === "admitSpan") {
      const overtaken = await admissions.editBy(command);
      looks.push(lookAtSpan(extractor, admissions.spanOf(command), overtaken));
    } else looks.push(Promise.resolve(NOTHING_SEEN));
  }
  return Promise.all(looks);
}

async function lookAtSpan(
  extractor: ClaimExtractor,
  span: ExtractSpan | undefined,
  overtaken: Overtaken | undefined,
): Promise<Look> {
  const more = overtaken === undefined ? {} : { overtaken };
  if (span === undefined) return more;
  const extraction = await extractedBy(extractor, span);
  // The call said what it edited, so its result adds nothing by saying so too.
  const edited = overtaken?.later.statement;
  const isSaid = extraction.claims.some(({ statement }) => statement === edited);
  return { ...more, span, extraction: isSaid ? NOTHING_EXTRACTED : extraction };
}

/** An extractor is a convenience: when it fails, the rest of what was looked at still counts. */
async function extractedBy(extractor: ClaimExtractor, span: ExtractSpan): Promise<Extraction> {
  try {
    const extraction: unknown = await extractor.extract(span);
    return isExtraction(extraction) ? extraction : NOTHING_EXTRACTED;
  } catch {
    return NOTHING_EXTRACTED;
  }
}

class FoundInAppend implements FoundClaims {
  readonly #looks: readonly Look[];
  readonly #window: FinderWindow;
  readonly #claims: WindowClaims;
  readonly #beyond = new Map<number, BeyondLimits>();
  /** The append that `#known` is of. */
  #append: AppendSoFar | undefined;
  #known: ClaimsInAppend | undefined;

  /** What was read before, and the call that changed it. */
  get cites(): Set<string> {
    const ids = this.#looks.flatMap(({ overtaken }) => {
      const { earlier = [], later } = overtaken ?? {};
      const read = earlier.map(({ spanId }) => spanId);
      return later?.carrier === undefined ? read : [later.carrier, ...read];
    });
    return new Set(ids);
  }

  constructor(looks: readonly Look[], window: FinderWindow, claims: WindowClaims) {
    this.#looks = looks;
    this.#window = window;
    this.#claims = claims;
  }

  *behind(index: number, append: AppendSoFar): Iterable<FoundCommand> {
    const { span, extraction, overtaken } = this.#looks[index] ?? NOTHING_SEEN;
    if (span !== undefined && extraction !== undefined) {
      const found = contesting(this.#knownIn(append), span, extraction);
      this.#beyond.set(index, found.leftOut);
      if (found.claims.length > 0) {
        const { spans } = append.state;
        const spanId = spanAt(append.state, spans.size - 1).id;
        const about = { spanId, source: span.source, known: this.#knownIn(append) };
        this.#beyond.set(index, yield* extractedCommands(append, about, found));
      }
    }
    if (overtaken !== undefined) {
      yield* overtakenCommands(append, overtaken, this.#knownIn(append));
    }
  }

  beyondLimits(): BeyondLimits {
    let [claims, conflicts] = [0, 0];
    for (const beyond of this.#beyond.values()) {
      claims += beyond.claims;
      conflicts += beyond.conflicts;
    }
    return { claims, conflicts };
  }

  /** The claims of the window and of this append; begun anew when the append is decided anew. */
  #knownIn(append: AppendSoFar): ClaimsInAppend {
    if (this.#known === undefined || this.#append !== append) {
      const start = this.#window.state;
      this.#append = append;
      this.#beyond.clear();
      this.#known = new ClaimsInAppend(this.#claims.upTo(start), start);
    }
    return this.#known.upTo(append.state);
  }
}
