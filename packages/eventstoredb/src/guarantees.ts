import { randomUUID } from "node:crypto";
import type { Guarantees } from "@palimpsest/core/log";
import { pause } from "@palimpsest/core/log";
import type { Connection } from "./connection.ts";
import { kindOf, logErrorOf } from "./failures.ts";
import { headOf } from "./read.ts";
import { retryDelay } from "./waiting.ts";

const NONE: Guarantees = { appendOnly: "none", writersSeparated: "none" };
const STORE: Guarantees = { appendOnly: "store", writersSeparated: "store" };

/** A stream that never exists: what nobody but an operator may do to it is tried on it. */
export const PROBE_STREAM = "palimpsest-probe";

/** No stream is ever at this revision, so an append that expects it writes nothing. */
const NEVER = Number.MAX_SAFE_INTEGER;

/**
 * Whether the server keeps this very user from writing to a stream that was not given to it, and
 * from changing what a stream allows. It is asked by trying: the server looks at access first, and
 * what it would allow fails on the revision. Rejects when it does not answer.
 */
export async function guaranteesOf(connection: Connection): Promise<Guarantees> {
  if (!connection.settings.secure) {
    await headOf(connection, PROBE_STREAM);
    return NONE;
  }
  const refused = await Promise.all([
    isRefused(connection, PROBE_STREAM),
    isRefused(connection, `$$${PROBE_STREAM}`),
  ]);
  return refused.every(Boolean) ? STORE : NONE;
}

/** What writes nothing may be tried again: as with reads, a server that is away is waited for. */
async function isRefused(connection: Connection, stream: string): Promise<boolean> {
  const event = { id: randomUUID(), type: "Probe", data: "{}", metadata: "{}" };
  const until = Date.now() + connection.settings.deadline;
  for (let attempt = 0; ; attempt += 1) {
    try {
      await connection.append(stream, [event], NEVER);
      return false;
    } catch (error) {
      const kind = kindOf(error);
      if (kind === "access-denied") return true;
      if (kind === "wrong-revision") return false;
      const delay = retryDelay(attempt);
      const mayPass = kind === "lost" || kind === "not-leader";
      if (!mayPass || Date.now() + delay >= until) throw logErrorOf(error, "connect");
      await pause(delay);
    }
  }
}
