import type { Json } from "@palimpsest/core";
import { createMemoryLog } from "@palimpsest/core";
import { verifyWindow } from "@palimpsest/verifier";
import { describe, expect, it } from "vitest";
import { policyStore, runAll, user } from "../support/verifier/bases.ts";
import type { Damage } from "../support/verifier/corpus.ts";
import { atEnd, describeDamages, inWindow } from "../support/verifier/corpus.ts";
import { admit, edit, withAppend } from "../support/verifier/damage.ts";
import { propose, settled } from "../support/verifier/pruning.ts";

/* A settlement accounts for everything that was proposed. */

const damages: readonly Damage[] = [
  {
    says: "a candidate that an empty settlement says nothing of",
    rule: "settled-whole",
    at: atEnd,
    damage: inWindow((events) => withAppend(events, settled("open", "empty"))),
  },
  {
    says: "a candidate that a committed settlement says nothing of",
    rule: "settled-whole",
    at: atEnd,
    damage: inWindow((events) => {
      const proposed = withAppend(events, propose("some", ["d", "e"]));
      const edits = edit(proposed, { verb: "evict", proposalId: "some" }, ["d"]);
      return withAppend(proposed, ...edits, settled("some", "committed"));
    }),
  },
  ...[
    { says: "a replacement by other words that was not made", consumes: ["four"], content: "5" },
    { says: "a replacement by JSON of the same text", consumes: ["four"], content: 4 },
    { says: "a replacement of two by the words of one", consumes: ["four", "five"], content: "4" },
  ].map(
    ({ says, consumes, content }): Damage => ({
      says,
      rule: "settled-whole",
      at: atEnd,
      damage: inWindow((events) => {
        const two = [admit("four", { content: "4" }), admit("five", { content: "5" })];
        const born = two.reduce((all, one) => withAppend(all, one), events);
        const proposed = withAppend(born, propose("kept", [{ consumes, content }]));
        return withAppend(proposed, settled("kept", "empty"));
      }),
    }),
  ),
];

describeDamages("damage to what a settlement says of its candidates", policyStore, damages);

describe("a settlement that says nothing of a candidate", () => {
  const accepted: readonly { says: string; candidates: readonly Json[]; outcome: string }[] = [
    {
      says: "which a replacement leaves as it is",
      candidates: [{ consumes: ["four"], content: "4" }],
      outcome: "empty",
    },
    {
      says: "which is named alone and in a replacement that leaves it as it is",
      candidates: ["four", { consumes: ["four", "four"], content: "4" }],
      outcome: "empty",
    },
    {
      says: "which is JSON and stays it",
      candidates: [{ consumes: ["json"], content: { b: 1, a: 2 } }],
      outcome: "empty",
    },
    {
      says: "which stays as it is beside one that goes",
      candidates: ["five", { consumes: ["four"], content: "4" }],
      outcome: "committed",
    },
  ];

  it.each(accepted)("holds of one $says", async ({ candidates, outcome }) => {
    const log = createMemoryLog();
    await runAll(log, [
      { command: "openWindow" },
      user("four", { content: "4" }),
      user("five", { content: "5" }),
      user("json", { content: { a: 2, b: 1 } }),
      { command: "proposePruning", proposalId: "p", by: "model/m", candidates },
      { command: "settlePruning", proposalId: "p", by: "human/p" },
    ]);
    const { findings } = await verifyWindow(log, "w");
    const outcomes: Json[] = [];
    for await (const page of log.read("window-w")) {
      for (const { type, data } of page) {
        if (type === "PruningSettled") outcomes.push((data as { outcome: Json }).outcome);
      }
    }
    expect({ findings, outcomes }).toEqual({ findings: [], outcomes: [outcome] });
  });
});
