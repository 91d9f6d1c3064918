import type { Json } from "@palimpsest/core/events";
import { eventId, VERDICT_STREAM_PREFIX } from "@palimpsest/core/events";
import { sha256Hex } from "#platform";
import type { VerdictLog } from "../check/reader.ts";
import { canonicalJson } from "../json/canonical.ts";
import { formatVerifierKey } from "../notes/key.ts";
import type { Probe, Verdict } from "../verdict/schema.ts";
import { VERDICT_SCHEMA_VERSION } from "../verdict/schema.ts";
import { noteDigest, signVerdict } from "../verdict/sign.ts";
import type { WindowReport, WindowSession } from "../verify/session.ts";
import type { IssuedVerdict, VerifierOptions } from "./options.ts";
import { persist } from "./persist.ts";

type Signing = Pick<VerifierOptions, "key" | "retired" | "clock">;

/**
 * Signs what the session found and appends it to the verdict stream. Undefined when the last
 * verdict says the same already. What somebody else wrote meanwhile is read, and this follows it.
 */
export async function issueVerdict(
  log: VerdictLog,
  session: WindowSession,
  options: Signing,
): Promise<IssuedVerdict | undefined> {
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    const verdict = signed(log, session, options);
    if (verdict === undefined) return undefined;
    if (await appendVerdict(log, session, options, verdict)) {
      return { verdict, revision: session.chain.head };
    }
    await session.catchUp();
  }
  throw new Error(`somebody else keeps writing verdicts on ${session.check.window}`);
}

/** Two that write to one stream take turns; more tries than this cannot be coincidence. */
const MOST_TRIES = 20;

/** Undefined when the last verdict says the same already. */
function signed(log: VerdictLog, session: WindowSession, options: Signing): Verdict | undefined {
  const { retractedTogether: _, ...report } = session.report(session.provenEdits);
  const { last } = session.chain;
  if (last !== undefined && saysTheSame(last, report)) return undefined;
  const { appendOnly, writersSeparated } = log.guarantees;
  return signVerdict(
    {
      ...report,
      guarantees: { appendOnly, writersSeparated },
      previous: last === undefined ? null : noteDigest(last),
    },
    options.key,
    vouchersFor(session, options),
  );
}

/**
 * The id is derived from what the verdict says, so a verdict that was appended before a crash is
 * not appended again. False when something else stands where it belongs.
 */
async function appendVerdict(
  log: VerdictLog,
  session: WindowSession,
  options: Signing,
  verdict: Verdict,
): Promise<boolean> {
  const { size, status, probed } = verdict;
  const name = `verdict-${size}-${probed}-${status}-${verdict.previous ?? "first"}`;
  const said = { type: "VerdictIssued", data: verdict as Json, name };
  return publish(log, session, options, [said]);
}

/** Appends what was probed; nothing when somebody else wrote first, for they may have said it. */
export async function publishProbes(
  log: VerdictLog,
  session: WindowSession,
  options: Signing,
  probes: readonly Probe[],
): Promise<void> {
  const name = `probe-${session.chain.head + 1}`;
  const said = probes.map((data) => ({ type: "EditProbed", data, name }));
  if (!(await publish(log, session, options, said))) return session.catchUp();
  for (const { editId, outcome } of probes) session.probes.set(editId, outcome);
}

interface NewEvent {
  readonly type: string;
  readonly data: Json;
  /** What the event's id is made of. */
  readonly name: string;
}

/** False when something else stands where the events belong. */
async function publish(
  log: VerdictLog,
  { chain, check }: WindowSession,
  { key, clock = () => new Date() }: Signing,
  said: readonly NewEvent[],
): Promise<boolean> {
  const stream = VERDICT_STREAM_PREFIX + check.window;
  const by = `verifier/${key.name}`;
  const metadata = { by, at: clock().toISOString(), schemaVersion: VERDICT_SCHEMA_VERSION };
  const events = said.map(({ type, data, name }, index) => {
    // Equal data must give the same id, and different data another one.
    const exactly = `${name}-${sha256Hex(canonicalJson(data))}`;
    return { id: eventId(check.window, by, exactly, index), type, data, metadata };
  });
  const first = chain.head + 1;
  if (!(await persist(log, stream, events, first === 0 ? "no-stream" : chain.head))) return false;
  for (const [index, event] of events.entries()) {
    chain.take({ ...event, stream, revision: first + index });
  }
  return true;
}

function saysTheSame(last: Verdict, report: Omit<WindowReport, "retractedTogether">): boolean {
  return (
    last.size === report.size &&
    last.root === report.root &&
    last.status === report.status &&
    last.probed === report.probed &&
    last.findingCount === report.findingCount
  );
}

/** Most signatures of one note, its own included; readers refuse more than a hundred. */
const MOST_SIGNATURES = 100;

/**
 * The keys that sign beside the verifier's own, so that whoever believed one of them believes it:
 * the key that signed the last verdict, or all retired keys on a window without verdicts.
 */
function vouchersFor({ chain }: WindowSession, { key, retired = [] }: Signing) {
  const current = chain.key === undefined ? undefined : formatVerifierKey(chain.key);
  if (current === undefined) return retired.slice(1 - MOST_SIGNATURES);
  if (current === formatVerifierKey(key)) return [];
  const voucher = retired.find((one) => formatVerifierKey(one) === current);
  if (voucher !== undefined) return [voucher];
  throw new Error(
    `the verdicts on ${chain.window} are signed by ${chain.key?.name} ${chain.key?.id}, which ` +
      "this verifier does not have: it cannot follow them with a key that nobody vouches for",
  );
}
