import type { ClaimFinder, FoundCommand } from "@palimpsest/core";
import { createMemoryLog, openWindow } from "@palimpsest/core";
import { describe, expect, it } from "vitest";

const nothing = { claims: 0, conflicts: 0, dropped: 0, failures: 0 };

/** A finder that gives these commands behind whatever is admitted. */
const giving = (...commands: readonly unknown[]): ClaimFinder => ({
  name: "giving",
  look: () => ({ behind: () => commands as readonly FoundCommand[] }),
});

async function admittedWith(finder: ClaimFinder, finderTimeoutMs?: number) {
  const more = finderTimeoutMs === undefined ? {} : { finderTimeoutMs };
  const window = await openWindow(createMemoryLog(), "w", { finder, ...more });
  await window.admit({ spanId: "s1", origin: "user", content: "seats = 40" });
  const claims = (await window.claims()).map(({ claimId, statement }) => [claimId, statement]);
  return { claims, leftOut: window.leftOut, spans: (await window.show()).spans.length };
}

describe("what a finder gives", () => {
  it("is asserted behind what was admitted, marked as extracted", async () => {
    const window = await openWindow(createMemoryLog(), "w", {
      finder: giving({ command: "assertClaim", statement: "40 seats", carrier: "s1" }),
    });
    const answer = await window.admit({ spanId: "s1", origin: "user", content: "seats = 40" });
    expect(answer.events).toEqual(["SpanAdmitted", "ClaimAsserted"]);
    const [, asserted] = (await window.history()).slice(1);
    expect(asserted?.data).toMatchObject({ statement: "40 seats", extracted: true });
  });

  it.each<[string, unknown]>([
    ["is not a command", { nonsense: true }],
    ["is a command of another kind", { command: "evict", consumes: ["s1"] }],
    ["holds half a character", { command: "assertClaim", statement: "\ud800" }],
    [
      "is refused: its words are not there",
      {
        command: "assertClaim",
        statement: "50 seats",
        carrier: "s1",
        quote: "seats = 50",
      },
    ],
    ["is refused: no such claim", { command: "noteConflict", a: "c8", b: "c9" }],
  ])("is dropped and counted where it %s", async (_, command) => {
    const good = { command: "assertClaim", statement: "40 seats", carrier: "s1" };
    const { claims, leftOut, spans } = await admittedWith(giving(command, good));
    expect(spans).toBe(1);
    expect(claims).toEqual([["c1", "40 seats"]]);
    expect(leftOut).toEqual({ ...nothing, dropped: 1 });
  });

  it("sees what became of the command before it", async () => {
    const seen: number[] = [];
    const finder: ClaimFinder = {
      name: "watching",
      look: () => ({
        *behind(_, append) {
          seen.push(append.state.claims.size);
          yield { command: "assertClaim", statement: "one", carrier: "s1" };
          seen.push(append.state.claims.size);
          yield { command: "assertClaim", statement: "two", carrier: "gone" };
          seen.push(append.state.claims.size);
        },
      }),
    };
    const { leftOut } = await admittedWith(finder);
    expect(seen).toEqual([0, 1, 1]);
    expect(leftOut).toEqual({ ...nothing, dropped: 1 });
  });
});

describe("a finder that fails", () => {
  const fails = new Error("no model at hand");

  it.each<[string, ClaimFinder["look"]]>([
    [
      "throws as it looks",
      () => {
        throw fails;
      },
    ],
    ["rejects", () => Promise.reject(fails)],
    [
      "throws as it gives",
      () => ({
        behind() {
          throw fails;
        },
      }),
    ],
    ["never ends", () => new Promise(() => undefined)],
  ])("%s: what was asked for is done, and it is counted", async (_, look) => {
    const { spans, leftOut } = await admittedWith({ name: "failing", look }, 1);
    expect(spans).toBe(1);
    expect(leftOut).toEqual({ ...nothing, failures: 1 });
  });

  it("keeps what it gave before it threw", async () => {
    const finder: ClaimFinder = {
      name: "failing late",
      look: () => ({
        *behind() {
          yield { command: "assertClaim", statement: "40 seats", carrier: "s1" };
          throw fails;
        },
      }),
    };
    const { claims, leftOut } = await admittedWith(finder);
    expect(claims).toEqual([["c1", "40 seats"]]);
    expect(leftOut).toEqual({ ...nothing, failures: 1 });
  });
});

it("execute never asks the finder", async () => {
  const finder = giving({ command: "assertClaim", statement: "40 seats", carrier: "s1" });
  const window = await openWindow(createMemoryLog(), "w", { finder });
  await window.execute({ command: "admitSpan", spanId: "s1", origin: "user", content: "a" });
  expect(await window.claims()).toEqual([]);
});
