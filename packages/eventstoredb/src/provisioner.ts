import { randomUUID } from "node:crypto";
import type { JsonObject } from "@palimpsest/core/events";
import { idSchema } from "@palimpsest/core/events";
import { isLogError, LogError, pause } from "@palimpsest/core/log";
import type { Provisioned } from "./access.ts";
import { provisionWindow, setAcl } from "./access.ts";
import type { Connection } from "./connection.ts";
import { connect } from "./connection.ts";
import { kindOf, logErrorOf } from "./failures.ts";
import { headOf } from "./read.ts";
import type { Role } from "./roles.ts";
import {
  ALL_ACL,
  DEFAULT_ACL,
  KEPT_REQUESTS,
  REQUEST_ACL,
  REQUEST_STREAM,
  ROLES,
  SYSTEM_ACL,
  streamsOf,
} from "./roles.ts";
import type { Credentials, EventStoreDbOptions } from "./settings.ts";
import { settingsOf } from "./settings.ts";
import { subscribe } from "./subscribe.ts";
import { ensureUser } from "./users.ts";
import { retryDelay } from "./waiting.ts";
import { windowsOf } from "./windows.ts";

export interface SetUp {
  readonly users: readonly {
    readonly role: Role;
    readonly username: string;
    readonly done: string;
  }[];
  /** Windows that were there before, and what became of their streams. */
  readonly streams: readonly { readonly stream: string; readonly done: Provisioned }[];
}

/** The only identity that may say who may do what. Nothing else should ever use it. */
export interface Provisioner {
  /** Users, the default for streams without a list, `$all`, requests, and windows that exist. */
  setUp(users: Readonly<Record<Role, Credentials>>): Promise<SetUp>;
  /**
   * Gives a window's two streams their lists, if possible before either has an event, and takes off
   * whatever makes the server drop events of them.
   */
  window(window: string): Promise<readonly Provisioned[]>;
  /** Does so for every window that a host or verifier asks for, until `signal` is aborted. */
  serve(signal: AbortSignal, onWindow?: (window: string) => void): Promise<void>;
  close(): Promise<void>;
}

/** Connects as an operator: a member of `$admins`. Throws for an insecure connection. */
export function openProvisioner(url: string, options: EventStoreDbOptions = {}): Provisioner {
  const settings = settingsOf(url, options);
  if (!settings.secure) {
    throw new LogError("store-unavailable", "without TLS the server ignores access control");
  }
  const connection = connect(settings);
  const closing = new AbortController();
  const window = (id: string) => provisionWindow(connection, id);
  return {
    setUp: (users) => setUp(connection, users),
    window,
    async serve(signal, onWindow) {
      const place = { connection, use: () => {}, closing: closing.signal };
      const ending = AbortSignal.any([signal, closing.signal]);
      for await (const message of subscribe(place, { stream: REQUEST_STREAM }, { signal })) {
        if (message.kind !== "events") continue;
        for (const { data } of message.events) {
          // Whoever may write requests may write anything into them.
          const asked = idSchema.safeParse((data as JsonObject | null)?.window);
          if (!asked.success) continue;
          if (await answered(() => window(asked.data), ending)) onWindow?.(asked.data);
        }
      }
    },
    async close() {
      closing.abort();
      await connection.close();
    },
  };
}

async function setUp(
  connection: Connection,
  users: Readonly<Record<Role, Credentials>>,
): Promise<SetUp> {
  const made: SetUp["users"][number][] = [];
  for (const role of ROLES) {
    const done = await ensureUser(connection, role, users[role]);
    made.push({ role, username: users[role].username, done });
  }
  await setDefaults(connection);
  await setAcl(connection, "$all", ALL_ACL);
  await setAcl(connection, REQUEST_STREAM, REQUEST_ACL, { $maxCount: KEPT_REQUESTS });
  const streams: SetUp["streams"][number][] = [];
  for (const id of await windowsOf(connection)) {
    const done = await provisionWindow(connection, id);
    streamsOf(id).forEach((stream, index) => {
      streams.push({ stream, done: done[index] ?? "kept" });
    });
  }
  return { users: made, streams };
}

/** The last event of `$settings` is what holds. */
async function setDefaults(connection: Connection): Promise<void> {
  const data = JSON.stringify({ $userStreamAcl: DEFAULT_ACL, $systemStreamAcl: SYSTEM_ACL });
  const event = { id: randomUUID(), type: "update-default-acl", data, metadata: "{}" };
  try {
    const head = await headOf(connection, "$settings");
    await connection.append("$settings", [event], head ?? "no-stream");
  } catch (error) {
    throw logErrorOf(error, "write the default access control");
  }
}

/**
 * Whoever asked waits: while the server is away, what was asked is tried again. False when it was
 * ended before that was done.
 */
async function answered(task: () => Promise<unknown>, ending: AbortSignal): Promise<boolean> {
  for (let attempt = 0; !ending.aborted; attempt += 1) {
    try {
      await task();
      return true;
    } catch (error) {
      if (ending.aborted) break;
      if (!isLogError(error, "store-unavailable")) throw error;
      await pause(retryDelay(attempt), ending);
    }
  }
  return false;
}

/** Asks a running provisioner for a window's streams; false when this user may not even ask. */
export async function askFor(connection: Connection, window: string): Promise<boolean> {
  const data = JSON.stringify({ window });
  const event = { id: randomUUID(), type: "StreamsRequested", data, metadata: "{}" };
  try {
    await connection.append(REQUEST_STREAM, [event], "any");
    return true;
  } catch (error) {
    if (kindOf(error) === "access-denied") return false;
    throw logErrorOf(error, `ask for the streams of ${window}`);
  }
}
