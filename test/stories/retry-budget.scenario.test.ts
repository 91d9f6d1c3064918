import { seededRandom } from "@palimpsest/core/testing";
import { describe, expect, it } from "vitest";
import type { Sent } from "../support/scenarios/commands.ts";
import {
  admit,
  batch,
  callSpan,
  decide,
  fact,
  resultSpan,
  rewind,
  rewrite,
  settle,
} from "../support/scenarios/commands.ts";
import type { Story } from "../support/scenarios/given.ts";
import { given, HOST, HUMAN, MODEL } from "../support/scenarios/given.ts";
import type { StoreKind } from "../support/scenarios/stores.ts";
import { stores } from "../support/scenarios/stores.ts";
import { turn } from "../support/scenarios/transcript.ts";

/*
 * The retry budget. At turn 41 an agent reads `retry_budget = 3`, decides on it, and hears that it
 * was raised; at turn 44 it rewrites what it read. At turn 90 somebody asks. A window that lost one
 * side by then is answered from with confidence, and wrongly.
 */

const CONFIG = "[http]\ntimeout = 30\nretry_budget = 3\n";
const COMMENT = "retry_budget was raised to 7 pending rollout, see ticket";

/** Policies as the model wrote them, each at the turn after which it was active. */
const POLICIES = new Map<number, object>([
  [1, { keep: "span.pinned || span.contested || span.claims > 0 || span.age < 9", target: 20_000 }],
  [50, { keep: "span.pinned || span.contested || span.age < 9", target: 15_000 }],
  [80, { keep: "span.pinned || span.age < 9", target: 12_000 }],
  [110, { keep: "span.age < 3", target: 4_000 }],
]);

async function author(w: Story, at: number): Promise<void> {
  const { keep, target } = POLICIES.get(at) as { keep: string; target: number };
  const document = { name: "salience", targetTokens: target, keep, rank: "-span.idle" };
  await w.accepts({ command: "authorPolicy", policyId: `t${at}`, document, by: MODEL });
}

/** What happens at a turn beside its work. */
const MOMENTS: Readonly<Record<number, readonly Sent[]>> = {
  41: [
    batch([
      callSpan("config", { tool: { name: "read" } }),
      resultSpan("config", { tool: { name: "read" }, content: CONFIG }),
    ]),
    fact("budget", { key: "retry_budget", value: 3, carrier: "result:config", by: MODEL }),
    decide("retry", ["budget"], { by: MODEL, statement: "retry a request three times" }),
    admit("comment", { content: COMMENT }),
    fact("raised", { key: "Retry_Budget ", value: 7, carrier: "comment", by: HUMAN }),
  ],
  44: [rewrite("brief", ["result:config"], "short", "timeout 30, usual retries", { by: MODEL })],
  90: [admit("question", { content: "how often do we retry a request?" })],
};

/** Turns 1 to `last`; every tenth opens an epoch and prunes with whatever policy is active then. */
async function play(store: StoreKind, last: number): Promise<Story> {
  const w = await given(store, { budgetTokens: 60_000 });
  const random = seededRandom(41);
  let waiting: string | undefined;
  for (let t = 1; t <= last; t += 1) {
    if (POLICIES.has(t)) {
      await author(w, t);
      waiting = `t${t}`;
    }
    await w.accepts(turn(`turn.${t}`, random, 700));
    for (const command of MOMENTS[t] ?? []) await w.accepts(command);
    if (t % 10 !== 0) continue;
    const activates = waiting !== undefined && (await isOlder(w, waiting));
    await w.accepts({ command: "openEpoch", ...(activates && { policyId: waiting }) });
    if (activates) waiting = undefined;
    await prune(w);
  }
  return w;
}

async function isOlder(w: Story, policyId: string): Promise<boolean> {
  const { epoch } = await w.view();
  return (await w.window.policies()).some((one) => one.policyId === policyId && one.epoch < epoch);
}

async function prune(w: Story): Promise<void> {
  const answer = await w.window.execute({ command: "proposePruning", by: HOST });
  if (answer.outcome !== "accepted") return;
  await w.accepts(settle(answer.ids.proposalId, { by: HUMAN }));
}

