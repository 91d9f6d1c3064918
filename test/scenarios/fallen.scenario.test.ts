import { contentDigest } from "@palimpsest/core";
import { describe, expect, it } from "vitest";
import type { Sent } from "../support/scenarios/commands.ts";
import {
  admit,
  decide,
  evict,
  fact,
  observe,
  redo,
  retract,
  rewind,
  rewrite,
  undo,
} from "../support/scenarios/commands.ts";
import { given } from "../support/scenarios/given.ts";
import { stores } from "../support/scenarios/stores.ts";

const read = contentDigest("text of s1");
const overwritten = contentDigest("another content");
const words = { span: "s1", quote: "text of s1" };

/** s1 was read from a file, s2 says what was decided on it; both are live. */
const decided: readonly Sent[] = [
  admit("s1", { origin: "tool", kind: "text", source: { uri: "file:a", digest: read } }),
  admit("s2", { origin: "assistant" }),
  fact("c1", { carrier: "s1", quote: "text of s1" }),
  decide("d1", ["c1"], { carrier: "s2", quote: "text of s2" }),
];

const fact1 = '::claim c1 fact unverified by host/h "statement of c1" quote "text of s1"';
const decision1 = '::claim d1 decision unverified by host/h "statement of d1" quote "text of s2"';

describe.each(stores)("a decision in view whose reason has fallen, on $name", (store) => {
  it("has its line, and the reason its own, while the file is another one", async () => {
    const w = await given(store);
    for (const command of decided) await w.accepts(command);
    expect(await w.claimLines()).toEqual([]);
    const lines = [`${fact1} changed "file:a" live s1`, `${decision1} live s2`];
    await w.accepts(observe("file:a", overwritten));
    expect(await w.claimLines()).toEqual(lines);
    await w.accepts(observe("file:a", read));
    expect(await w.claimLines()).toEqual([]);
    await w.accepts(observe("file:a", null));
    expect(await w.claimLines()).toEqual(lines);
    expect(await w.again().claimLines()).toEqual(lines);
  });

  it("keeps both lines when the reason goes out of view", async () => {
    const w = await given(store);
    for (const command of decided) await w.accepts(command);
    await w.accepts(observe("file:a", overwritten));
    await w.accepts(evict("e1", ["s1"]));
    expect(await w.claimLines()).toEqual([
      `${fact1} changed "file:a" recall s1`,
      `${decision1} live s2`,
    ]);
  });

  it("says which claim was retracted, also when nothing else shows it any more", async () => {
    const w = await given(store);
    for (const command of decided) await w.accepts(command);
    await w.accepts(evict("e1", ["s1"]));
    await w.accepts(retract("c1"));
    expect(await w.claimLines()).toEqual([`${decision1} retracted c1 live s2`]);
  });

  it("has none as long as another justification holds", async () => {
    const w = await given(store);
    for (const command of decided) await w.accepts(command);
    await w.holds("s3");
    await w.accepts(fact("c1", { carrier: "s3", quote: "text of s3" }));
    await w.accepts(observe("file:a", overwritten));
    expect(await w.claimLines()).toEqual([]);
  });

  it("reaches through claims, also when they rest on each other", async () => {
    const w = await given(store);
    for (const command of decided) await w.accepts(command);
    await w.accepts(decide("d2", ["d1"], { carrier: "s2", quote: "text of s2" }));
    await w.accepts(decide("d1", ["d2"], { carrier: "s2", quote: "text of s2" }));
    await w.accepts(observe("file:a", overwritten));
    const shown = (await w.view()).ledger.claims.map(({ claimId }) => claimId);
    expect(shown).toEqual(["c1", "d1", "d2"]);
  });

  it("names each file that has changed once, in the order it was cited", async () => {
    const w = await given(store);
    for (const command of decided) await w.accepts(command);
    const cited = { uri: "file:b", digest: read };
    await w.accepts(observe("file:b", read));
    await w.accepts(fact("c1", { because: [cited, words] }));
    for (const uri of ["file:b", "file:a"]) await w.accepts(observe(uri, overwritten));
    expect((await w.claimLines())[0]).toBe(`${fact1} changed "file:a" changed "file:b" live s1`);
  });
});

describe.each(stores)("a decision in view that has not fallen, on $name", (store) => {
  it("undo of what introduced the carrier: the claim never stood on anything, and has no line", async () => {
    const w = await given(store);
    await w.holds("s1");
    await w.accepts(rewrite("e1", ["s1"], "s2"));
    await w.accepts(fact("c1", { carrier: "s2", quote: "text of s2", evidence: true }));
    await w.accepts(undo("e1"));
    expect(await w.claimLines()).toHaveLength(1);
    await w.accepts(redo("e1"));
    expect(await w.standings()).toEqual({ c1: "unverified" });
    expect(await w.claimLines()).toEqual([]);
  });

  it("rests on a file that nobody ever looked at", async () => {
    const w = await given(store);
    await w.holds("s1");
    const because = [{ uri: "file:never", digest: read }];
    const carrier = { carrier: "s1", quote: "text of s1", evidence: true };
    await w.accepts(fact("c1", { ...carrier, because }));
    expect(await w.standings()).toEqual({ c1: "unverified" });
    expect(await w.claimLines()).toEqual([]);
  });

  it("lost its reason to a rewind: the reason has a line, as it is out of view", async () => {
    const w = await given(store);
    await w.accepts(admit("s2", { origin: "assistant" }));
    const before = await w.head();
    await w.holds("s1");
    await w.accepts(fact("c1", { carrier: "s1", quote: "text of s1" }));
    await w.accepts(decide("d1", ["c1"], { carrier: "s2", quote: "text of s2" }));
    await w.accepts(rewind(before));
    expect(await w.claimLines()).toEqual([`${fact1} recall s1`]);
  });
});
