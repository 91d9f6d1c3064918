import type { RecordedWindowEvent } from "@palimpsest/core";
import { createMemoryLog, openWindow } from "@palimpsest/core";
import type { WindowState } from "@palimpsest/core/state";
import { evolveAll, initialState } from "@palimpsest/core/state";
import { expect, it } from "vitest";
import type { Folded } from "../window/reading.ts";
import { foldOn, unfolded } from "../window/reading.ts";
import type { EncodedState } from "./codec.ts";
import { decodeState, encodeState } from "./codec.ts";

const SPANS = 3_000;

async function events(): Promise<RecordedWindowEvent[]> {
  const window = await openWindow(createMemoryLog(), "w");
  const part = { command: "admitSpan" as const, content: "x" };
  for (let i = 0; i < SPANS; i += 500) {
    const bonds = (k: number) => ({
      call: `c${i + k}`,
      group: `g${i + k}`,
      message: { id: `m${Math.floor(k / 10)}`, index: k % 10 },
    });
    const calls = Array.from({ length: 250 }, (_, k) => [
      { ...part, origin: "assistant", kind: "tool-call", ...bonds(k) } as const,
      { ...part, origin: "tool", kind: "tool-result", ...bonds(k) } as const,
    ]);
    await window.batch(calls.flat());
  }
  await window.evict(["s1", "s2"]);
  return window.history();
}

/** What the blocks of all encodings together give back. */
function decoded(encoded: EncodedState, ...others: readonly EncodedState[]): Folded {
  const blocks = new Map([encoded, ...others].flatMap(({ added }) => [...added]));
  return decodeState(encoded.manifest, blocks, unfolded("w").state);
}

const BONDS = ["call", "group", "message"] as const;

function namesIn({ spans }: WindowState): string[] {
  const names = [...spans].flatMap(({ call, group, message }) => [call, group, message?.id]);
  return [...new Set(names)].filter((name) => name !== undefined);
}

/** What the spans of a state are found by, and what is found. */
function foundIn(state: WindowState): unknown[] {
  const { spans } = state;
  const bonds = BONDS.map((bond) => namesIn(state).map((name) => spans[bond](name)));
  return [[...spans].map(({ id }) => spans.indexOf(id)), ...bonds];
}

/** A state as far as it can be compared: its collections as arrays, its columns as spans. */
function plain({ state, policies }: Folded): unknown {
  const fields = Object.entries(state).map(([name, value]) => {
    if (name === "spans") return [name, [...state.spans], ...foundIn(state)];
    if (name === "commands") return [name, state.commands.isEmpty()];
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

it("a state in columns knows the same calls, groups and messages as one of maps", async () => {
  const all = await events();
  const inMaps = (end: number) => evolveAll(initialState("w"), all.slice(0, end));
  const early = foldOn(unfolded("w"), all.slice(0, 1_502));
  const late = foldOn(early, all.slice(1_502));
  const loaded = decoded(encodeState(early));
  for (const [{ state }, end] of [
    [late, all.length],
    [early, 1_502],
    [loaded, 1_502],
    [foldOn(loaded, all.slice(1_502)), all.length],
  ] as const) {
    for (const bond of BONDS) {
      const known = (one: WindowState) => namesIn(late.state).map((name) => one.spans[bond](name));
      expect(known(state)).toEqual(known(inMaps(end)));
      expect(known(state).some((found) => found !== undefined)).toBe(true);
    }
    expect(state.spans.call("nobody")).toBeUndefined();
  }
});
