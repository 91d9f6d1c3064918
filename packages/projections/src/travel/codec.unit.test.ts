import type { RecordedWindowEvent } from "@palimpsest/core";
import { createMemoryLog, openWindow } from "@palimpsest/core";
import { expect, it } from "vitest";
import type { Folded } from "../window/reading.ts";
import { foldOn, unfolded } from "../window/reading.ts";
import type { EncodedState } from "./codec.ts";
import { decodeState, encodeState } from "./codec.ts";

const SPANS = 3_000;

async function events(): Promise<RecordedWindowEvent[]> {
  const window = await openWindow(createMemoryLog(), "w");
  const admission = { command: "admitSpan", origin: "tool", content: "x" };
  for (let i = 0; i < SPANS; i += 500) {
    await window.batch(Array.from({ length: 500 }, () => admission));
  }
  await window.evict(["s1", "s2"]);
  return window.history();
}

/** What the blocks of all encodings together give back. */
function decoded(encoded: EncodedState, ...others: readonly EncodedState[]): Folded {
  const blocks = new Map([encoded, ...others].flatMap(({ added }) => [...added]));
  return decodeState(encoded.manifest, blocks, unfolded("w").state);
}

/** A state as far as it can be compared: its collections as arrays, its columns as spans. */
function plain({ state, policies }: Folded): unknown {
  const fields = Object.entries(state).map(([name, value]) => {
    if (name === "spanIndex") return [name, [...state.spans].map(({ id }) => value.get(id))];
    if (name === "slots") return [name, [...state.slots.occupants()]];
    return [name, typeof value === "object" && value !== null ? [...value] : value];
  });
  return { ...Object.fromEntries(fields), policies };
}

it("a state comes back as it was, with the blocks of an earlier or a later one taken over", async () => {
  const all = await events();
  const early = foldOn(unfolded("w"), all.slice(0, 1_501));
  const late = foldOn(early, all.slice(1_501));
  const first = encodeState(early);
  const onTop = encodeState(late, first);
  expect(plain(decoded(onTop, first))).toEqual(plain(late));
  expect(onTop.added.size).toBeLessThan(encodeState(late).added.size);
  const backwards = encodeState(early, encodeState(late));
  expect(plain(decoded(backwards, encodeState(late)))).toEqual(plain(early));
});
