import type { AppendSoFar, FoundCommand } from "@palimpsest/core";
import type { Claim, Span, WindowState } from "@palimpsest/core/state";
import {
  claimAt,
  findClaim,
  findSpan,
  identityOf,
  LIVE,
  markOf,
  openConflicts,
} from "@palimpsest/core/state";
import type { KnownClaims } from "./known-claims.ts";
import type { EarlierRead, Overtaken } from "./overtaken-statements.ts";
import { readStatement, tellingLines } from "./overtaken-statements.ts";
import { MAX_CONFLICTS, sourceConflicts } from "./source-conflicts.ts";

/** Most claims that one change of a file is set against: that it changed is what matters. */
const MAX_READ = 5;

/** The same for the edits of one file. */
const MAX_EDITED = 2;

type Assertion = Omit<Extract<FoundCommand, { command: "assertClaim" }>, "command">;

/**
 * The commands by which what was read of a file is contested: one claim that it changed, and a
 * conflict with each of a few claims read from it. Where nothing was claimed of it, a line of what
 * was read becomes a claim.
 */
export function* overtakenCommands(
  append: AppendSoFar,
  overtaken: Overtaken,
  known: KnownClaims,
): Generator<FoundCommand, void> {
  const { scope, later, note } = overtaken;
  const said = claimSaid(append.state, { scope, statement: later.statement });
  const open = said === undefined ? 0 : openConflicts(append.state, said).length;
  if (open >= (later.carrier === undefined ? MAX_READ : MAX_EDITED)) return;
  const room = Math.min(MAX_READ, MAX_CONFLICTS - sourceConflicts(append.state, known, scope));
  const earlier: string[] = [];
  for (const read of overtaken.earlier) {
    const most = room - earlier.length;
    if (most <= 0) continue;
    earlier.push(...(yield* claimsOfRead(append, read, { scope, used: overtaken.used, most })));
  }
  if (earlier.length === 0) return;
  const { carrier, quote, because, statement } = later;
  const live = carrier === undefined ? undefined : findSpan(append.state, carrier);
  const isCarried = live !== undefined && markOf(append.state, live.index) === LIVE;
  const change = yield* assert(append, {
    statement,
    scope,
    ...(isCarried && { carrier: live.id, ...(quote !== undefined && { quote }) }),
    ...(because !== undefined && { because: [...because] }),
  });
  if (change === undefined) return;
  for (const a of earlier) {
    const contested = findClaim(append.state, a);
    if (contested === undefined || contested.id === change) continue;
    if (openConflicts(append.state, contested).some(({ id }) => id === change)) continue;
    yield { command: "noteConflict", a, b: change, note };
  }
}

interface Sought {
  readonly scope: string;
  readonly used: ReadonlySet<string> | undefined;
  readonly most: number;
}

/** Claims on what a span says: on the lines in question, or those that were made of it before. */
function* claimsOfRead(
  append: AppendSoFar,
  { spanId, text, line }: EarlierRead,
  { scope, used, most }: Sought,
): Generator<FoundCommand, string[]> {
  const span = findSpan(append.state, spanId);
  if (span === undefined) return [];
  const told = line === undefined ? tellingLines(text, used, most) : { lines: [line], used: true };
  if (!told.used) {
    const known = claimsRead(append.state, span, undefined).slice(0, most);
    if (known.length > 0) return known.map(({ id }) => id);
  }
  const ids: string[] = [];
  for (const quote of told.lines) {
    const [known] = claimsRead(append.state, span, quote);
    const id = known?.id ?? (yield* assertLine(append, span, scope, quote));
    if (id !== undefined) ids.push(id);
  }
  return ids;
}

function assertLine(append: AppendSoFar, span: Span, scope: string, quote: string) {
  return assert(append, {
    statement: readStatement(scope, quote),
    scope,
    ...(markOf(append.state, span.index) === LIVE
      ? { carrier: span.id, quote }
      : { because: [{ span: span.id, quote }] }),
  });
}

/** Asserts a claim; its id, or undefined where it was dropped. */
function* assert(
  append: AppendSoFar,
  claim: Assertion,
): Generator<FoundCommand, string | undefined> {
  const before = append.state;
  yield { command: "assertClaim", ...claim };
  return append.state === before ? undefined : claimSaid(append.state, claim)?.id;
}

function claimSaid(
  state: WindowState,
  { scope, statement }: Pick<Assertion, "scope" | "statement">,
): Claim | undefined {
  const index = state.claimIdentity.get(identityOf({ kind: "fact", scope, statement }));
  return index === undefined ? undefined : claimAt(state, index);
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
