import type { EventLog } from "@palimpsest/core";
import { openEventStoreDbLog } from "@palimpsest/eventstoredb";
import { afterAll, beforeAll } from "vitest";
import type { SecuredDouble } from "./secured.ts";
import { startSecured } from "./secured.ts";
import type { Double } from "./server.ts";
import { startDouble } from "./server.ts";

export interface TwoServers {
  readonly secured: SecuredDouble;
  readonly insecure: Double;
  /** A log that is closed when the tests of the file are over. */
  open(url: string, options?: Parameters<typeof openEventStoreDbLog>[1]): Promise<EventLog>;
}

/** A secured double and one without TLS, for the tests of the file that calls this. */
export function twoServers(): TwoServers {
  const logs: EventLog[] = [];
  let secured: SecuredDouble;
  let insecure: Double;
  beforeAll(async () => {
    secured = await startSecured();
    insecure = await startDouble({ catchesUpOnNothing: false });
  });
  afterAll(async () => {
    for (const log of logs) await log.close();
    await secured.stop();
    await insecure.stop();
  });
  return {
    get secured() {
      return secured;
    },
    get insecure() {
      return insecure;
    },
    async open(url, options = {}) {
      const log = await openEventStoreDbLog(url, options);
      logs.push(log);
      return log;
    },
  };
}

/** Whether a promise has not settled after so many milliseconds. */
export async function stillPending(
  promise: Promise<unknown>,
  milliseconds: number,
): Promise<boolean> {
  const late = new Promise((resolve) => setTimeout(resolve, milliseconds, "late"));
  return (await Promise.race([promise, late])) === "late";
}
