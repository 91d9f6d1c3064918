import { getHeapSpaceStatistics, setFlagsFromString } from "node:v8";

/** Two halves of 8 MiB: larger ones make the collector hardly quicker. */
const YOUNG = 16 * 1024 * 1024;

/**
 * Keeps what is thrown away after each event from piling up. By itself V8 lets its young generation
 * grow to 128 MB and more; whoever checks a million events needs a fraction of that. A size that is
 * set after the start has no effect, but V8 looks at the factor of growth while it runs: so the
 * young generation is made to grow to its size, and then kept there. An engine that does not know
 * the flag works as ever, in more memory.
 */
export function keepMemorySmall(): void {
  const survivors: object[] = [];
  for (let round = 0; round < 64 && youngSize() < YOUNG; round += 1) {
    for (let i = 0; i < 20_000; i += 1) survivors.push({ i });
  }
  setFlagsFromString("--semi-space-growth-factor=1");
}

function youngSize(): number {
  const spaces = getHeapSpaceStatistics();
  return spaces.find(({ space_name }) => space_name === "new_space")?.space_size ?? 0;
}
