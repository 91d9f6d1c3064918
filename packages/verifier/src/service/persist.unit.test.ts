import { expect, it } from "vitest";
import type { VerdictLog } from "../check/reader.ts";
import { persist } from "./persist.ts";

const events = [{ id: crypto.randomUUID(), type: "VerdictIssued", data: {}, metadata: {} }];

/** Rejects with these codes, one after another, before it appends. */
function failing(...codes: string[]) {
  const appended: unknown[] = [];
  const append: VerdictLog["append"] = async (...args) => {
    appended.push(args);
    const code = codes.shift();
    if (code !== undefined) throw Object.assign(new Error(code), { code });
  };
  return { log: { append } as VerdictLog, appended };
}

it("sends the very same again while nobody knows, or nobody answers", async () => {
  const { log, appended } = failing("outcome-unknown", "store-unavailable");
  expect(await persist(log, "verdict-w", events, 3)).toBe(true);
  expect(appended).toEqual(Array(3).fill(["verdict-w", events, 3]));
});

it("passes on at once what another try would not change", async () => {
  for (const code of ["event-id-conflict", "access-denied", "log-closed"]) {
    const { log, appended } = failing(code);
    await expect(persist(log, "verdict-w", events, "no-stream")).rejects.toMatchObject({ code });
    expect(appended).toHaveLength(1);
  }
});

it("says when something else stands in the stream", async () => {
  const { log, appended } = failing("wrong-expected-revision");
  expect(await persist(log, "verdict-w", events, 3)).toBe(false);
  expect(appended).toHaveLength(1);
});
