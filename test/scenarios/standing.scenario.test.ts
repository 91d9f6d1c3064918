import { contentDigest } from "@palimpsest/core";
import { describe, expect, it } from "vitest";
import {
  admit,
  decide,
  evict,
  fact,
  observe,
  recall,
  redo,
  retract,
  rewind,
  rewrite,
  undo,
} from "../support/scenarios/commands.ts";
import { damagedLog } from "../support/scenarios/damaged-log.ts";
import type { Story } from "../support/scenarios/given.ts";
import { given } from "../support/scenarios/given.ts";
import type { StoreKind } from "../support/scenarios/stores.ts";
import { stores } from "../support/scenarios/stores.ts";

const digestOf = (spanId: string) => contentDigest(`text of ${spanId}`);
const sourced = (spanId: string, uri: string) =>
  admit(spanId, { origin: "tool", kind: "text", source: { uri, digest: digestOf(spanId) } });
const other = contentDigest("another content");
const cites = (spanId: string) => ({ span: spanId, quote: `text of ${spanId}` });

describe.each(stores)("standing on $name", (store) => {
  it("retract a cited claim: the decision is unverified and still shown", async () => {
    const w = await given(store);
    await w.holds("s1");
    await w.accepts(fact("c1", { carrier: "s1" }));
    await w.accepts(decide("d1", ["c1"]));
    await w.accepts(decide("d2", ["d1"]));
    expect(await w.standings()).toEqual({ c1: "verified", d1: "verified", d2: "verified" });
    await w.accepts(retract("c1"));
    expect(await w.standings()).toEqual({ c1: "retracted", d1: "unverified", d2: "unverified" });
    expect(await w.claimLines()).toEqual([
      '::claim d1 decision unverified by host/h "statement of d1" retracted c1',
      '::claim d2 decision unverified by host/h "statement of d2"',
      '::retracted c1 by host/h: "it was wrong"; do not rely on "text of s1" in s1',
    ]);
  });

  it("retract a cited claim: without it what it cited is not evidence", async () => {
    const w = await given(store);
    await w.holds("s1");
    await w.accepts(fact("c1", { carrier: "s1" }));
    await w.accepts(decide("d1", ["c1"]));
    await w.accepts(decide("d2", ["c1"]));
    await w.accepts(evict("e1", ["s1"]));
    const line =
      '::claim c1 fact verified by host/h "statement of c1" quote "text of s1" recall s1';
    for (const decision of ["d1", "d2"]) {
      expect((await w.claimLines())[0]).toBe(line);
      await w.accepts(retract(decision));
    }
    expect(await w.claimLines()).toEqual([]);
    expect((await w.window.claims())[0]).toMatchObject({ evidence: false, protected: false });
  });

  it("mutual support: without its ground neither of two holds up the other", async () => {
    const w = await given(store);
    await w.accepts(sourced("s1", "file:a"));
    await w.accepts(fact("c1", { because: [cites("s1")] }));
    await w.accepts(fact("c2", { because: [{ claim: "c1" }] }));
    await w.accepts(fact("c1", { because: [{ claim: "c2" }] }));
    await w.accepts(observe("file:a", other));
    expect(await w.standings()).toEqual({ c1: "unverified", c2: "unverified" });
    await w.accepts(observe("file:a", digestOf("s1")));
    expect(await w.standings()).toEqual({ c1: "verified", c2: "verified" });
    await w.accepts(observe("file:a", null));
    expect(await w.again().standings()).toEqual({ c1: "unverified", c2: "unverified" });
  });

  it("mutual support: a ring of five stands with the one grounded", async () => {
    const w = await given(store);
    const ring = ["c0", "c1", "c2", "c3", "c4"];
    for (const id of ring) await w.accepts(fact(id));
    for (const [i, id] of ring.entries()) {
      await w.accepts(fact(id, { because: [{ claim: ring[(i + 1) % 5] ?? "" }] }));
    }
    const all = (standing: string) => Object.fromEntries(ring.map((id) => [id, standing]));
    expect(await w.standings()).toEqual(all("unverified"));
    await w.holds("s1");
    await w.accepts(fact("c2", { carrier: "s1" }));
    expect(await w.standings()).toEqual(all("verified"));
    await w.accepts(rewind(0));
    expect(await w.standings()).toEqual(all("unverified"));
    expect(await w.again().standings()).toEqual(all("unverified"));
  });

  it("mutual support: a claim that cites itself is not grounded by that", async () => {
    const w = await given(store);
    await w.accepts(fact("c1"));
    await w.accepts(fact("c1", { because: [{ claim: "c1" }] }));
    expect(await w.standings()).toEqual({ c1: "unverified" });
  });

  it("any one of several justifications: one of two is enough, none is not", async () => {
    const w = await given(store);
    await w.accepts(sourced("s1", "file:a"));
    await w.accepts(sourced("s2", "file:b"));
    await w.accepts(fact("c1", { carrier: "s1" }));
    await w.accepts(fact("c1", { carrier: "s2" }));
    await w.accepts(observe("file:a", null));
    expect(await w.standings()).toEqual({ c1: "verified" });
    await w.accepts(observe("file:b", other));
    expect(await w.standings()).toEqual({ c1: "unverified" });
    await w.accepts(observe("file:a", digestOf("s1")));
    expect(await w.standings()).toEqual({ c1: "verified" });
  });

  it("any one of several justifications: within one, all of it must hold", async () => {
    const w = await given(store);
    await w.holds("s1");
    await w.accepts(sourced("s2", "file:b"));
    await w.accepts(fact("c0"));
    await w.accepts(fact("c1", { because: [cites("s1"), cites("s2"), { claim: "c0" }] }));
    expect(await w.standings()).toEqual({ c0: "unverified", c1: "unverified" });
    await w.accepts(fact("c0", { because: [cites("s1")] }));
    expect(await w.standings()).toEqual({ c0: "verified", c1: "verified" });
    await w.accepts(observe("file:b", null));
    expect(await w.standings()).toEqual({ c0: "verified", c1: "unverified" });
  });

  it("any one of several justifications: consumed spans ground, rewound ones do not", async () => {
    const w = await given(store);
    await w.holds("s1", "s2");
    await w.accepts(fact("c1", { carrier: "s2" }));
    await w.accepts(evict("e1", ["s2"]));
    expect(await w.standings()).toEqual({ c1: "verified" });
    await w.accepts(rewind(1, { as: "e2" }));
    expect(await w.standings()).toEqual({ c1: "unverified" });
    await w.accepts(undo("e2"));
    expect(await w.standings()).toEqual({ c1: "verified" });
  });

  it("a decision rewound or pruned: withdrawn, and back with the undo", async () => {
    const w = await given(store);
    await w.holds("s1");
    await w.accepts(fact("c1", { carrier: "s1" }));
    await w.holds("s2");
    await w.accepts(decide("d1", ["c1"], { carrier: "s2" }));
    await w.accepts(rewind(1, { as: "e1" }));
    expect(await w.standings()).toEqual({ c1: "verified", d1: "withdrawn" });
    expect(await w.claimLines()).toEqual([]);
    await w.accepts(undo("e1", { as: "e2" }));
    expect(await w.standings()).toEqual({ c1: "verified", d1: "verified" });
    await w.accepts(redo("e1"));
    expect(await w.again().standings()).toEqual({ c1: "verified", d1: "withdrawn" });
  });

  it("a decision rewound or pruned: undone with its rewrite, back with redo", async () => {
    const w = await given(store);
    await w.holds("s1");
    await w.accepts(fact("c1", { carrier: "s1", evidence: true }));
    await w.accepts(rewrite("e1", ["s1"], "s2"));
    await w.accepts(decide("d1", ["c1"], { carrier: "s2" }));
    await w.accepts(undo("e1"));
    expect(await w.standings()).toEqual({ c1: "verified", d1: "withdrawn" });
    await w.accepts(redo("e1"));
    expect(await w.standings()).toEqual({ c1: "verified", d1: "verified" });
    expect(await w.claimLines()).toEqual([
      '::claim c1 fact verified by host/h "statement of c1" quote "text of s1" recall s1',
    ]);
  });

  it("a decision rewound or pruned: pruned it is in the ledger and in force", async () => {
    const w = await given(store);
    await w.holds("s1", "s2");
    await w.accepts(fact("c1", { carrier: "s1" }));
    await w.accepts(decide("d1", ["c1"], { carrier: "s2" }));
    await w.accepts(evict("e1", ["s2"]));
    expect(await w.standings()).toEqual({ c1: "verified", d1: "verified" });
    expect(await w.claimLines()).toEqual([
      '::claim d1 decision verified by host/h "statement of d1" quote "text of s2" recall s2',
    ]);
  });

  it("a decision rewound or pruned: it keeps its side of a conflict", async () => {
    const w = await given(store);
    await w.accepts(fact("c1", { evidence: true }));
    await w.accepts(admit("s1", { content: "use 3" }));
    await w.accepts(decide("d1", ["c1"], { key: "k", value: 3, carrier: "s1" }));
    await w.accepts(fact("c2", { key: "k", value: 7 }));
    await w.accepts(rewind(1));
    expect(await w.standings()).toMatchObject({ d1: "withdrawn" });
    const { claims } = (await w.view()).ledger;
    expect(claims.map(({ claimId, contestedBy }) => [claimId, contestedBy])).toEqual([
      ["d1", ["c2"]],
      ["c2", ["d1"]],
      ["c1", []],
    ]);
  });

  it("a decision rewound or pruned: withdrawn, nobody cites it", async () => {
    const w = await given(store);
    await w.accepts(fact("c1", { evidence: true }));
    await w.holds("s1");
    await w.accepts(decide("d1", ["c1"], { carrier: "s1" }));
    await w.accepts(rewind(1, { as: "e1" }));
    await w.refuses(decide("d2", ["d1"]), "claim-not-visible", { claimId: "d1" });
    await w.accepts(undo("e1"));
    await w.accepts(decide("d2", ["d1"]));
  });

  it("a decision rewound or pruned: withdrawn and contested, it is in the ledger and citable", async () => {
    const w = await given(store);
    await w.accepts(admit("s1", { content: "limit 5" }));
    await w.accepts(fact("c1", { key: "limit", value: 5, carrier: "s1" }));
    await w.accepts(admit("s2", { origin: "assistant", content: "I decide limit 7" }));
    await w.accepts(decide("d1", ["c1"], { key: "limit", value: 7, carrier: "s2" }));
    await w.accepts(rewind(2));
    expect((await w.view()).ledger.claims).toMatchObject([
      { claimId: "c1", contestedBy: ["d1"] },
      { claimId: "d1", contestedBy: ["c1"], standing: "withdrawn" },
    ]);
    await w.accepts(decide("d2", ["d1"]));
    await w.accepts(retract("c1"));
    await w.refuses(decide("d3", ["d1"]), "claim-not-visible", { claimId: "d1" });
    await w.holdsUp();
  });

  it("a decision rewound or pruned: facts are never withdrawn", async () => {
    const w = await given(store);
    await w.holds("s1");
    await w.accepts(fact("c1", { carrier: "s1", evidence: true }));
    await w.accepts(rewind(0));
    expect(await w.standings()).toEqual({ c1: "unverified" });
    expect(await w.claimLines()).toEqual([
      '::claim c1 fact unverified by host/h "statement of c1" quote "text of s1" recall s1',
    ]);
  });

  it("lost content: claims that rest on it are unverified while it is lost", async () => {
    const w = await given(store);
    await w.holds("s1", "s2");
    await w.accepts(fact("c1", { carrier: "s1" }));
    await w.accepts(fact("c2", { because: [{ claim: "c1" }] }));
    await w.accepts(fact("c3", { carrier: "s2" }));
    const damaged = w.through(damagedLog(w.log));
    await damaged.standings();
    damaged.log.lose(1);
    const rest = { c2: "unverified", c3: "verified" };
    expect(await damaged.standings()).toEqual({ c1: "unverified", ...rest });
    expect((await damaged.window.claims())[0]?.sources).toMatchObject([{ state: "lost" }]);
    damaged.log.repair();
    expect(await damaged.standings()).toEqual({ c1: "verified", c2: "verified", c3: "verified" });
  });
});