const three = (end: string) =>
  '::claim budget fact verified by model/m "statement of budget" key "retry_budget" value 3 ' +
  `quote "retry_budget = 3" contested raised ${end}`;
const seven = (standing: string, end: string) =>
  `::claim raised fact ${standing} by human/p "statement of raised" key "Retry_Budget " value 7 ` +
  `quote "${COMMENT}" contested budget ${end}`;
const DECISION = '::claim retry decision verified by model/m "retry a request three times"';

describe.each(stores)("the retry budget on $name", (store) => {
  it("is shown with both its values at turn 90, contested, and with a way to each", async () => {
    const w = await play(store, 90);
    const { rendered, ledger, overBudget } = await w.view();
    expect(await w.claimLines()).toEqual([
      three("recall result:config"),
      seven("verified", "recall comment"),
      DECISION,
    ]);
    expect(rendered).toContain("how often do we retry a request?");
    expect({ overBudget, lost: ledger.edits - ledger.records }).toEqual({
      overBudget: false,
      lost: 0,
    });
    await w.accepts({ command: "recall", spanId: "result:config", as: "config.again" });
    await w.accepts({ command: "recall", spanId: "comment", as: "comment.again" });
    const contents = new Map(await w.contents());
    expect([contents.get("config.again"), contents.get("comment.again")]).toEqual([
      CONFIG,
      COMMENT,
    ]);
    expect(await w.claimLines()).toEqual([
      three("live config.again"),
      seven("verified", "live comment.again"),
      DECISION,
    ]);
  });

  it("is shown so after a rewind to before the operator spoke", async () => {
    const w = await play(store, 45);
    const read = (await w.history()).findLast(({ type }) => type === "ClaimAsserted");
    const spoken = (await w.history()).find(
      ({ type, data }) => type === "SpanAdmitted" && data.spanId === "comment",
    );
    await w.accepts(rewind((spoken?.revision ?? 0) - 1));
    expect(read?.data).toMatchObject({ claimId: "raised" });
    expect(await w.claimLines()).toEqual([
      three("live result:config"),
      seven("unverified", "recall comment"),
      DECISION,
    ]);
  });

  it("lets anybody see at turn 120 how the policy drifted, and who wrote what", async () => {
    const w = await play(store, 120);
    const policies = await w.again().window.policies();
    expect(
      policies.map(({ policyId, by, epoch, epochs, previous, active }) => {
        return { policyId, by, epoch, epochs, previous, active };
      }),
    ).toEqual([
      { policyId: "t1", by: MODEL, epoch: 1, epochs: [3, 4, 5, 6], previous: null, active: false },
      { policyId: "t50", by: MODEL, epoch: 5, epochs: [7, 8, 9], previous: "t1", active: false },
      {
        policyId: "t80",
        by: MODEL,
        epoch: 8,
        epochs: [10, 11, 12],
        previous: "t50",
        active: false,
      },
      { policyId: "t110", by: MODEL, epoch: 11, epochs: [13], previous: "t80", active: true },
    ]);
    const changes = policies.map(({ diff }) =>
      diff.split("\n").filter((one) => /^[-+] /.test(one)),
    );
    expect(changes.slice(1)).toEqual([
      [
        '-  "targetTokens": 20000,',
        '-  "keep": "span.pinned || span.contested || span.claims > 0 || span.age < 9",',
        '+  "targetTokens": 15000,',
        '+  "keep": "span.pinned || span.contested || span.age < 9",',
      ],
      [
        '-  "targetTokens": 15000,',
        '-  "keep": "span.pinned || span.contested || span.age < 9",',
        '+  "targetTokens": 12000,',
        '+  "keep": "span.pinned || span.age < 9",',
      ],
      [
        '-  "targetTokens": 12000,',
        '-  "keep": "span.pinned || span.age < 9",',
        '+  "targetTokens": 4000,',
        '+  "keep": "span.age < 3",',
      ],
    ]);
    expect((await w.claimLines()).slice(0, 2)).toEqual([
      three("recall result:config"),
      seven("verified", "recall comment"),
    ]);
  });
});
