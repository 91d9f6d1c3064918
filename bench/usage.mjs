// @ts-check
/*
 * Preloaded into a command that is measured: when it ends, it writes to file descriptor 3 how long
 * it ran, in milliseconds, and the most resident memory that it had, in MiB.
 */
import { writeSync } from "node:fs";

process.on("exit", () => {
  const mib = process.resourceUsage().maxRSS / 1_024;
  writeSync(3, JSON.stringify({ ms: performance.now(), mib }));
});
