import type { EventToAppend, Json } from "@palimpsest/core";
import { createMemoryLog, openWindow } from "@palimpsest/core";
import { verifyWindow } from "@palimpsest/verifier";
import { describe, expect, it } from "vitest";
import { sha256 } from "../support/sha256.ts";
import { PRINCIPALS, user } from "../support/verifier/bases.ts";
import type { Fault } from "../support/verifier/faulty-core.ts";
import { faultyCore } from "../support/verifier/faulty-core.ts";

/*
 * A fault in the library itself: it decides well and stores something else. Its own state looks
 * right, to the last byte of a rendering; the verifier reads what was stored.
 */

type Sent = object;
type Data = { readonly [field: string]: Json };
type Consumed = readonly { readonly spanId: string; readonly revision: number }[];

/** Changes the data of the events of one type. */
function storing(
  type: string,
  change: (data: Data) => Data,
  when?: (data: Data) => boolean,
): Fault {
  return (events) =>
    events.map((event: EventToAppend) => {
      const data = event.data as Data;
      const hits = event.type === type && (when === undefined || when(data));
      return hits ? { ...event, data: change(data) } : event;
    });
}

const spans = ["a", "b", "c", "d"].map((spanId) => user(spanId));
const call: Sent = {
  ...user("call", { kind: "tool-call", call: "k" }),
  origin: "assistant",
};
const result = user("result", { origin: "tool", kind: "tool-result", call: "k" });
const evict = (...consumes: string[]): Sent => ({ command: "evict", editId: "e", consumes });
const document = { name: "p", targetTokens: 1, rank: "0 - span.age" };
const propose = (candidates: Json): Sent => {
  return { command: "proposePruning", proposalId: "r", by: "model/m", candidates };
};
const settle: Sent = { command: "settlePruning", proposalId: "r" };
const claim: Sent = { command: "assertClaim", claimId: "c", statement: "it says so", carrier: "a" };

interface CoreFault {
  readonly family: string;
  readonly says: string;
  readonly commands: readonly Sent[];
  readonly fault: Fault;
  readonly rule: string;
}

const consumedWithout =
  (...ids: string[]) =>
  (data: Data): Data => ({
    ...data,
    consumed: (data.consumed as Consumed).filter(({ spanId }) => !ids.includes(spanId)) as Json,
  });

