import type { RecordedWindowEvent } from "@palimpsest/core";
import { createMemoryLog, openWindow } from "@palimpsest/core";
import { replay } from "@palimpsest/core/host";
import { evolve, evolveAll, initialState } from "@palimpsest/core/state";
import { expect, it } from "vitest";
import { admit, evict, undo } from "../support/scenarios/commands.ts";

async function history(): Promise<RecordedWindowEvent[]> {
  const window = await openWindow(createMemoryLog(), "w");
  for (const command of [admit("s1"), admit("s2"), evict("e1", ["s1"]), undo("e1")]) {
    await window.execute(command);
  }
  return window.history();
}

it("a replay from a tail: a fold that starts in the middle of the stream refuses", async () => {
  const events = await history();
  for (let start = 1; start < events.length; start += 1) {
    expect(() => evolveAll(initialState("w"), events.slice(start))).toThrow(RangeError);
  }
});

it("a replay from a tail: so does one with a hole, or with an event twice", async () => {
  const events = await history();
  const [first, second, third] = events as [
    RecordedWindowEvent,
    RecordedWindowEvent,
    RecordedWindowEvent,
  ];
  expect(() => evolveAll(initialState("w"), [first, third])).toThrow(RangeError);
  const state = evolveAll(initialState("w"), [first, second]);
  expect(() => evolve(state, second)).toThrow("cannot follow revision 1");
  expect(() => evolve(state, first)).toThrow(RangeError);
});

it("a replay from a tail: a state kept from earlier goes on where it was", async () => {
  const events = await history();
  const whole = evolveAll(initialState("w"), events);
  for (let middle = 1; middle < events.length; middle += 1) {
    const kept = evolveAll(initialState("w"), events.slice(0, middle));
    const state = evolveAll(kept, events.slice(middle));
    expect([...state.marks]).toEqual([...whole.marks]);
    expect(state.revision).toBe(whole.revision);
  }
});

it("a replay from a tail: no window without its beginning", async () => {
  const log = createMemoryLog();
  const window = await openWindow(log, "w");
  await window.execute(admit("s1"));
  const headless: typeof log = {
    ...log,
    read: (stream, options) => log.read(stream, { ...options, from: 1 }),
  };
  await expect(replay(headless, "w")).rejects.toThrow("events are missing");
});
