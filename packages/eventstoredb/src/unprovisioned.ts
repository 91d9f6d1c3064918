import { isLogError, LogError, pause } from "@palimpsest/core/log";
import { provisionWindow } from "./access.ts";
import type { Connection } from "./connection.ts";
import { askFor } from "./provisioner.ts";
import { headOf } from "./read.ts";
import { windowOf } from "./roles.ts";

/**
 * For a user that may say who may do what: gives the streams of a window their lists before it has
 * its first event, as this user could begin it without. Resolves at once for everybody else.
 */
export function operatorsCare(connection: Connection): (stream: string) => Promise<void> {
  let isOperator: boolean | undefined;
  return async (stream) => {
    const window = windowOf(stream);
    if (window === undefined) return;
    isOperator ??= await mayAdminister(connection);
    if (!isOperator || (await headOf(connection, stream)) !== undefined) return;
    await provisionWindow(connection, window);
  };
}

/** The defaults for all streams are for operators alone to see. */
async function mayAdminister(connection: Connection): Promise<boolean> {
  try {
    await headOf(connection, "$settings");
    return true;
  } catch (error) {
    if (isLogError(error, "access-denied")) return false;
    throw error;
  }
}

/** Milliseconds from one look at whether the provisioner has been there to the next. */
const LOOK = 50;

/**
 * Runs an append. When this user may not begin the stream, a running provisioner is asked for it,
 * once, and the append is tried until it is allowed or patience ends.
 */
export async function unlessUnprovisioned<Result>(
  connection: Connection,
  stream: string,
  append: () => Promise<Result>,
): Promise<Result> {
  try {
    return await append();
  } catch (error) {
    const window = windowOf(stream);
    if (!isLogError(error, "access-denied") || window === undefined) throw error;
    if ((await headOrNothing(connection, stream)) !== undefined) throw error;
    if (!(await askFor(connection, window))) throw error;
    return untilAllowed(connection, window, append);
  }
}

async function untilAllowed<Result>(
  connection: Connection,
  window: string,
  append: () => Promise<Result>,
): Promise<Result> {
  const until = Date.now() + connection.settings.provisionerPatience;
  for (;;) {
    await pause(LOOK);
    try {
      return await append();
    } catch (error) {
      if (!isLogError(error, "access-denied")) throw error;
      if (Date.now() < until) continue;
      throw new LogError(
        "access-denied",
        `the streams of window ${window} were not provisioned, and no provisioner answers: ` +
          `run \`palimpsest provision --window ${window}\`, or keep \`provision --serve\` running`,
        { cause: error },
      );
    }
  }
}

/** Undefined for a user that may not even look. */
async function headOrNothing(connection: Connection, stream: string): Promise<number | undefined> {
  try {
    return await headOf(connection, stream);
  } catch (error) {
    if (isLogError(error, "access-denied")) return undefined;
    throw error;
  }
}
