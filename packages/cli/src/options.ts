import type { EventLog, WindowOptions } from "@palimpsest/core";
import { parsePrincipal, Window } from "@palimpsest/core";
import { idSchema } from "@palimpsest/core/events";
import type { Use } from "./store.ts";
import { openStore } from "./store.ts";
import { UsageError } from "./terminal/output.ts";
import { withWindowsNamed } from "./windows.ts";

/** The options that every call takes. */
export interface GlobalOptions {
  readonly store: string;
  readonly window: string;
  /** Whom this process vouches for; the first is the default `by`. */
  readonly as: readonly string[];
  readonly json?: boolean;
}

/** For a call that may look at the past. */
export interface AtOptions extends GlobalOptions {
  /** As it was after the event at this revision; default: as it is now. */
  readonly at?: number;
}

export function checkWindowId(window: string): void {
  if (idSchema.safeParse(window).success) return;
  throw new UsageError(`--window ${JSON.stringify(window)}: use A-Za-z0-9_.:-`);
}

/** The beginning of a window's id is one itself. */
export function checkIdPrefix(prefix: string): void {
  if (idSchema.safeParse(prefix).success) return;
  const problem = "no window's id begins like this";
  throw new UsageError(`--prefix ${JSON.stringify(prefix)}: ${problem}; use A-Za-z0-9_.:-`);
}

/** Opens the store and the window that the options name, and closes the store in the end. */
export async function withWindow<T>(
  options: GlobalOptions,
  use: Use,
  task: (window: Window, log: EventLog) => Promise<T>,
  more: Omit<WindowOptions, "principals"> = {},
): Promise<T> {
  const stranger = options.as.find((name) => parsePrincipal(name) === undefined);
  if (stranger !== undefined) {
    throw new UsageError(`--as ${JSON.stringify(stranger)}: write party/name, as in host/cli`);
  }
  checkWindowId(options.window);
  const log = await openStore(options.store, use);
  try {
    return await task(new Window(log, options.window, { ...more, principals: options.as }), log);
  } catch (error) {
    throw await withWindowsNamed(error, log, options.window);
  } finally {
    await log.close();
  }
}