/** A decision whose only carrier was rewound away. */
async function givenWithdrawn(store: StoreKind): Promise<Story> {
  const w = await given(store);
  await w.accepts(admit("config", { content: "retries = 3" }));
  await w.accepts(fact("f", { key: "retries", value: 3, carrier: "config" }));
  const { revision } = await w.accepts(admit("go"));
  await w.accepts(admit("answer", { origin: "assistant", content: "I retry three times" }));
  await w.accepts(decide("d", ["f"], { carrier: "answer" }));
  await w.accepts(rewind(revision));
  expect(await w.standings()).toEqual({ f: "verified", d: "withdrawn" });
  return w;
}

describe.each(stores)("a withdrawn decision on $name", (store) => {
  it("is verified again once its carrier is recalled, on what it rests on", async () => {
    const w = await givenWithdrawn(store);
    await w.accepts(recall("answer", "again"));
    expect(await w.standings()).toEqual({ f: "verified", d: "verified" });
    expect(await w.again().standings()).toEqual({ f: "verified", d: "verified" });
  });

  it("lifts what rests on it, when it is recalled", async () => {
    const w = await givenWithdrawn(store);
    await w.accepts(fact("g", { because: [{ claim: "d" }] }));
    expect(await w.standings()).toMatchObject({ g: "unverified" });
    await w.accepts(recall("answer", "again"));
    expect(await w.standings()).toMatchObject({ g: "verified" });
  });

  it("is out of sight, so no decision may cite it", async () => {
    const w = await givenWithdrawn(store);
    await w.refuses(decide("d2", ["d"]), "claim-not-visible", { claimId: "d" });
    await w.accepts(recall("answer", "again"));
    await w.accepts(decide("d2", ["d"]));
  });

  it("may be cited when its carrier is only out of view: it is in the ledger then", async () => {
    const w = await givenWithdrawn(store);
    await w.accepts(recall("answer", "again"));
    await w.accepts(evict("e", ["again"]));
    expect(await w.standings()).toMatchObject({ d: "verified" });
    await w.accepts(decide("d2", ["d"]));
  });
});
