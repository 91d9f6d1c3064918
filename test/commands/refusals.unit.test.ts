import type { EventLog, RefusalCode } from "@palimpsest/core";
import { createMemoryLog, openWindow, Window } from "@palimpsest/core";
import { describe, expect, it } from "vitest";
import { damagedLog } from "../support/scenarios/damaged-log.ts";
import { HOST, HUMAN, MODEL } from "../support/scenarios/given.ts";
import { limitedLog } from "../support/scenarios/limited-log.ts";
import type { RefusalCase } from "../support/scenarios/refusal-case.ts";
import { refusalCases } from "../support/scenarios/refusal-cases.ts";

/** What a message tells its reader to do begins with one of these, after what was wrong. */
const imperatives = [
  ...["admit", "ask", "assert", "choose", "cut", "decide", "follow", "keep", "leave", "look"],
  ...[
    "name",
    "open",
    "pick",
    "propose",
    "quote",
    "recall",
    "redo",
    "restore",
    "rewind",
    "rewrite",
    "see",
  ],
  ...["send", "split", "start", "strategy", "take", "try", "undo", "use", "wait"],
];
const ADVICE = new RegExp(`[:;,] (or |and |then )?(${imperatives.join("|")})\\b`);

/** Where the place and the rule say it all, or there is nothing to do. */
const withoutAdvice: readonly RefusalCode[] = ["invalid-command", "already-undone", "not-undone"];

const principals = [HOST, MODEL, HUMAN];

async function refusalOf(refused: RefusalCase) {
  const { given = [], when, open = true, budgetTokens, lost, emptied, maxAppendBytes } = refused;
  const damaged = damagedLog(createMemoryLog());
  const log: EventLog =
    maxAppendBytes === undefined ? damaged : limitedLog(damaged, maxAppendBytes);
  const window = open
    ? await openWindow(log, "w", {
        principals,
        ...(budgetTokens !== undefined && { budgetTokens }),
      })
    : new Window(log, "w", { principals });
  for (const command of given) {
    expect(await window.executeJson(command)).toMatchObject({ outcome: "accepted" });
  }
  if (lost !== undefined) damaged.lose(lost);
  const before = (await log.head("window-w")) ?? -1;
  if (emptied !== undefined) damaged.tamper(emptied, (data) => ({ ...data, consumed: [] }));
  const again = emptied === undefined ? window : new Window(log, "w", { principals });
  const answer = await again.executeJson(when);
  if (!("outcome" in answer) || answer.outcome !== "refused") throw new Error("not refused");
  const [first] = answer.refusals;
  const written: string[] = [];
  for await (const page of log.read("window-w", { from: before + 1 })) {
    written.push(...page.map(({ type }) => type));
  }
  return { first, written };
}

const cases = Object.entries(refusalCases).flatMap(([code, list]) =>
  (list as readonly RefusalCase[]).map((one) => ({
    code: code as RefusalCode,
    sent: JSON.stringify(one.when).slice(0, 70),
    one,
  })),
);

/** The first case of each code that comes with advice. */
const advised = cases.filter(
  ({ code }, i) => code !== cases[i - 1]?.code && !withoutAdvice.includes(code),
);

describe("every refusal code", () => {
  it.each(cases)("$code: $sent is refused, nothing is written", async ({ code, one }) => {
    const { first, written } = await refusalOf(one);
    expect(first).toMatchObject({ code, message: expect.stringMatching(/\S/), ...one.facts });
    expect(written).toEqual(one.logged === true ? ["PruningSettled"] : []);
  });

  it.each(advised)("$code: the message says what to do", async ({ one }) => {
    expect((await refusalOf(one)).first?.message).toMatch(ADVICE);
  });

  it("has a case: the list is complete by its type, and no entry is empty", () => {
    const complete: Readonly<Record<RefusalCode, readonly RefusalCase[]>> = refusalCases;
    expect(Object.entries(complete).filter(([, list]) => list.length === 0)).toEqual([]);
  });
});
