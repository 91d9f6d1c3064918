/*
 * `@palimpsest/core/host`: how states and contents are read from a log. For projections and tools
 * that follow a log themselves; a window does this on its own.
 */

export { frozen } from "../json/frozen.ts";
export { lostText, readContent } from "./contents.ts";
export { coverageOf, probeOf } from "./coverage.ts";
export { replay } from "./replay.ts";
