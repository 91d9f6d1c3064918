import { LogError } from "@palimpsest/core/log";

export interface Credentials {
  readonly username: string;
  readonly password: string;
}

export interface EventStoreDbOptions {
  /** Instead of the ones in the connection string. */
  readonly credentials?: Credentials;
  /** How long a call may take, in milliseconds. Default: `defaultDeadline` there, or 10,000. */
  readonly deadline?: number;
  /** The server's MaxAppendSize, in bytes. Default 1 MiB, as on the server. */
  readonly maxAppendSize?: number;
  /** How long to wait for a provisioner when a stream has no access control yet. Default 5,000. */
  readonly provisionerPatience?: number;
}

/** A connection string, and what of it the client does not tell or does not honour. */
export interface Settings {
  readonly url: string;
  /** TLS. Without it the client drops all credentials and the server all access control. */
  readonly secure: boolean;
  readonly credentials: Credentials | undefined;
  readonly deadline: number;
  readonly maxAppendSize: number;
  readonly provisionerPatience: number;
}

const DEFAULT_DEADLINE = 10_000;
const DEFAULT_MAX_APPEND_SIZE = 1024 * 1024;
const DEFAULT_PATIENCE = 5_000;

const SHAPE = /^esdb(?:\+discover)?:\/\/(?:([^:@/]+):([^@]+)@)?[^?@]+(?:\?(.*))?$/;

/** What the client knows, in lower case. It prints the whole string for any other option. */
const OPTIONS: ReadonlySet<string> = new Set([
  "connectionname",
  "defaultdeadline",
  "discoveryinterval",
  "gossiptimeout",
  "keepaliveinterval",
  "keepalivetimeout",
  "maxdiscoverattempts",
  "nodepreference",
  "throwonappendfailure",
  "tls",
  "tlscafile",
  "tlsverifycert",
  "usercertfile",
  "userkeyfile",
]);

/** Throws `store-unavailable` for a connection string that would not do what it says. */
export function settingsOf(url: string, options: EventStoreDbOptions = {}): Settings {
  const match = SHAPE.exec(url.trim());
  if (match === null) {
    const what = "write esdb://user:password@host:2113?tlsCAFile=ca.crt";
    throw unusable(`${what}, and escape special characters of the password: %40 for @`);
  }
  const [, username, password, query = ""] = match;
  const parameters = new Map(
    query.split("&").map((pair): [string, string] => {
      const [key = "", value = ""] = pair.split("=");
      return [key.toLowerCase().replace(/[_-]/g, ""), value.trim().toLowerCase()];
    }),
  );
  for (const key of parameters.keys()) {
    if (key !== "" && !OPTIONS.has(key))
      throw unusable(`the client has no option ${key.slice(0, 40)}`);
  }
  if (parameters.get("tlsverifycert") === "false") {
    throw unusable("the client ignores tlsVerifyCert=false; name the authority with tlsCAFile");
  }
  return {
    url: url.trim(),
    secure: parameters.get("tls") !== "false",
    credentials: options.credentials ?? credentialsIn(username, password),
    deadline: options.deadline ?? deadlineIn(parameters.get("defaultdeadline")),
    maxAppendSize: options.maxAppendSize ?? DEFAULT_MAX_APPEND_SIZE,
    provisionerPatience: options.provisionerPatience ?? DEFAULT_PATIENCE,
  };
}

function credentialsIn(username?: string, password?: string): Credentials | undefined {
  if (username === undefined || password === undefined) return undefined;
  try {
    return { username: decodeURIComponent(username), password: decodeURIComponent(password) };
  } catch {
    throw unusable("escape % and other special characters of the password: %25 for %");
  }
}

function deadlineIn(value: string | undefined): number {
  return value !== undefined && /^[1-9]\d{0,8}$/.test(value) ? Number(value) : DEFAULT_DEADLINE;
}

function unusable(why: string): LogError {
  return new LogError("store-unavailable", `the connection string cannot be used: ${why}`);
}
