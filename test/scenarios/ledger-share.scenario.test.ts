import { describe, expect, it } from "vitest";
import { written } from "../support/answers.ts";
import type { Sent } from "../support/scenarios/commands.ts";
import { admit, decide, evict, fact, retract, undo } from "../support/scenarios/commands.ts";
import type { Story } from "../support/scenarios/given.ts";
import { given, HOST, HUMAN, MODEL } from "../support/scenarios/given.ts";
import { memoryStore } from "../support/scenarios/stores.ts";

const BUDGET = 4_000;
/** What the model may fill of it. */
const SHARE = 400;
/** Tokens of the longest line below. */
const LINE = 170;
const LONG = "y".repeat(200);
const MANY = Array.from({ length: 40 }, (_, i) => i);

/** What somebody does again and again: what is refused in one round does not stop the next. */
interface Route {
  readonly prepare: (w: Story) => Promise<void>;
  readonly round: (i: number) => readonly Sent[];
  /** What shows every line that there is by then. */
  readonly reveal: readonly Sent[];
}

/** Facts of the host that nothing protects, each in a span of its own. */
async function hostFacts(w: Story): Promise<void> {
  for (const i of MANY) {
    await w.accepts(admit(`s${i}`, { content: `k${i} = 1` }));
    const said = { key: `k${i}`, value: 1, statement: `${LONG}${i}` };
    await w.accepts(fact(`h${i}`, { ...said, carrier: `s${i}` }));
  }
}

const allOut = evict(
  "out",
  MANY.map((i) => `s${i}`),
);
const contest = (i: number) => fact(`m${i}`, { key: "k", value: `v${i}`, statement: LONG });
const reason = "x".repeat(200);

const routes: readonly (readonly [string, Route])[] = [
  [
    "history lines of evidence that was contested",
    {
      prepare: async (w) => {
        await w.accepts(fact("h", { key: "k", value: 1, evidence: true }));
      },
      round: (i) => [contest(i), retract(`m${i}`, { reason })],
      reveal: [],
    },
  ],
  [
    "history lines of a fact that becomes evidence later",
    {
      prepare: async (w) => {
        await w.accepts(admit("s", { content: "k = 1" }));
        await w.accepts(fact("h", { key: "k", value: 1, carrier: "s" }));
      },
      round: (i) => [contest(i), retract(`m${i}`, { reason })],
      reveal: [fact("h", { key: "k", value: 1, evidence: true })],
    },
  ],
  [
    "retracted lines",
    {
      prepare: async (w) => {
        await w.accepts(admit("s"));
      },
      round: (i) => [fact(`m${i}`, { carrier: "s" }), retract(`m${i}`, { reason })],
      reveal: [],
    },
  ],
  [
    "retracted lines of a text that is out of view",
    {
      prepare: async (w) => {
        await w.accepts(admit("s"));
        await w.accepts(fact("h", { carrier: "s" }));
        for (const i of MANY) await w.accepts(fact(`m${i}`, { carrier: "s" }));
        await w.accepts(evict("e", ["s"]));
      },
      round: (i) => [retract(`m${i}`, { reason })],
      reveal: [undo("e")],
    },
  ],
  [
    "evidence that it makes of what the host said",
    {
      prepare: hostFacts,
      round: (i) => [
        fact(`h${i}`, { key: `k${i}`, value: 1, statement: `${LONG}${i}`, evidence: true }),
      ],
      reveal: [allOut],
    },
  ],
  [
    "other values for what the host said",
    {
      prepare: hostFacts,
      round: (i) => [fact(`m${i}`, { key: `k${i}`, value: 2, statement: "m" })],
      reveal: [allOut],
    },
  ],
];

/** Sends every round; gives the codes of what was refused. */
async function refusalsOf(w: Story, { round }: Route, by: string): Promise<string[]> {
  const codes: string[] = [];
  for (const i of MANY) {
    for (const command of round(i)) {
      const answer = written(await w.send({ ...command, by }));
      if (answer.outcome !== "refused") continue;
      codes.push(...answer.refusals.map(({ code }) => code));
      break;
    }
  }
  return codes;
}

async function ledgerTokens(w: Story): Promise<number> {
  return (await w.view()).ledger.tokens;
}

