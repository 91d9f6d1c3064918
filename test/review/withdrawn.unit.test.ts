import { describe, expect, it } from "vitest";
import { admit, decide, evict, fact, recall, rewind } from "../support/scenarios/commands.ts";
import type { Story } from "../support/scenarios/given.ts";
import { given } from "../support/scenarios/given.ts";
import type { StoreKind } from "../support/scenarios/stores.ts";
import { stores } from "../support/scenarios/stores.ts";

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
