import { VERDICT_STREAM_PREFIX, WINDOW_STREAM_PREFIX } from "@palimpsest/core/events";

/** Who takes part. `policy` may do nothing at all: it is there so that this can be shown. */
export type Role = "host" | "verifier" | "auditor" | "policy";

export const ROLES: readonly Role[] = ["host", "verifier", "auditor", "policy"];

/** A user is given a role by being in its group; more users than one may be. */
export const GROUPS: Readonly<Record<Role, string>> = {
  host: "palimpsest-hosts",
  verifier: "palimpsest-verifiers",
  auditor: "palimpsest-auditors",
  policy: "palimpsest-policies",
};

/** Where hosts and verifiers ask a running provisioner for the streams of a window. */
export const REQUEST_STREAM = "palimpsest-requests";

/** How many of the last requests the server keeps. They do not record anything. */
export const KEPT_REQUESTS = 1_000;

/** An access control list as the server stores it. */
export interface Acl {
  readonly $r: readonly string[];
  readonly $w: readonly string[];
  readonly $d: readonly string[];
  readonly $mr: readonly string[];
  readonly $mw: readonly string[];
}

const ADMINS = ["$admins"];
const READERS = [GROUPS.host, GROUPS.verifier, GROUPS.auditor];

/** What holds for a stream without a list of its own: nobody but an operator may begin one. */
export const DEFAULT_ACL: Acl = { $r: READERS, $w: ADMINS, $d: ADMINS, $mr: READERS, $mw: ADMINS };

export const SYSTEM_ACL: Acl = { $r: ADMINS, $w: ADMINS, $d: ADMINS, $mr: ADMINS, $mw: ADMINS };

/** Reading everything in one order, which the server otherwise keeps for admins. */
export const ALL_ACL: Pick<Acl, "$r"> = { $r: [...ADMINS, ...READERS] };

export const REQUEST_ACL: Acl = { ...SYSTEM_ACL, $w: [GROUPS.host, GROUPS.verifier] };

/** The list of a window's stream or of its verdict stream; undefined for any other stream. */
export function aclOf(stream: string): Acl | undefined {
  if (stream.startsWith(WINDOW_STREAM_PREFIX)) return { ...DEFAULT_ACL, $w: [GROUPS.host] };
  if (stream.startsWith(VERDICT_STREAM_PREFIX)) return { ...DEFAULT_ACL, $w: [GROUPS.verifier] };
  return undefined;
}

/** The two streams of a window. */
export function streamsOf(window: string): readonly [string, string] {
  return [WINDOW_STREAM_PREFIX + window, VERDICT_STREAM_PREFIX + window];
}

/** The window that a stream belongs to; undefined for a stream of another kind. */
export function windowOf(stream: string): string | undefined {
  const prefix = [WINDOW_STREAM_PREFIX, VERDICT_STREAM_PREFIX].find((one) =>
    stream.startsWith(one),
  );
  return prefix === undefined ? undefined : stream.slice(prefix.length);
}

/** True when the lists allow the same to the same, in whatever order. */
export function isSameAcl(one: Acl, other: unknown): boolean {
  return Object.entries(one).every(([access, roles]) => {
    const found = (other as Record<string, unknown> | undefined)?.[access];
    const theirs = [found].flat().map(String).sort();
    return JSON.stringify(theirs) === JSON.stringify([...roles].sort());
  });
}
