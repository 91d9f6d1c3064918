import type { Guarantees } from "@palimpsest/core/log";
import { isLogError, LogError } from "@palimpsest/core/log";
import type { Connection } from "./connection.ts";
import { connect } from "./connection.ts";
import { guaranteesOf } from "./guarantees.ts";
import { LIMITS, metadataOf } from "./metadata.ts";
import { readEach, readPage } from "./read.ts";
import { endOfAll, lastOf } from "./requests.ts";
import { aclOf, DEFAULT_ACL, isSameAcl, streamsOf } from "./roles.ts";
import type { EventStoreDbOptions } from "./settings.ts";
import { settingsOf } from "./settings.ts";
import { windowsOf } from "./windows.ts";

/** One thing that was looked at. `unknown`: this user may not look. */
export interface Finding {
  readonly check: "reach" | "version" | "tls" | "access" | "defaults" | "all" | "stream";
  readonly level: "ok" | "unknown" | "warning" | "problem";
  readonly message: string;
  /** What to do about it. */
  readonly advice?: string;
}

const PROVISION = "run `palimpsest provision` as an operator";

/** Looks at a server and at every window on it. Changes nothing, and rejects for nothing. */
export async function examine(
  url: string,
  options: EventStoreDbOptions = {},
): Promise<readonly Finding[]> {
  let connection: Connection | undefined;
  try {
    connection = connect(settingsOf(url, options));
    const guarantees = await guaranteesOf(connection);
    const defaults = await examineDefaults(connection);
    return [
      { check: "reach", level: "ok", message: "the server answers this user" },
      await examineVersion(connection),
      examineTls(connection),
      examineAccess(connection, guarantees, showsOperator(defaults)),
      ...defaults,
      ...(await examineWindows(connection)),
    ];
  } catch (error) {
    if (!(error instanceof LogError)) throw error;
    return [{ check: "reach", level: "problem", message: error.message, advice: adviceOn(error) }];
  } finally {
    await connection?.close();
  }
}

function adviceOn(error: LogError): string {
  if (error.code === "access-denied") return "check user and password in the connection string";
  if (/certificate/.test(error.message)) {
    return "name the authority with tlsCAFile, and renew the certificate if it has expired";
  }
  return "check that the server runs, and host and port in the connection string";
}

/** The versions whose protocol the client speaks and whose answers this was written for. */
const KNOWN_VERSIONS = /^2[2-6]\./;

async function examineVersion(connection: Connection): Promise<Finding> {
  const version = await connection.serverVersion();
  const known = KNOWN_VERSIONS.test(version);
  return {
    check: "version",
    level: known ? "ok" : "warning",
    message: `the server's version is ${version}`,
    ...(!known && { advice: "use EventStoreDB 23.10 LTS or KurrentDB 24 to 26" }),
  };
}

function examineTls({ settings }: Connection): Finding {
  if (settings.secure) return { check: "tls", level: "ok", message: "the connection is encrypted" };
  return {
    check: "tls",
    level: "problem",
    message: "without TLS the client sends no password and the server checks no access",
    advice: "run the server with certificates, and remove tls=false from the connection string",
  };
}

/** Only an operator may see the settings. */
function showsOperator(defaults: readonly Finding[]): boolean {
  return defaults.some(({ check, level }) => check === "defaults" && level !== "unknown");
}

function examineAccess(
  { settings }: Connection,
  { appendOnly }: Guarantees,
  isOperator: boolean,
): Finding {
  const user = settings.credentials?.username ?? "anybody";
  if (isOperator && settings.secure) {
    const message = `${user} is an operator, and the server refuses an operator nothing`;
    const advice = "also run doctor as the host, to see what the server refuses to the host";
    return { check: "access", level: "unknown", message, advice };
  }
  if (appendOnly === "store") {
    const message = `the server refuses ${user} what only an operator may do`;
    return { check: "access", level: "ok", message };
  }
  return {
    check: "access",
    level: "problem",
    message: `the server lets ${user} write anywhere: every edit is at best provisional`,
    advice: `${PROVISION}, and use the user that it made for your role, never an admin`,
  };
}

async function examineDefaults(connection: Connection): Promise<Finding[]> {
  const all = await looking("all", async () => {
    await readEach(connection, endOfAll(1), "read $all", () => true);
    return { check: "all", level: "ok", message: "this user may read all streams in one order" };
  });
  const defaults = await looking("defaults", async () => {
    let found: unknown;
    await readEach(connection, lastOf("$settings"), "read $settings", (received) => {
      found = received?.event.data;
      return true;
    });
    const { $userStreamAcl } = (found ?? {}) as { readonly $userStreamAcl?: unknown };
    if (isSameAcl(DEFAULT_ACL, $userStreamAcl)) {
      const message = "only an operator may begin a stream";
      return { check: "defaults", level: "ok", message };
    }
    const message = "streams without a list of their own are not protected by the default one";
    return { check: "defaults", level: "problem", message, advice: PROVISION };
  });
  return [all, defaults];
}

/** A check that this user may not make is not a fault of the server. */
async function looking(check: Finding["check"], look: () => Promise<Finding>): Promise<Finding> {
  try {
    return await look();
  } catch (error) {
    if (!isLogError(error, "access-denied")) throw error;
    const advice = check === "all" ? PROVISION : "run doctor as an operator to see it";
    return { check, level: "unknown", message: error.message, advice };
  }
}

async function examineWindows(connection: Connection): Promise<Finding[]> {
  let windows: string[];
  try {
    windows = await windowsOf(connection);
  } catch (error) {
    if (isLogError(error, "access-denied")) return [];
    throw error;
  }
  const findings: Finding[] = [];
  for (const stream of windows.flatMap(streamsOf)) {
    const found = await looking("stream", () => examineStream(connection, stream));
    findings.push(found);
  }
  return findings;
}

async function examineStream(connection: Connection, stream: string): Promise<Finding> {
  const { fields } = await metadataOf(connection, stream);
  const limits = LIMITS.filter((limit) => fields[limit] !== undefined);
  if (limits.length > 0) {
    const values = limits.map((limit) => `${limit} ${JSON.stringify(fields[limit])}`);
    return {
      check: "stream",
      level: "problem",
      message: `${stream} has ${values.join(" and ")}: the server drops events of it`,
      advice: `${PROVISION}, which removes that, before the next scavenge; then verify the window`,
    };
  }
  const [first] = (await readPage(connection, stream, 0, 1)).events;
  if (first !== undefined && first.revision > 0) {
    const message = `${stream} begins at revision ${first.revision}: events are gone`;
    const advice = "restore them from a backup; the verifier will find the history violated";
    return { check: "stream", level: "problem", message, advice };
  }
  if (!isSameAcl(aclOf(stream) ?? DEFAULT_ACL, fields.$acl)) {
    const what =
      fields.$acl === undefined
        ? "no access control of its own"
        : "an access list that palimpsest did not write";
    const message = `${stream} has ${what}`;
    return { check: "stream", level: "problem", message, advice: PROVISION };
  }
  return { check: "stream", level: "ok", message: `${stream} is whole and protected` };
}
