import type { Tokenizer } from "@palimpsest/core";
import { describe, expect, it } from "vitest";
import { admit, evict, fact, rewrite } from "../support/scenarios/commands.ts";
import { given } from "../support/scenarios/given.ts";
import { stores } from "../support/scenarios/stores.ts";

const COUNTS: readonly (readonly [string, unknown])[] = [
  ["1.5", 1.5],
  ["NaN", Number.NaN],
  ["-1", -1],
  ["Infinity", Number.POSITIVE_INFINITY],
  ["9007199254740992", 2 ** 53],
  ["3", "3"],
  ["undefined", undefined],
];

/** Counts the words of a text, but those that hold "odd" as `count` says. */
function counting(count: unknown): Tokenizer {
  const words = (text: string) => text.split(" ").length;
  return {
    name: "words",
    count: (text) => (text.includes("odd") ? (count as number) : words(text)),
  };
}

describe.each(stores)("a tokenizer that gives no whole number, on $name", (store) => {
  it.each(COUNTS)("%s: nothing is written, and the next command is", async (said, count) => {
    const w = await given(store, { tokenizer: "words", tokenizers: [counting(count)] });
    await w.accepts(admit("s"));
    const head = await w.head();
    const problem = {
      name: "TypeError",
      message: expect.stringContaining(`"words" counted ${said}`),
    };
    for (const command of [
      admit("odd", { content: "odd words" }),
      rewrite("e", ["s"], "p", "odd words"),
      fact("c", { statement: "an odd fact", evidence: true }),
    ]) {
      const refused = w.send(command);
      const next = w.window.status();
      await expect(refused).rejects.toMatchObject(problem);
      expect(await next).toEqual([]);
      expect(await w.head()).toBe(head);
    }
    await w.accepts(evict("e", ["s"]));
  });

  it("counts by the tokenizer itself, which may be an object with a state", async () => {
    class Words implements Tokenizer {
      readonly name = "words";
      readonly #separator = " ";
      count(text: string): number {
        return text === "" ? 0 : text.split(this.#separator).length;
      }
    }
    const w = await given(store, { tokenizer: "words", tokenizers: [new Words()] });
    expect(await w.accepts(admit("s", { content: "three words here" }))).toMatchObject({
      tokens: 3,
    });
    expect(await w.accepts(admit("t", { content: "" }))).toMatchObject({ tokens: 3 });
  });
});
