/*
 * `@palimpsest/projections`: everything a program or a person watches of a window, as Observables
 * and as plain folds, and time travel over it. Derived from the streams, never stored with them.
 */
export { MissingHistoryError, OutOfRangeError, ProjectionError } from "./feed/errors.ts";
export { folded } from "./feed/folded.ts";
export type { Reducer } from "./feed/reducer.ts";
export type { ResumeOptions } from "./feed/resume.ts";
export type { ProjectionOptions } from "./options.ts";
export { storedEvents } from "./stored-events.ts";
export { Moment } from "./travel/moment.ts";
export type { Blocks, Snapshot, SnapshotStore } from "./travel/snapshots.ts";
export { memorySnapshots } from "./travel/snapshots.ts";
export type { Between, TimeTravelOptions } from "./travel/time-travel.ts";
export { TimeTravel, timeTravel } from "./travel/time-travel.ts";
export type { Conflict } from "./views/claims.ts";
export { Claims, claims, foldClaims } from "./views/claims.ts";
export { EditStatuses, editStatus, foldEditStatus } from "./views/edit-status.ts";
export { foldPolicyHistory, PolicyHistory, policyHistory } from "./views/policy-history.ts";
export type { SpanReads } from "./views/reads.ts";
export { foldReads, Reads, reads } from "./views/reads.ts";
export { foldRendered, RenderedWindow, renderedWindow } from "./views/rendered.ts";
export type { BudgetPoint } from "./views/token-budget.ts";
export { foldTokenBudget, TokenBudget, tokenBudget } from "./views/token-budget.ts";
export type { WindowChanges } from "./window/changes.ts";
export { foldWindow } from "./window/fold.ts";
export { liveWindow } from "./window/live.ts";
export { LiveWindow } from "./window/live-window.ts";
export { paced } from "./window/paced.ts";
