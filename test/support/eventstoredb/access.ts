import type { Database } from "./database.ts";

export type Access = "$r" | "$w" | "$d" | "$mr" | "$mw";

export interface User {
  readonly password: string;
  readonly groups: readonly string[];
  readonly disabled?: boolean;
}

/** Who a call comes from: nobody, or the roles of a user (its own name is one of them). */
export interface Caller {
  readonly name: string | undefined;
  readonly roles: ReadonlySet<string>;
}

const ANYBODY: Caller = { name: undefined, roles: new Set() };

type Acl = Readonly<Partial<Record<Access, unknown>>>;

const USER_DEFAULT: Acl = { $r: "$all", $w: "$all", $d: "$all", $mr: "$all", $mw: "$all" };
const SYSTEM_DEFAULT: Acl = {
  $r: "$admins",
  $w: "$admins",
  $d: "$admins",
  $mr: "$admins",
  $mw: "$admins",
};

/** Undefined when name or password is wrong, or the user is disabled. */
export function callerOf(
  users: ReadonlyMap<string, User>,
  authorization: string | undefined,
): Caller | undefined {
  if (authorization === undefined) return ANYBODY;
  const encoded = /^Basic (.+)$/i.exec(authorization)?.[1];
  if (encoded === undefined) return undefined;
  const [name = "", ...rest] = Buffer.from(encoded, "base64").toString().split(":");
  const user = users.get(name);
  if (user === undefined || user.disabled || user.password !== rest.join(":")) return undefined;
  return { name, roles: new Set([name, ...user.groups]) };
}

/**
 * The precedence of the server: members of `$admins` may do everything; then what the stream's own
 * list says about this access; then `$settings`; then what is built in. What a metadata stream
 * allows is written in the metadata of its stream.
 */
export function mayAccess(
  database: Database,
  caller: Caller,
  stream: string,
  access: Access,
): boolean {
  if (stream.startsWith("$$")) {
    if (access !== "$r" && access !== "$w") return false;
    return mayAccess(database, caller, stream.slice(2), access === "$r" ? "$mr" : "$mw");
  }
  if (stream === "$all" && (access === "$w" || access === "$d")) return false;
  if (caller.roles.has("$admins")) return true;
  const settings = database.settings();
  const isSystem = stream.startsWith("$");
  const lists = [
    database.metadata(stream).$acl,
    settings[isSystem ? "$systemStreamAcl" : "$userStreamAcl"],
    isSystem ? SYSTEM_DEFAULT : USER_DEFAULT,
  ] as readonly (Acl | undefined)[];
  const roles = lists.map((acl) => acl?.[access]).find((list) => list !== undefined);
  // Since 23.6 "all" are all who said who they are.
  if (caller.name === undefined) return false;
  return [roles].flat().some((role) => role === "$all" || caller.roles.has(String(role)));
}