describe("the model's share of the ledger", () => {
  it.each(routes)("a flood of the ledger: %s are counted", async (_, route) => {
    const w = await given(memoryStore, { budgetTokens: BUDGET });
    await route.prepare(w);
    const before = await ledgerTokens(w);
    const codes = await refusalsOf(w, route, MODEL);
    expect(new Set(codes)).toEqual(new Set(["ledger-full"]));
    expect(codes.length).toBeLessThan(MANY.length);
    for (const command of route.reveal) await w.accepts(command);
    const filled = (await ledgerTokens(w)) - before;
    expect(filled).toBeLessThanOrEqual(SHARE + LINE);
    expect(filled).toBeGreaterThan(SHARE - 2 * LINE);
  });

  it.each(routes)(
    "a flood of the ledger: %s are not limited without a budget",
    async (_, route) => {
      const w = await given(memoryStore);
      await route.prepare(w);
      expect(await refusalsOf(w, route, MODEL)).toEqual([]);
      for (const command of route.reveal) await w.accepts(command);
      expect(await ledgerTokens(w)).toBeGreaterThan(SHARE + LINE);
    },
  );

  it.each(routes)("a flood of the ledger: %s are not limited for others", async (_, route) => {
    for (const by of [HOST, HUMAN]) {
      const w = await given(memoryStore, { budgetTokens: BUDGET });
      await route.prepare(w);
      expect(await refusalsOf(w, route, by)).toEqual([]);
    }
  });
});

/** A window whose share is full but for less than a line, with a claim of the model in conflict. */
async function givenFull(): Promise<Story> {
  const w = await given(memoryStore, { budgetTokens: BUDGET });
  await w.accepts(fact("h", { key: "k", value: 1, evidence: true }));
  await w.accepts(fact("m", { key: "k", value: 2, by: MODEL, statement: "it is two" }));
  for (const i of MANY) await w.send(fact(`f${i}`, { evidence: true, by: MODEL }));
  await w.refuses(fact("f", { evidence: true, by: MODEL }), "ledger-full");
  return w;
}

describe("what the model may say when its share is full", () => {
  it("a flood of the ledger: a short retraction, which costs no more than what it takes back", async () => {
    const w = await givenFull();
    const before = await ledgerTokens(w);
    await w.accepts(retract("m", { by: MODEL, reason: "misread" }));
    expect((await w.claimLines()).at(-1)).toBe(
      '::history h was contested by m "it is two"; retracted by model/m: "misread"',
    );
    expect(await ledgerTokens(w)).toBeLessThanOrEqual(before);
  });

  it("a flood of the ledger: no long one, but the host may write it, and makes room", async () => {
    const w = await givenFull();
    const refusal = await w.refuses(retract("m", { by: MODEL, reason }), "ledger-full");
    expect(refusal).toMatchObject({ limit: SHARE });
    expect(refusal.message).toContain("give a shorter reason, or ask the host to retract it");
    await w.accepts(retract("m", { reason }));
    await w.accepts(fact("f", { evidence: true, by: MODEL }));
  });

  it("a flood of the ledger: retracting a decision frees what only the decision kept", async () => {
    const w = await given(memoryStore, { budgetTokens: BUDGET });
    await hostFacts(w);
    await w.accepts(decide("d", ["h0", "h1", "h2", "h3"], { by: MODEL }));
    await w.refuses(decide("d2", ["h4", "h5", "h6"], { by: MODEL }), "ledger-full");
    await w.accepts(retract("d", { by: MODEL }));
    await w.accepts(decide("d2", ["h4", "h5", "h6"], { by: MODEL }));
  });

  it("a flood of the ledger: evidence that the host asked for too is the host's", async () => {
    const w = await given(memoryStore, { budgetTokens: BUDGET });
    await hostFacts(w);
    const again = (i: number, by: string) =>
      fact(`h${i}`, { key: `k${i}`, value: 1, statement: `${LONG}${i}`, evidence: true, by });
    const taken: number[] = [];
    for (const i of MANY) {
      if ((await w.send(again(i, MODEL))).outcome === "accepted") taken.push(i);
    }
    const next = taken.length;
    await w.refuses(again(next, MODEL), "ledger-full");
    for (const i of taken) await w.accepts(again(i, HOST));
    await w.accepts(again(next, MODEL));
  });

  it("a flood of the ledger: a conflict that the host noted is the host's, whoever is in it", async () => {
    const w = await given(memoryStore, { budgetTokens: BUDGET });
    await hostFacts(w);
    await w.accepts(fact("m", { by: MODEL, statement: "m" }));
    for (const i of MANY) await w.accepts({ command: "noteConflict", a: "m", b: `h${i}` });
    await w.accepts(fact("f", { evidence: true, by: MODEL }));
  });
});
