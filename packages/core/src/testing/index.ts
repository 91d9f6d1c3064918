export type { LogConformanceOptions, TestFunctions } from "./conformance.ts";
export { logConformance } from "./conformance.ts";
export type { Fault } from "./faulty-log.ts";
export { faultyLog } from "./faulty-log.ts";
export type { SeededRandom } from "./random.ts";
export { seededRandom } from "./random.ts";
export { checkWholeStream, readAll } from "./whole-stream.ts";
export { countSteps, startCounting } from "./work.ts";
