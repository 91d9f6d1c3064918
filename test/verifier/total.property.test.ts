import type { StoredEvent } from "@palimpsest/core";
import { windowStream } from "@palimpsest/core";
import { eventLeaf } from "@palimpsest/verifier";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { algebraStore, claimStore, policyStore } from "../support/verifier/bases.ts";
import { randomHistory } from "../support/verifier/histories.ts";
import type { TestStore } from "../support/verifier/store.ts";
import { eventsIn, verified, WINDOW } from "../support/verifier/store.ts";

/* Whatever is in the store becomes findings, never a crash. */

const stores = await Promise.all([algebraStore(), claimStore(), policyStore()]);

const junk = fc.jsonValue({ maxDepth: 3 });
const anyEvent = fc.record({
  stream: fc.constantFrom(windowStream(WINDOW), "window-other", "x"),
  revision: fc.nat(60),
  id: fc.oneof(fc.uuid(), fc.string()),
  type: fc.oneof(fc.string(), fc.constantFrom("WindowEdited", "SpanAdmitted", "PruningSettled")),
  data: junk,
  metadata: junk,
});

/** One step of damage done by chance. */
const damage = fc.oneof(
  fc.record({ kind: fc.constant("drop" as const), at: fc.nat(60) }),
  fc.record({ kind: fc.constant("double" as const), at: fc.nat(60) }),
  fc.record({ kind: fc.constant("swap" as const), at: fc.nat(60) }),
  fc.record({ kind: fc.constant("junk" as const), at: fc.nat(60), event: anyEvent }),
  fc.record({ kind: fc.constant("field" as const), at: fc.nat(60), pick: fc.nat(9), value: junk }),
  fc.record({ kind: fc.constant("meta" as const), at: fc.nat(60), pick: fc.nat(9), value: junk }),
);
type Step = typeof damage extends fc.Arbitrary<infer T> ? T : never;

function damaged(events: readonly StoredEvent[], step: Step): StoredEvent[] {
  const at = step.at % Math.max(1, events.length);
  const event = events[at];
  if (event === undefined) return [];
  const [before, after] = [events.slice(0, at), events.slice(at + 1)];
  switch (step.kind) {
    case "drop":
      return [...before, ...after];
    case "double":
      return [...before, event, event, ...after];
    case "swap":
      return [...before, ...after.slice(0, 1), event, ...after.slice(1)];
    case "junk":
      return [...before, step.event as StoredEvent, ...after];
    case "field":
      return [...before, { ...event, data: withField(event.data, step) } as StoredEvent, ...after];
    case "meta": {
      const metadata = withField(event.metadata, step);
      return [...before, { ...event, metadata } as StoredEvent, ...after];
    }
  }
}

function withField(value: unknown, { pick, value: to }: { pick: number; value: unknown }) {
  if (typeof value !== "object" || value === null) return to;
  const keys = Object.keys(value);
  const key = keys[pick % Math.max(1, keys.length)];
  return key === undefined ? to : { ...value, [key]: to };
}

async function answers(store: TestStore): Promise<void> {
  const { status, findingCount } = await verified(store);
  expect(["holds", "violated"]).toContain(status);
  expect(status === "holds").toBe(findingCount === 0);
}

describe("the verifier", () => {
  it("answers any window stream with findings", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...stores),
        fc.array(damage, { minLength: 1, maxLength: 6 }),
        async (store, steps) => {
          await answers({ ...store, window: steps.reduce(damaged, [...store.window]) });
        },
      ),
      { numRuns: 400 },
    );
  });

  it("answers any verdict stream with findings", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyEvent, { maxLength: 5 }), async (verdicts) => {
        await answers({ ...(stores[0] as TestStore), verdicts: verdicts as StoredEvent[] });
      }),
      { numRuns: 100 },
    );
  });

  it("answers contents nested deeper than any stack", async () => {
    const deep = JSON.parse(`${"[".repeat(200_000)}${"]".repeat(200_000)}`);
    const store = stores[0] as TestStore;
    const window = store.window.map((event, i) =>
      i === 1 ? ({ ...event, data: { content: deep } } as unknown as StoredEvent) : event,
    );
    const { status, findings } = await verified({ ...store, window });
    expect(status).toBe("violated");
    expect(findings[0]).toMatchObject({ code: "malformed-event", revision: 1 });
  });

  it("finds every change of a stored value after a verdict, of a random history", async () => {
    const { log } = await randomHistory(7, 60);
    const events = await eventsIn(log, windowStream(WINDOW));
    const leaves = events.map((event) => Buffer.from(eventLeaf(event).hash).toString("hex"));
    expect(new Set(leaves).size).toBe(leaves.length);
    for (const event of events) {
      const metadata = { ...(event.metadata as object), at: "2020-01-01T00:00:00.000Z" };
      const changed = eventLeaf({ ...event, metadata } as StoredEvent);
      expect(leaves).not.toContain(Buffer.from(changed.hash).toString("hex"));
    }
  });
});
