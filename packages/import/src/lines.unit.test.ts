import { describe, expect, it } from "vitest";
import type { Line } from "./lines.ts";
import { linesIn } from "./lines.ts";

async function linesOf(...chunks: (string | Buffer)[]): Promise<Line[]> {
  const bytes = async function* () {
    for (const chunk of chunks) yield Buffer.from(chunk);
  };
  const lines: Line[] = [];
  for await (const line of linesIn(bytes())) lines.push(line);
  return lines;
}

describe("lines", () => {
  it("are numbered as they lie in the file, blank ones counted and left out", async () => {
    const lines = await linesOf("a\n\n  \nb\n");
    expect(lines.map(({ text, number }) => [number, text])).toEqual([
      [1, "a"],
      [4, "b"],
    ]);
  });

  it("are put together from any chunks, inside a character too", async () => {
    const [head, tail] = [Buffer.from("é\nx").subarray(0, 1), Buffer.from("é\nx").subarray(1)];
    const lines = await linesOf(head, tail);
    expect(lines).toEqual([
      { text: "é", number: 1, bytesRead: 3, ended: true, damaged: false },
      { text: "x", number: 2, bytesRead: 4, ended: false, damaged: false },
    ]);
  });

  it("end at line feeds only, whatever else Unicode calls a line break", async () => {
    const lines = await linesOf("a\u2028b\u0085c\n");
    expect(lines.map(({ text }) => text)).toEqual(["a\u2028b\u0085c"]);
  });
});
