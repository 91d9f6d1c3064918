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
/** Undefined when name or password is wrong, or the user is disabled. */
export declare function callerOf(
  users: ReadonlyMap<string, User>,
  authorization: string | undefined,
): Caller | undefined;
/**
 * The precedence of the server: members of `$admins` may do everything; then what the stream's own
 * list says about this access; then `$settings`; then what is built in. What a metadata stream
 * allows is written in the metadata of its stream.
 */
export declare function mayAccess(
  database: Database,
  caller: Caller,
  stream: string,
  access: Access,
): boolean;
//# sourceMappingURL=access.d.ts.map
