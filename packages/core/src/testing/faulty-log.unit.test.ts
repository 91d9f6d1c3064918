import { expect, it } from "vitest";
import { createMemoryLog } from "../log/memory.ts";
import { event } from "./cases.ts";
import { faultyLog } from "./faulty-log.ts";

const lost = { code: "outcome-unknown" };

it("fails before the append took effect", async () => {
  const log = createMemoryLog();
  const faulty = faultyLog(log, [{ append: 0, when: "before" }]);
  await expect(faulty.append("window-a", [event()], "no-stream")).rejects.toMatchObject(lost);
  expect(await log.head("window-a")).toBeUndefined();
});

it("fails after the append took effect", async () => {
  const log = createMemoryLog();
  const faulty = faultyLog(log, [{ append: 0, when: "after" }]);
  await expect(faulty.append("window-a", [event()], "no-stream")).rejects.toMatchObject(lost);
  expect(await log.head("window-a")).toBe(0);
});

it("counts every call, and leaves the others alone", async () => {
  const faulty = faultyLog(createMemoryLog(), [{ append: 1, when: "before" }]);
  const append = () => faulty.append("window-a", [event()], "any");
  expect(await append()).toEqual({ first: 0, last: 0, repeated: false });
  await expect(append()).rejects.toMatchObject(lost);
  expect(await append()).toEqual({ first: 1, last: 1, repeated: false });
});

it("says the error of the log when that is what the append fails with", async () => {
  const faulty = faultyLog(createMemoryLog(), [{ append: 0, when: "after" }]);
  const append = faulty.append("window-a", [event()], 7);
  await expect(append).rejects.toMatchObject({ code: "wrong-expected-revision" });
});
