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

type Signing = Pick<VerifierOptions, "key" | "retired" | "heads" | "clock">;

/**
 * Signs what the session found and appends it to the verdict stream. Undefined when the last
 * verdict says the same already. The id follows from what is said, so that a verdict that was
 * appended before a crash is not appended again.
 */
export async function issueVerdict(
  log: VerdictLog,
  session: WindowSession,
  options: Signing,
): Promise<IssuedVerdict | undefined> {
  const { retractedTogether: _, ...report } = session.report(session.provenEdits);
  const { last } = session.chain;
  if (last !== undefined && saysTheSame(last, report)) return undefined;
  const { appendOnly, writersSeparated } = log.guarantees;
  const verdict = signVerdict(
    {
      ...report,
      guarantees: { appendOnly, writersSeparated },
      previous: last === undefined ? null : noteDigest(last),
    },
    options.key,
    retiredFor(session, options),
  );
  const { size, status, probed } = verdict;
  const name = `verdict-${size}-${probed}-${status}-${verdict.previous ?? "first"}`;
  const revision = await publish(log, session, options, [
    { type: "VerdictIssued", data: verdict as Json, name },
  ]);
  await options.heads?.put(session.check.window, { note: verdict.note, key: verdict.key });
  return { verdict, revision };
}

/** Appends what was probed. */
export async function publishProbes(
  log: VerdictLog,
  session: WindowSession,
  options: Signing,
  probes: readonly Probe[],
): Promise<void> {
  const at = session.chain.head + 1;
  await publish(
    log,
    session,
    options,
    probes.map((probe) => ({ type: "EditProbed", data: probe, name: `probe-${at}` })),
  );
  for (const { editId, outcome } of probes) session.probes.set(editId, outcome);
}

interface Said {
  readonly type: string;
  readonly data: Json;
  /** What the event's id is made of. */
  readonly name: string;
}

/** The revision of the last event appended. */
async function publish(
  log: VerdictLog,
  { chain, check }: WindowSession,
  { key, clock = () => new Date() }: Signing,
  said: readonly Said[],
): Promise<number> {
  const stream = VERDICT_STREAM_PREFIX + check.window;
  const by = `verifier/${key.name}`;
  const metadata = { by, at: clock().toISOString(), schemaVersion: VERDICT_SCHEMA_VERSION };
  const events = said.map(({ type, data, name }, index) => {
    // The very same is the same event; whatever differs must not be taken for it.
    const exactly = `${name}-${sha256Hex(canonicalJson(data))}`;
    return { id: eventId(check.window, by, exactly, index), type, data, metadata };
  });
  const first = chain.head + 1;
  await persist(log, stream, events, first === 0 ? "no-stream" : chain.head);
  for (const [index, event] of events.entries()) {
    chain.take({ ...event, stream, revision: first + index });
  }
  return chain.head;
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

function retiredFor({ chain }: WindowSession, { key, retired }: Signing) {
  const current = chain.key;
  if (current === undefined || formatVerifierKey(current) === formatVerifierKey(key)) {
    return undefined;
  }
  if (retired !== undefined && formatVerifierKey(current) === formatVerifierKey(retired)) {
    return retired;
  }
  throw new Error(
    `the verdicts on ${chain.window} are signed by ${current.name} ${current.id}, which this ` +
      "verifier does not have: it cannot follow them with a key that nobody vouches for",
  );
}
