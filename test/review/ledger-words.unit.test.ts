import { parseRendering } from "@palimpsest/core";
import { describe, expect, it } from "vitest";
import { admit, evict, fact } from "../support/scenarios/commands.ts";
import { given } from "../support/scenarios/given.ts";
import { stores } from "../support/scenarios/stores.ts";

/* Ids are chosen by those who make claims: none of them is read as a word of the line it is in. */

describe.each(stores)("a ledger line on $name", (store) => {
  it("tells ids named like its words from the words", async () => {
    const w = await given(store);
    const names = ["live", "recall", "contested", "changed", "x"];
    await w.accepts(admit("s", { content: "something" }));
    await w.accepts(fact("a", { carrier: "s", evidence: true }));
    await w.accepts(fact("free"));
    for (const name of names) {
      await w.accepts(fact(name));
      await w.accepts({ command: "noteConflict", a: "a", b: name });
      await w.accepts({ command: "noteConflict", a: "free", b: name });
    }
    await w.accepts(evict("e", ["s"]));
    const { claims } = parseRendering((await w.window.show()).rendered);
    const line = (id: string) => claims.find(({ claimId }) => claimId === id);
    expect(line("a")).toMatchObject({ contested: names, recall: "s" });
    expect(line("free")).toMatchObject({ contested: names });
    expect(line("free")).not.toHaveProperty("live");
    expect(line("free")).not.toHaveProperty("recall");
  });
});
