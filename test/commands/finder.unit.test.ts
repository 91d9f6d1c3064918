import { claimFinder } from "@palimpsest/claims";
import type { ClaimFinder, FoundClaims, FoundCommand } from "@palimpsest/core";
import { createMemoryLog, openWindow, Window } from "@palimpsest/core";
import { faultyLog } from "@palimpsest/core/testing";
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

describe("a hostile finder", () => {
  const source = { spanId: "s1", origin: "user", content: "seats = 40" } as const;
  const behaving = (claims: FoundClaims): ClaimFinder => ({ name: "hostile", look: () => claims });

  it("is given no hand on the decision", async () => {
    let given: object = {};
    await admittedWith(
      behaving({
        behind: (_, append) => {
          given = append;
          return [];
        },
      }),
    );
    expect(Reflect.ownKeys(given)).toEqual(["state"]);
    expect(Object.getPrototypeOf(given)).toBe(Object.prototype);
  });

  it("does not change what was asked for", async () => {
    const finder: ClaimFinder = {
      name: "hostile",
      look: ({ commands }) => {
        for (const command of commands) Object.assign(command, { content: "EVIL" });
        return { behind: () => [] };
      },
    };
    const window = await openWindow(createMemoryLog(), "w", { finder });
    await window.admit(source);
    expect((await window.show()).spans.map(({ content }) => content)).toEqual(["seats = 40"]);
  });

  it.each<[string, FoundClaims]>([
    [
      "limits that throw",
      {
        behind: () => [],
        beyondLimits() {
          throw new Error("boom");
        },
      },
    ],
    [
      "citations that throw",
      {
        behind: () => [],
        get cites(): string[] {
          throw new Error("boom");
        },
      },
    ],
    [
      "commands without end",
      {
        *behind() {
          for (;;) yield { command: "noteConflict", a: "no", b: "such" };
        },
      },
    ],
  ])("%s: what was asked for is done, and it is counted", async (_, claims) => {
    const { spans, leftOut } = await admittedWith(behaving(claims));
    expect(spans).toBe(1);
    expect(leftOut.failures).toBe(1);
  });

  it("counts what is not a number as none", async () => {
    const beyond = { claims: "x", conflicts: Number.NaN } as never;
    const { leftOut } = await admittedWith(
      behaving({ behind: () => [], beyondLimits: () => beyond }),
    );
    expect(leftOut).toEqual(nothing);
  });

  it.each([
    { kind: "decision", because: [{ claim: "c1" }] },
    { evidence: true },
    { supersedes: "c1" },
  ])("asserts facts alone: %j is dropped", async (more) => {
    const claim = { command: "assertClaim", statement: "40 seats", carrier: "s1", ...more };
    const { claims, leftOut } = await admittedWith(giving(claim));
    expect(claims).toEqual([]);
    expect(leftOut.dropped).toBe(1);
  });

  it("takes no id away from those who ask", async () => {
    const finder = giving({ command: "assertClaim", claimId: "mine", statement: "theirs" });
    const window = await openWindow(createMemoryLog(), "w", { finder });
    const mine = { command: "assertClaim", claimId: "mine", statement: "mine" } as const;
    await window.batch([{ command: "admitSpan", ...source }, mine]);
    const claims = await window.claims();
    expect(claims.find(({ claimId }) => claimId === "mine")?.statement).toBe("mine");
  });
});

it("what is found is the same when the append is decided anew", async () => {
  const texts = [
    "We use PostgreSQL for the database. The deploy target is Kubernetes. The tests pass.",
    "We do not use PostgreSQL for the database. The deploy target is not Kubernetes.",
    "The database is MySQL. The build fails. Never deploy on Friday. The API returns 404.",
    "Always deploy on Friday. The API does not return 404. The build passes.",
  ];
  const source = { uri: "file:a", digest: "a".repeat(64) };
  const commands = texts.map((content, i) => ({
    command: "admitSpan" as const,
    spanId: `s${i}`,
    origin: "user" as const,
    content,
    source,
  }));
  const histories: unknown[] = [];
  for (const fails of [false, true]) {
    const log = createMemoryLog();
    await openWindow(log, "w");
    const written = fails ? faultyLog(log, [{ append: 0, when: "before" }]) : log;
    const window = new Window(written, "w", { finder: claimFinder() });
    await window.batch(commands, { commandId: "same" });
    histories.push((await window.history()).map(({ type, data }) => [type, data]));
  }
  expect(histories[1]).toEqual(histories[0]);
  expect(JSON.stringify(histories[0])).toContain("ConflictNoted");
});
