import type { RecordedWindowEvent } from "@palimpsest/core";
import { foldWindow, LiveWindow, paced } from "@palimpsest/projections";
import { map, of, timer } from "rxjs";
import { TestScheduler } from "rxjs/testing";
import { beforeAll, describe, expect, it } from "vitest";
import { appendsOf } from "../support/projections/histories.ts";
import { admit, evict, undo } from "../support/scenarios/commands.ts";

const STEPS = [admit("a"), admit("b"), evict("e", ["a"]), admit("c"), evict("f", ["c"]), undo("e")];

/** The window after the opening, and after each of the steps: `0`, `1` … in the marbles. */
let windows: Readonly<Record<string, LiveWindow>>;

beforeAll(async () => {
  const appends = (await appendsOf(...STEPS)) as unknown as RecordedWindowEvent[][];
  windows = Object.fromEntries(
    appends.map((_, i) => [String(i), foldWindow(appends.slice(0, i + 1).flat())]),
  );
});

const brief = ({ changes }: LiveWindow): string =>
  `+${changes.entered} -${changes.left} <${changes.returned} ~${changes.passed}`;

function scheduled(test: (helpers: Parameters<Parameters<TestScheduler["run"]>[0]>[0]) => void) {
  new TestScheduler((actual, expected) => expect(actual).toEqual(expected)).run(test);
}

describe("paced", () => {
  it("hands every window on to work that is done at once", () => {
    scheduled(({ hot, expectObservable }) => {
      const source = hot("-0-1-2-3-|", windows);
      const values = { x: "+ - < ~0", y: "+a - < ~0", z: "+b - < ~0", w: "+ -a < ~0" };
      const result = source.pipe(paced((window) => of(brief(window))));
      expectObservable(result).toBe("-x-y-z-w-|", values);
    });
  });

  it("hands the latest window to work that was slow, with the changes of all that came", () => {
    scheduled(({ hot, expectObservable }) => {
      // Work takes 5 frames; meanwhile 2 and 3 come, and then 4 to 6.
      const source = hot("-1-2-3--456---|", windows);
      const slow = paced((window) => timer(5).pipe(map(() => brief(window))));
      const values = { x: "+a - < ~0", y: "+b -a < ~0", z: "+ - <a ~1" };
      expectObservable(source.pipe(slow)).toBe("------x----y----(z|)", values);
    });
  });

  it("works on the last window before it completes", () => {
    scheduled(({ hot, expectObservable }) => {
      const source = hot("-1-2|", windows);
      const slow = paced((window) => timer(5).pipe(map(() => brief(window))));
      const values = { x: "+a - < ~0", y: "+b - < ~0" };
      expectObservable(source.pipe(slow)).toBe("------x----(y|)", values);
    });
  });

  it("passes an error of the source on at once, and one of the work", () => {
    scheduled(({ hot, expectObservable }) => {
      const slow = paced((window) => timer(5).pipe(map(() => brief(window))));
      expectObservable(hot("-1-#", windows).pipe(slow)).toBe("---#");
      const noPaper = new Error("no paper");
      const failing = paced<string>(() => {
        throw noPaper;
      });
      expectObservable(hot("-1-2", windows).pipe(failing)).toBe("-#", {}, noPaper);
    });
  });

  it("shares nothing: each subscriber is handed what it did not see, at its own pace", () => {
    scheduled(({ hot, expectObservable }) => {
      const source = hot("-1-2-3-4-|", windows);
      const result = source.pipe(paced((window) => timer(3).pipe(map(() => brief(window)))));
      const values = { x: "+a - < ~0", y: "+b - < ~0", z: "+c -a < ~0", w: "+b,c - < ~1" };
      expectObservable(result).toBe("----x--y--(z|)", values);
      expectObservable(result, "------^").toBe("----------(w|)", values);
    });
  });

  it("unsubscribes from the source and from the work", () => {
    scheduled(({ hot, cold, expectObservable, expectSubscriptions }) => {
      const source = hot("-1-2-3-", windows);
      const work = cold("----x|", { x: "done" });
      expectObservable(source.pipe(paced(() => work)), "^--!").toBe("----");
      expectSubscriptions(source.subscriptions).toBe("^--!");
      expectSubscriptions(work.subscriptions).toBe("-^-!");
    });
  });

  it("is a window like the one that came, but for its changes", () => {
    const [first, last] = [windows["1"], windows["6"]];
    if (first === undefined || last === undefined) throw new Error("there are too few windows");
    const merged = last.since(first);
    expect(merged).toBeInstanceOf(LiveWindow);
    expect(merged.view).toEqual(last.view);
    expect(merged.changes).toEqual({
      since: 1,
      entered: ["b"],
      left: [],
      returned: [],
      passed: 1,
      firstChanged: 1,
    });
  });
});
