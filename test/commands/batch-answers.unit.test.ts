import { describe, expect, it } from "vitest";
import {
  admit,
  batch,
  fact,
  propose,
  retract,
  rewrite,
  settle,
} from "../support/scenarios/commands.ts";
import { given, HUMAN } from "../support/scenarios/given.ts";
import { stores } from "../support/scenarios/stores.ts";

const settles = (proposalId: string) => settle(proposalId, { by: HUMAN });

describe.each(stores)("the answer to a batch on $name", (store) => {
  it("says of each settlement what came of it, in order, and the same on a retry", async () => {
    const w = await given(store);
    await w.accepts(admit("s1", { content: "x".repeat(100) }));
    await w.accepts(admit("s2", { pinned: true }));
    await w.accepts(propose("q1", ["s1"]));
    await w.accepts(propose("q2", ["s2"]));
    await w.accepts(propose("q3", ["s2"]));
    const declined = settle("q3", { by: HUMAN, decision: "refuse" });
    const both = batch([settles("q1"), settles("q2"), declined], { commandId: "both" });
    const answer = await w.accepts(both);
    expect(answer).toMatchObject({
      ids: { proposalIds: ["q1", "q2", "q3"] },
      settlements: [
        { proposalId: "q1", settlement: "committed", retained: [] },
        { proposalId: "q2", settlement: "empty", retained: [{ spanId: "s2", why: "pinned" }] },
        { proposalId: "q3", settlement: "refused", retained: [] },
      ],
    });
    expect(answer).not.toHaveProperty("settlement");
    expect(answer).not.toHaveProperty("retained");
    await w.accepts(admit("s3"));
    expect(await w.again().send(both)).toEqual(answer);
  });

  it("says of one settlement what it says of one by itself", async () => {
    const w = await given(store);
    await w.accepts(admit("s1", { content: "x".repeat(100) }));
    const answer = await w.accepts(batch([propose("q", ["s1"]), settles("q")]));
    expect(answer).toMatchObject({
      ids: { proposalId: "q" },
      settlement: "committed",
      retained: [],
    });
    expect(answer).not.toHaveProperty("settlements");
    expect(answer.ids).not.toHaveProperty("proposalIds");
  });

  it("names each id once, in order of first mention, and the same on a retry", async () => {
    const w = await given(store);
    await w.holds("s1");
    const commands = [fact("c2"), fact("c1"), retract("c2"), rewrite("e1", ["s1"], "p")];
    const sent = batch(commands, { commandId: "once" });
    const answer = await w.accepts(sent);
    expect(answer.ids).toEqual({
      commandId: "once",
      claimIds: ["c2", "c1"],
      editId: "e1",
      spanId: "p",
    });
    await w.accepts(fact("c3"));
    expect(await w.again().send(sent)).toEqual(answer);
  });

  it("names in the singular what several commands are about", async () => {
    const w = await given(store);
    const { ids } = await w.accepts(batch([fact("c"), fact("c"), retract("c")]));
    expect(ids).toMatchObject({ claimId: "c" });
    expect(ids).not.toHaveProperty("claimIds");
  });
});
