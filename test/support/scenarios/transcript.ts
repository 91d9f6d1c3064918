import type { SeededRandom } from "@palimpsest/core/testing";
import type { Sent } from "./commands.ts";
import { admit, batch, callSpan, resultSpan } from "./commands.ts";

const WORDS = "retry queue worker timeout error stack module span render budget".split(" ");

/** Lines of a tool's output that come to about so many tokens, the same for the same seed. */
export function toolOutput(random: SeededRandom, tokens: number): string {
  const lines: string[] = [];
  for (let bytes = 0; bytes < tokens * 4; ) {
    const words = Array.from({ length: 8 }, () => WORDS[random.below(WORDS.length)]);
    const line = `src/part-${random.below(90)}.ts:${random.below(900)}: ${words.join(" ")}`;
    bytes += line.length + 1;
    lines.push(line);
  }
  return lines.join("\n");
}

/** A turn of an agent: a user's words, a call, its result of about so many tokens. */
export function turn(name: string, random: SeededRandom, tokens: number): Sent {
  const message = (index: number) => ({ message: { id: `m:${name}`, index } });
  return batch([
    admit(`ask:${name}`, { content: `please look at ${name}` }),
    callSpan(name, { content: { path: `${name}.log` }, tool: { name: "read" }, ...message(0) }),
    resultSpan(name, { content: toolOutput(random, tokens), tool: { name: "read" } }),
  ]);
}
