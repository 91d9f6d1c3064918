import type { EventLog, WindowOptions } from "@palimpsest/core";
import { parsePrincipal, Window } from "@palimpsest/core";
import { openStore } from "./store.ts";
import { UsageError } from "./terminal/output.ts";

const WINDOW_ID = /^[A-Za-z0-9_.:-]{1,128}$/;

/** The options that every call takes. */
export interface GlobalOptions {
  readonly store: string;
  readonly window: string;
  /** Whom this process vouches for; the first is the default `by`. */
  readonly as: readonly string[];
  readonly json?: boolean;
}

/** Opens the store and the window that the options name, and closes the store in the end. */
export async function withWindow<T>(
  options: GlobalOptions,
  use: "look" | "write",
  task: (window: Window, log: EventLog) => Promise<T>,
  more: Omit<WindowOptions, "principals"> = {},
): Promise<T> {
  const stranger = options.as.find((name) => parsePrincipal(name) === undefined);
  if (stranger !== undefined) {
    throw new UsageError(`--as ${JSON.stringify(stranger)}: write party/name, as in host/cli`);
  }
  if (!WINDOW_ID.test(options.window)) {
    throw new UsageError(`--window ${JSON.stringify(options.window)}: use A-Za-z0-9_.:-`);
  }
  const log = await openStore(options.store, use);
  try {
    return await task(new Window(log, options.window, { ...more, principals: options.as }), log);
  } finally {
    await log.close();
  }
}
