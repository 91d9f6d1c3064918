/*
 * `@palimpsest/core/decide`: what may happen, as a pure function of a state and the steps of one
 * append. A window decides by it; others need it to rehearse a command without a log.
 */
export type { DecidedEvent, Decision, Stopped, Surroundings } from "./decide.ts";
export { Deciding, decide } from "./decide.ts";
export type { DecidedCommand, Step } from "./step.ts";
