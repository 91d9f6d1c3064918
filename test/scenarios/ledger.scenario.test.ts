import { describe, expect, it } from "vitest";
import type { Sent } from "../support/scenarios/commands.ts";
import {
  admit,
  decide,
  evict,
  fact,
  redo,
  retract,
  rewind,
  rewrite,
  undo,
} from "../support/scenarios/commands.ts";
import type { Story } from "../support/scenarios/given.ts";
import { given, HUMAN, MODEL } from "../support/scenarios/given.ts";
import type { StoreKind } from "../support/scenarios/stores.ts";
import { stores } from "../support/scenarios/stores.ts";

const RAISED = "raised to 7 pending rollout, see ticket";

/** A config line, the decision that rests on it, and an operator's comment that contradicts it. */
async function givenRetryBudget(store: StoreKind): Promise<Story> {
  const w = await given(store);
  const config = `[http]\nretry_budget = 3\n${"# more\n".repeat(100)}`;
  await w.accepts(admit("config", { origin: "tool", content: config }));
  await w.accepts(fact("c1", { key: "retry_budget", value: 3, carrier: "config" }));
  await w.accepts(decide("d1", ["c1"], { by: MODEL, statement: "retry three times" }));
  await w.accepts(admit("comment", { content: RAISED }));
  await w.accepts(fact("c2", { key: "retry_budget", value: 7, carrier: "comment", by: HUMAN }));
  return w;
}

const C1 = '"statement of c1" key "retry_budget" value 3 quote "retry_budget = 3" contested c2';
const C2 = `"statement of c2" key "retry_budget" value 7 quote "${RAISED}" contested c1`;
const D1 = 'by model/m "retry three times"';

/** The line of a verified fact of the host. */
const factLine = (id: string, rest: string) =>
  `::claim ${id} fact verified by host/h "statement of ${id}" ${rest}`;