const faults: readonly CoreFault[] = [
  {
    family: "records",
    says: "the record of an undo forgets a span",
    commands: [
      ...spans,
      { command: "rewrite", editId: "e", consumes: ["a"], content: "shorter" },
      { command: "undo", editId: "e" },
    ],
    fault: storing(
      "RecoveryRecorded",
      (data) => ({ ...data, consumed: [] }),
      ({ ordinal }) => ordinal === 2,
    ),
    rule: "record-names",
  },
  {
    family: "records",
    says: "records point one revision too far",
    commands: [...spans, evict("a")],
    fault: storing("RecoveryRecorded", (data) => ({
      ...data,
      consumed: (data.consumed as Consumed).map((entry) => ({
        ...entry,
        revision: entry.revision + 1,
      })) as Json,
    })),
    rule: "record-revision",
  },
  {
    family: "records",
    says: "contents are hashed with something added",
    commands: spans,
    fault: storing("SpanAdmitted", (data) => ({ ...data, digest: sha256(`${data.content} `) })),
    rule: "content-digest",
  },
  {
    family: "algebra",
    says: "a rewrite jumps over a live span",
    commands: [
      ...spans,
      { command: "rewrite", editId: "e", consumes: ["a", "b", "c"], content: "all" },
    ],
    fault: storing("RecoveryRecorded", consumedWithout("b")),
    rule: "contiguous",
  },
  {
    family: "algebra",
    says: "ordinals count by two",
    commands: [...spans, evict("a")],
    fault: (events) =>
      storing("WindowEdited", (data) => ({ ...data, ordinal: 2 }))(
        storing("RecoveryRecorded", (data) => ({ ...data, ordinal: 2 }))(events),
      ),
    rule: "ordinal",
  },
  {
    family: "bonds",
    says: "an evict of a call leaves its result",
    commands: [...spans, call, result, evict("call", "result")],
    fault: storing("RecoveryRecorded", consumedWithout("result")),
    rule: "call-result",
  },
  {
    family: "bonds",
    says: "an evict of a group leaves one of it",
    commands: [
      {
        command: "batch",
        commands: [user("g1", { group: "g" }), user("g2", { group: "g" })],
      },
      evict("g1", "g2"),
    ],
    fault: storing("RecoveryRecorded", consumedWithout("g2")),
    rule: "group",
  },
  {
    family: "claims",
    says: "quotes are cut out of their lines",
    commands: [...spans, claim],
    fault: storing("ClaimAsserted", (data) => ({ ...data, quote: `${data.quote} not` })),
    rule: "claim-quote",
  },
  {
    family: "claims",
    says: "retractions lose their reasons",
    commands: [...spans, claim, { command: "retractClaim", claimId: "c", reason: "why" }],
    fault: storing("ClaimRetracted", (data) => ({ ...data, reason: "" })),
    rule: "retraction-reason",
  },
  {
    family: "policy",
    says: "a refused settlement takes its spans all the same",
    commands: [...spans, propose(["a"]), settle],
    fault: storing("PruningSettled", (data) => ({ ...data, outcome: "refused" })),
    rule: "refused-effect",
  },
  {
    family: "policy",
    says: "policies are stored under the digest of their name",
    commands: [{ command: "authorPolicy", policyId: "p", document }],
    fault: storing("PolicyAuthored", (data) => ({ ...data, digest: sha256("p") })),
    rule: "policy-digest",
  },
  {
    family: "policy",
    says: "a proposal is stored with other candidates",
    commands: [...spans, { ...propose(["a"]), by: "host/h" }, { ...settle, by: "human/p" }],
    fault: (events) =>
      events.map((event) =>
        event.type === "PruningProposed"
          ? { ...event, data: { ...(event.data as Data), candidates: ["b"] } }
          : event,
      ),
    rule: "committed-proposed",
  },
  {
    family: "shown",
    says: "a host renders without its ledger",
    commands: [...spans, { ...claim, evidence: true }, evict("a"), { command: "render" }],
    fault: storing("WindowRendered", (data) => ({ ...data, digest: sha256("only spans") })),
    rule: "shown-digest",
  },
  {
    family: "history",
    says: "the events of an append name different commands",
    commands: [...spans, evict("a")],
    fault: (events) =>
      events.map((event, i) => ({
        ...event,
        metadata: { ...(event.metadata as Data), ...(i > 0 && { commandDigest: sha256("x") }) },
      })),
    rule: "append-shared",
  },
];

/** What the window's own handle says of itself after the commands. */
async function ownView(fault: Fault, commands: readonly Sent[]) {
  const log = createMemoryLog();
  const window = await openWindow(faultyCore(log, fault), "w", { principals: PRINCIPALS });
  for (const command of commands) {
    expect(await window.executeJson(command)).toMatchObject({ outcome: "accepted" });
  }
  const { rendered, spans: shown, tokens } = await window.show();
  return { log, view: { rendered, shown, tokens } };
}

describe("a fault in the library", () => {
  it("is there for every family of rules", () => {
    const families = ["algebra", "bonds", "claims", "history", "policy", "records", "shown"];
    expect([...new Set(faults.map(({ family }) => family))].sort()).toEqual(families);
  });

  it.each(faults)("$family, $says: its own state is right, $rule finds it", async (one) => {
    const sound = await ownView((events) => events, one.commands);
    const faulty = await ownView(one.fault, one.commands);
    expect(faulty.view).toEqual(sound.view);
    expect(await verifyWindow(sound.log, "w")).toMatchObject({ status: "holds" });
    const { status, findings } = await verifyWindow(faulty.log, "w");
    expect(status).toBe("violated");
    expect(findings[0]?.code).toBe(one.rule);
  });
});
