import type { LogReader, RecordedWindowEvent, WindowView } from "@palimpsest/core";
import type { Observable, OperatorFunction } from "rxjs";
import { expectTypeOf, it } from "vitest";
import type {
  Between,
  Claims,
  EditStatuses,
  LiveWindow,
  Moment,
  PolicyHistory,
  Reads,
  RenderedWindow,
  SnapshotStore,
  TokenBudget,
  WindowChanges,
} from "./index.ts";
import {
  claims,
  editStatus,
  foldEditStatus,
  folded,
  foldWindow,
  liveWindow,
  memorySnapshots,
  paced,
  policyHistory,
  reads,
  renderedWindow,
  timeTravel,
  tokenBudget,
} from "./index.ts";

declare const log: LogReader;
declare const events: readonly RecordedWindowEvent[];
declare const window: LiveWindow;

it("every projection is an Observable of its value, and takes a handle that cannot write", () => {
  expectTypeOf(liveWindow(log, "w")).toEqualTypeOf<Observable<LiveWindow>>();
  expectTypeOf(renderedWindow(log, "w")).toEqualTypeOf<Observable<RenderedWindow>>();
  expectTypeOf(editStatus(log, "w")).toEqualTypeOf<Observable<EditStatuses>>();
  expectTypeOf(tokenBudget(log, "w")).toEqualTypeOf<Observable<TokenBudget>>();
  expectTypeOf(reads(log, "w")).toEqualTypeOf<Observable<Reads>>();
  expectTypeOf(claims(log, "w")).toEqualTypeOf<Observable<Claims>>();
  expectTypeOf(policyHistory(log, "w")).toEqualTypeOf<Observable<PolicyHistory>>();
  // @ts-expect-error: a window is named
  liveWindow(log);
});

it("a live window has what `show` answers, read-only", () => {
  expectTypeOf(window.view).toEqualTypeOf<WindowView>();
  expectTypeOf(window.spans).toEqualTypeOf<WindowView["spans"]>();
  expectTypeOf(window.changes).toEqualTypeOf<WindowChanges>();
  expectTypeOf(window.verified).toEqualTypeOf<number | null>();
  expectTypeOf(window.since(window)).toEqualTypeOf<LiveWindow>();
  // @ts-expect-error: it is a value
  window.changes = foldWindow(events).changes;
  // @ts-expect-error: and so are its parts
  window.changes.entered.push("x");
});

it("a plain fold gives the same value as the projection", () => {
  expectTypeOf(foldWindow(events)).toEqualTypeOf<LiveWindow>();
  // @ts-expect-error: how much the log promises is part of every status
  foldEditStatus(events, {});
});

it("a fold of one's own has the type of its state", () => {
  const counted = folded(log, "window-w", { initial: 0, fold: (n, page) => n + page.length });
  expectTypeOf(counted).toEqualTypeOf<Observable<number>>();
  // @ts-expect-error: a fold gives the state it was given
  folded(log, "window-w", { initial: 0, fold: (n, page) => `${n}${page.length}` });
});

it("paced work gets windows and gives whatever it gives", () => {
  expectTypeOf(paced(async ({ tokens }) => tokens)).toEqualTypeOf<
    OperatorFunction<LiveWindow, number>
  >();
});

it("time travel gives moments, one by one, in pairs and as they are asked for", () => {
  const travel = timeTravel(log, "w", { snapshots: memorySnapshots() });
  expectTypeOf(travel.at(3)).toEqualTypeOf<Promise<Moment>>();
  expectTypeOf(travel.between(1, 3)).toEqualTypeOf<Promise<Between>>();
  expectTypeOf(travel.following).parameter(0).toEqualTypeOf<Observable<number>>();
  expectTypeOf(travel.following).returns.toEqualTypeOf<Observable<Moment>>();
  expectTypeOf(memorySnapshots()).toEqualTypeOf<SnapshotStore>();
});
