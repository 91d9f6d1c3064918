import { createMemoryLog, openWindow } from "@palimpsest/core";
import type { Figure } from "../figure.ts";
import { costResult } from "../figure.ts";
import { runInTurn, timed } from "../measure.ts";
import { admissions } from "../workload.ts";

const SPANS = 2_000;

/** The whole `show` of a large window, against joining its contents into one text. */
export const rendering: Figure = {
  name: "rendering",
  async measure() {
    const window = await openWindow(createMemoryLog(), "w");
    await window.batch(admissions(SPANS));
    const { spans } = await window.show();
    const contents = spans.map((span) => String(span.content));
    const pairs = await runInTurn(
      () => timed(() => window.render()),
      () => timed(() => JSON.stringify(contents)),
      { warmUp: 5, pairs: 31 },
    );
    return costResult(pairs, {
      name: rendering.name,
      unit: "ms",
      per: 1,
      note: "the render command over 2,000 live spans of 1 KiB, against JSON.stringify of them",
    });
  },
};
