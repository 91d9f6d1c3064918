import type { Claim } from "../../core/src/state/claims.ts";
import { claimAt } from "../../core/src/state/claims.ts";
import type { KnownClaims } from "./known-claims.ts";
import type { Overtaken } from "./overtaken-statements.ts";
import { readStatement, tellingLines } from "./overtaken-statements.ts";
import { identityOf } from "../../core/src/state/claim-identity.ts";
import { openConflicts } from "../../core/src/state/protection.ts";
import type { WindowEvent } from "../../core/src/events/schema.ts";
import { contentText } from "../../core/src/json/digest.ts";
import { LIVE, markOf } from "../../core/src/state/marks.ts";
import type { Assertion } from "../../core/src/decide/claims.ts";
import { decideAssert, decideConflict } from "../../core/src/decide/claims.ts";
import type { Act, ContentRef } from "../../core/src/decide/outcome.ts";
import { advance, checkContent } from "../../core/src/decide/outcome.ts";
import { MAX_CONFLICTS, sourceConflicts } from "./source-conflicts.ts";
import type { Span, WindowState } from "../../core/src/state/state.ts";
import { findSpan } from "../../core/src/state/state.ts";

/** Most claims that one change of a file is set against: that it changed is what matters. */
const MAX_READ = 5;

/** The same for the edits of one file. */
const MAX_EDITED = 2;

type Found =
  | { readonly kind: "events"; readonly events: readonly WindowEvent[] }
  | { readonly kind: "wanted"; readonly content: readonly ContentRef[] };

const NOTHING_NEW: Found = { kind: "events", events: [] };

/**
 * The events by which what was read of a file is contested: one claim that it changed, and a
 * conflict with each of a few claims read from it. Where nothing was claimed of it, a line of what
 * was read becomes one. What would be refused is left out, as nobody asked for it.
 */
export function overtakenEvents(
  state: WindowState,
  overtaken: Overtaken,
  known: KnownClaims,
  act: Act,
): Found {
  const { scope, later, note } = overtaken;
  const told = new Telling(state, act);
  const earlier: string[] = [];
  const said = state.claimIdentity.get(
    identityOf({ kind: "fact", scope, statement: later.statement }),
  );
  const open = said === undefined ? 0 : openConflicts(state, claimAt(state, said)).length;
  if (open >= (later.carrier === undefined ? MAX_READ : MAX_EDITED)) return NOTHING_NEW;
  const room = Math.min(MAX_READ, MAX_CONFLICTS - sourceConflicts(state, known, scope));
  for (const { spanId, line } of overtaken.earlier) {
    const span = findSpan(told.state, spanId);
    const most = room - earlier.length;
    if (span === undefined || most <= 0) continue;
    earlier.push(...told.read(span, scope, { line, used: overtaken.used, most }));
  }
  if (earlier.length > 0) {
    const { carrier, quote, because, statement } = later;
    const live = carrier === undefined ? undefined : findSpan(told.state, carrier);
    const carried = live !== undefined && markOf(told.state, live.index) === LIVE;
    const change = told.assert({
      statement,
      scope,
      ...(carried && { carrier: live.id, ...(quote !== undefined && { quote }) }),
      ...(because !== undefined && { because: [...because] }),
    });
    if (change !== undefined) told.contestAll(earlier, change, note);
  }
  if (told.wanted.length > 0) return { kind: "wanted", content: told.wanted };
  return { kind: "events", events: told.events };
}

/** What is claimed already of the words of a span, or of one line of them. */
function claimsRead(state: WindowState, span: Span, line: string | undefined): Claim[] {
  const claims = (state.carriedBy.get(span.index) ?? []).map((index) => claimAt(state, index));
  return claims.filter(
    ({ retracted, quote, kind }) =>
      retracted === undefined &&
      kind === "fact" &&
      quote !== undefined &&
      (line === undefined || quote.includes(line.trim()) || line.includes(quote.trim())),
  );
}

/** A line that is known to matter, or what tells those that do. */
interface Sought {
  readonly line: string | undefined;
  readonly used: ReadonlySet<string> | undefined;
  readonly most: number;
}

/** Claims made in one append on top of each other. */
class Telling {
  state: WindowState;
  readonly events: WindowEvent[] = [];
  readonly wanted: ContentRef[] = [];
  readonly #act: Act;

  constructor(state: WindowState, act: Act) {
    this.state = state;
    this.#act = act;
  }

  /** Claims on what a span says: on the lines in question, or those that were made of it before. */
  read(span: Span, scope: string, { line, used, most }: Sought): string[] {
    const { wanted } = checkContent(this.state, [span], this.#act.facts);
    this.wanted.push(...wanted);
    const fact = this.#act.facts.get(span.contentRevision);
    if (fact?.intact !== true) return [];
    const text = contentText(fact.content);
    const told =
      line === undefined ? tellingLines(text, used, most) : { lines: [line], used: true };
    if (!told.used) {
      const known = claimsRead(this.state, span, undefined).slice(0, most);
      if (known.length > 0) return known.map(({ id }) => id);
    }
    return told.lines.flatMap((one) => {
      const [known] = claimsRead(this.state, span, one);
      return known?.id ?? this.#readLine(span, scope, one) ?? [];
    });
  }

  #readLine(span: Span, scope: string, quote: string): string | undefined {
    return this.assert({
      statement: readStatement(scope, quote),
      scope,
      ...(markOf(this.state, span.index) === LIVE
        ? { carrier: span.id, quote }
        : { because: [{ span: span.id, quote }] }),
    });
  }

  assert(claim: Assertion): string | undefined {
    const outcome = decideAssert(this.state, { ...claim, extracted: true }, this.#act);
    if (outcome.kind === "wanted") this.wanted.push(...outcome.content);
    if (outcome.kind !== "events") return undefined;
    const [event] = outcome.events;
    if (event?.type !== "ClaimAsserted") return undefined;
    this.#add(outcome.events);
    return event.data.claimId;
  }

  contestAll(claims: readonly string[], change: string, note: string): void {
    for (const a of claims) {
      const command = { command: "noteConflict", a, b: change, note } as const;
      const outcome = decideConflict(this.state, command, this.#act);
      if (outcome.kind === "events") this.#add(outcome.events);
    }
  }

  #add(events: readonly WindowEvent[]): void {
    this.events.push(...events);
    this.state = advance(this.state, events, this.#act);
  }
}