describe.each(stores)("the evidence ledger on $name", (store) => {
  it("the retry budget: both sides, with pointers, after a prune", async () => {
    const w = await givenRetryBudget(store);
    expect(await w.prunes(["config", "comment"])).toMatchObject({ settlement: "committed" });
    const lines = [
      `::claim c1 fact verified by host/h ${C1} recall config`,
      `::claim c2 fact verified by human/p ${C2} recall comment`,
      `::claim d1 decision verified ${D1}`,
    ];
    expect(await w.claimLines()).toEqual(lines);
    expect(await w.again().claimLines()).toEqual(lines);
  });

  it("the retry budget: and after a rewind to before the comment", async () => {
    const w = await givenRetryBudget(store);
    await w.accepts(rewind(1));
    expect(await w.claimLines()).toEqual([
      `::claim c1 fact verified by host/h ${C1} live config`,
      `::claim c2 fact unverified by human/p ${C2} recall comment`,
      `::claim d1 decision verified ${D1}`,
    ]);
    expect(await w.live()).toEqual(["config"]);
  });

  it("the retry budget: and while both are in view", async () => {
    const w = await givenRetryBudget(store);
    expect(await w.claimLines()).toEqual([
      `::claim c1 fact verified by host/h ${C1} live config`,
      `::claim c2 fact verified by human/p ${C2} live comment`,
      `::claim d1 decision verified ${D1}`,
    ]);
  });

  it("a conflict born with a pruned side: both are shown from then on", async () => {
    const w = await given(store);
    await w.accepts(admit("s1", { content: "k=0" }));
    await w.accepts(fact("c1", { key: "k", value: 0, carrier: "s1" }));
    await w.accepts(evict("e1", ["s1"]));
    expect(await w.claimLines()).toEqual([]);
    await w.accepts(admit("s2", { content: "k=1" }));
    await w.accepts(fact("c2", { key: "k", value: 1, carrier: "s2" }));
    expect(await w.claimLines()).toEqual([
      factLine("c1", 'key "k" value 0 quote "k=0" contested c2 recall s1'),
      factLine("c2", 'key "k" value 1 quote "k=1" contested c1 live s2'),
    ]);
  });

  it("a conflict born with a pruned side: a noted one, whichever side is named", async () => {
    for (const [a, b] of [
      ["c1", "c2"],
      ["c2", "c1"],
    ]) {
      const w = await given(store);
      await w.holds("s1", "s2");
      await w.accepts(fact("c1", { carrier: "s1" }));
      await w.accepts(fact("c2", { carrier: "s2" }));
      await w.accepts(evict("e1", ["s1"]));
      await w.accepts({ command: "noteConflict", a, b });
      expect(await w.claimLines()).toEqual([
        factLine("c1", 'quote "text of s1" contested c2 recall s1'),
        factLine("c2", 'quote "text of s2" contested c1 live s2'),
      ]);
    }
  });

  it("names the live carrier of least position, else the first one ever named", async () => {
    const w = await given(store);
    await w.holds("s1", "s2", "s3");
    await w.accepts(fact("c1", { carrier: "s2" }));
    await w.accepts(fact("c1", { carrier: "s3" }));
    await w.accepts(fact("c1", { carrier: "s1" }));
    await w.accepts(fact("c2"));
    await w.accepts({ command: "noteConflict", a: "c1", b: "c2" });
    const first = async () => (await w.claimLines())[0];
    const line = (end: string) => factLine("c1", `quote "text of s2" contested c2 ${end}`);
    expect(await first()).toBe(line("live s1"));
    await w.accepts(evict("e1", ["s1"]));
    expect(await first()).toBe(line("live s2"));
    await w.accepts(evict("e2", ["s2"]));
    expect(await first()).toBe(line("live s3"));
    await w.accepts(evict("e3", ["s3"]));
    expect(await first()).toBe(line("recall s2"));
    await w.accepts({ command: "recall", spanId: "s2", as: "r" });
    expect(await first()).toBe(line("live r"));
  });

  const QUOTE = "the key is 42";
  const line = (end: string) =>
    `::claim c1 fact verified by host/h "statement of c1" quote "${QUOTE}" ${end}`;

  it.each<[string, readonly Sent[], string[]]>([
    ["in view", [], []],
    ["evicted", [evict("e1", ["s1"])], [line("recall s1")]],
    ["rewritten", [rewrite("e1", ["s1"], "p")], [line("recall s1")]],
    ["rewritten with its own words", [rewrite("e1", ["s1"], "p", QUOTE)], [line("recall s1")]],
    ["evicted and undone", [evict("e1", ["s1"]), undo("e1")], []],
    ["evicted, undone, redone", [evict("e1", ["s1"]), undo("e1"), redo("e1")], [line("recall s1")]],
    ["rewound", [rewind(0)], [line("recall s1").replace("verified", "unverified")]],
    [
      "merged",
      [
        rewrite("e1", ["s1"], "p", `${QUOTE}\nb\nc`),
        rewrite("e2", ["p"], "q", `${QUOTE}\nb\nd`),
        undo("e1", { strategy: "merge", content: "resolved" }),
      ],
      [line("recall s1")],
    ],
    ["evicted and recalled", [evict("e1", ["s1"]), { command: "recall", spanId: "s1" }], []],
    [
      "recalled, and the recall evicted",
      [evict("e1", ["s1"]), { command: "recall", spanId: "s1", as: "r" }, evict("e2", ["r"])],
      [line("recall s1")],
    ],
    [
      "recalled, and the recall rewound away",
      [evict("e1", ["s1"]), { command: "recall", spanId: "s1", as: "r" }, rewind(4)],
      [line("recall s1")],
    ],
  ])("evidence survives every verb: %s", async (_, verbs, expected) => {
    const w = await given(store);
    await w.accepts(admit("s1", { content: `a\n${QUOTE}\nc` }));
    await w.accepts(fact("c1", { carrier: "s1", quote: QUOTE, evidence: true }));
    for (const verb of verbs) await w.accepts(verb);
    const { rendered, ledger } = await w.view();
    expect(await w.claimLines()).toEqual(expected);
    expect(rendered).toContain(QUOTE);
    expect(ledger.claims).toHaveLength(expected.length);
    expect(await w.again().claimLines()).toEqual(expected);
    expect(Object.keys(await w.standings())).toEqual(["c1"]);
  });

  it("undo of what introduced the carrier: the ledger takes it and gives it back", async () => {
    const w = await given(store);
    await w.holds("s1");
    await w.accepts(rewrite("e1", ["s1"], "s2"));
    await w.accepts(fact("c1", { carrier: "s2", evidence: true }));
    expect(await w.claimLines()).toEqual([]);
    await w.accepts(undo("e1"));
    expect(await w.claimLines()).toEqual([
      '::claim c1 fact unverified by host/h "statement of c1" quote "text of s2" recall s2',
    ]);
    await w.accepts(redo("e1"));
    expect(await w.claimLines()).toEqual([]);
  });

  it("citing what is not visible: recalled again, the recall it was asserted on carries it", async () => {
    const w = await given(store);
    await w.holds("s1");
    await w.accepts(evict("e1", ["s1"]));
    await w.accepts({ command: "recall", spanId: "s1", as: "r1" });
    await w.accepts(fact("c1", { carrier: "r1" }));
    await w.accepts(evict("e2", ["r1"]));
    await w.refuses(decide("d1", ["c1"]), "claim-not-visible");
    await w.accepts({ command: "recall", spanId: "r1", as: "r2" });
    await w.accepts(decide("d1", ["c1"]));
    expect((await w.window.claims())[0]?.carriers).toContain("r2");
    expect(await w.claimLines()).toEqual([
      '::claim d1 decision verified by host/h "statement of d1"',
    ]);
  });

  it.each([
    ["evicted", evict("e1", ["s1"])],
    ["rewritten", rewrite("e1", ["s1"], "p", "the statement of c1 is in here")],
    ["rewound away", rewind(0)],
  ])("citing what is not visible: %s it is not visible, recalled it is", async (_, gone) => {
    const w = await given(store);
    await w.holds("s1");
    await w.accepts(fact("c1", { carrier: "s1" }));
    await w.accepts(gone);
    await w.refuses(decide("d1", ["c1"]), "claim-not-visible", { claimId: "c1" });
    await w.accepts({ command: "recall", spanId: "s1" });
    await w.accepts(decide("d1", ["c1"]));
  });

  it("citing what is not visible: what the ledger shows is visible", async () => {
    const w = await given(store);
    await w.holds("s1", "s2");
    await w.accepts(fact("c1", { carrier: "s1", evidence: true }));
    await w.accepts(fact("c2", { carrier: "s2" }));
    await w.accepts(fact("c3"));
    await w.accepts(evict("e1", ["s1", "s2"]));
    await w.refuses(decide("d1", ["c1", "c2", "c3"]), "claim-not-visible", { claimId: "c2" });
    await w.accepts(decide("d1", ["c1", "c3"]));
    await w.accepts(decide("d2", ["d1"]));
    await w.refuses(decide("d3", []), "invalid-command");
  });

  it("twins of equal content: the other twin does not carry the claim", async () => {
    const w = await given(store);
    await w.accepts(admit("s1", { content: "same words" }));
    await w.accepts(admit("s2", { content: "same words" }));
    await w.accepts(fact("c1", { carrier: "s1", evidence: true }));
    await w.accepts(evict("e1", ["s1"]));
    expect(await w.live()).toEqual(["s2"]);
    expect(await w.claimLines()).toEqual([
      '::claim c1 fact verified by host/h "statement of c1" quote "same words" recall s1',
    ]);
    await w.accepts(undo("e1"));
    await w.accepts(evict("e3", ["s2"]));
    expect(await w.claimLines()).toEqual([]);
  });

  it("a denial in a rewrite: the original quote stands in the ledger", async () => {
    const w = await givenRetryBudget(store);
    const denial = `obsolete, ignore: "${RAISED}"`;
    await w.accepts(rewrite("e1", ["comment"], "p", denial, { by: MODEL }));
    expect((await w.claimLines())[1]).toBe(
      `::claim c2 fact verified by human/p ${C2} recall comment`,
    );
  });

  it("one side retracted: the survivor's line says who took back what, and why", async () => {
    const w = await givenRetryBudget(store);
    await w.accepts(retract("c2", { by: MODEL, reason: "the rollout\nwas cancelled" }));
    await w.accepts(evict("e1", ["config", "comment"]));
    expect(await w.claimLines()).toEqual([
      `::claim c1 fact verified by host/h ${C1.replace(" contested c2", "")} recall config`,
      `::claim d1 decision verified ${D1}`,
      '::history c1 was contested by c2 "statement of c2"; ' +
        'retracted by model/m: "the rollout\\nwas cancelled"',
    ]);
  });

  it("one side retracted: no line for a survivor that nothing rests on", async () => {
    const w = await given(store);
    await w.accepts(fact("c1", { key: "k", value: 1, evidence: true }));
    await w.accepts(fact("c2", { key: "k", value: 2 }));
    await w.accepts(retract("c1"));
    expect(await w.claimLines()).toEqual([
      '::claim c2 fact unverified by host/h "statement of c2" key "k" value 2',
    ]);
    await w.accepts(decide("d1", ["c2"]));
    const history =
      '::history c2 was contested by c1 "statement of c1"; retracted by host/h: "it was wrong"';
    expect((await w.claimLines()).at(-1)).toBe(history);
    await w.accepts(retract("c2"));
    expect(await w.claimLines()).toEqual([
      '::claim d1 decision unverified by host/h "statement of d1" retracted c2',
    ]);
  });

  it("one side logged: three values are three sides, each with its own", async () => {
    const w = await given(store);
    for (const value of [1, 2, 3]) await w.accepts(fact(`c${value}`, { key: "k", value }));
    expect((await w.view()).ledger.claims.map((one) => [one.claimId, one.contestedBy])).toEqual([
      ["c1", ["c2", "c3"]],
      ["c2", ["c1", "c3"]],
      ["c3", ["c1", "c2"]],
    ]);
    await w.accepts(retract("c2"));
    expect((await w.view()).ledger.claims.map((one) => [one.claimId, one.contestedBy])).toEqual([
      ["c1", ["c3"]],
      ["c3", ["c1"]],
    ]);
  });
});
