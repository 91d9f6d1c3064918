import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { commandCases } from "../support/algebra/command-cases.ts";
import { anyContent, nastyText } from "../support/algebra/contents.ts";
import { admit, rewrite } from "../support/algebra/say.ts";
import { Session } from "../support/algebra/session.ts";
import { liveIds } from "../support/algebra/views.ts";

/*
 * For each command three properties (STYLE, rule 8): it has its answer on the empty window, it
 * yields the right events and state, and retried with its id it is the same command.
 */

const contents = fc
  .tuple(anyContent, anyContent)
  .filter(([one, other]) => JSON.stringify(one) !== JSON.stringify(other));

describe.each(commandCases)("$name", ({ onEmpty, given, when, expected, live }) => {
  it(`is answered on the empty window: ${onEmpty}`, async () => {
    const property = fc.asyncProperty(contents, async ([content, later]) => {
      const session = await sessionAfter([]);
      expect(reasonOf(await session.send(when(content, later)))).toBe(onEmpty);
      expect(session.problems).toEqual([]);
    });
    await fc.assert(property, { numRuns: 20 });
  });

  it("is not remembered when it was refused", async () => {
    const property = fc.asyncProperty(contents, async ([content, later]) => {
      const session = await sessionAfter([]);
      const command = { ...when(content, later), commandId: "the-one" };
      if (reasonOf(await session.send(command)) === "accepted") return;
      for (const one of given(content, later)) await session.send(one);
      expect(reasonOf(await session.send(command))).toBe("accepted");
      expect(session.problems).toEqual([]);
    });
    await fc.assert(property, { numRuns: 10 });
  });

  it("yields the right events and state", async () => {
    const property = fc.asyncProperty(contents, async ([content, later]) => {
      const session = await sessionAfter(given(content, later));
      const before = session.events.length;
      await session.send({ ...when(content, later), commandId: "the-one" });
      const appended = session.events.slice(before);
      expect(appended.map(({ type, data }) => ({ type, data }))).toEqual(expected(content, later));
      expect(appended.every(({ metadata }) => metadata.commandId === "the-one")).toBe(true);
      expect(liveIds(session.reference)).toEqual(live);
      expect(session.problems).toEqual([]);
    });
    await fc.assert(property, { numRuns: 40 });
  });

  it("is the same command when it is retried, whatever came in between", async () => {
    const property = fc.asyncProperty(contents, nastyText, async ([content, later], text) => {
      const session = await sessionAfter(given(content, later));
      const command = { ...when(content, later), commandId: "the-one" };
      const answer = await session.send(command);
      await session.repeat(command, answer);
      await session.send(admit("meanwhile", { content: text }));
      await session.repeat(command, answer);
      const other = await session.send({ ...admit("other"), commandId: "the-one" });
      expect(reasonOf(other)).toBe("command-id-reused");
      expect(session.problems).toEqual([]);
    });
    await fc.assert(property, { numRuns: 20 });
  });
});

describe("openWindow", () => {
  it("opens the empty window, once, and the same when retried", async () => {
    const session = new Session();
    const command = { command: "openWindow", budgetTokens: 10, commandId: "the-one" };
    const answer = await session.send(command);
    await session.repeat(command, answer);
    expect(session.events.map(({ type, data }) => ({ type, data }))).toEqual([
      { type: "WindowOpened", data: { window: "w", budgetTokens: 10, tokenizer: "utf8-bytes/4" } },
    ]);
    expect(reasonOf(await session.send({ command: "openWindow" }))).toBe("window-exists");
    expect(session.problems).toEqual([]);
  });
});

describe("render", () => {
  it("renders the empty window, and the same bytes when retried after it changed", async () => {
    const property = fc.asyncProperty(contents, async ([content, later]) => {
      const session = await sessionAfter([]);
      const empty = await session.send({ command: "render" });
      expect(empty).toMatchObject({ outcome: "accepted", events: ["WindowRendered"] });
      await session.send(admit("a", { content }));
      const command = { command: "render", commandId: "the-one" };
      const answer = await session.send(command);
      await session.send(rewrite("e1", ["a"], "p", { content: later }));
      await session.repeat(command, answer);
      expect(session.problems).toEqual([]);
    });
    await fc.assert(property, { numRuns: 40 });
  });
});

async function sessionAfter(commands: readonly object[]): Promise<Session> {
  const session = new Session();
  await session.send({ command: "openWindow" });
  for (const command of commands) {
    expect(reasonOf(await session.send(command))).toBe("accepted");
  }
  return session;
}

/** The outcome; for a refusal its first code. */
function reasonOf(answer: object): string {
  if (!("outcome" in answer)) return "read";
  if (!("refusals" in answer)) return String(answer.outcome);
  return (answer.refusals as readonly { code: string }[])[0]?.code ?? "none";
}
