import { callerOf, mayAccess } from "./access.ts";
import {
  accessDenied,
  CallFailure,
  cancelled,
  notLeader,
  unauthenticated,
  unavailable,
} from "./failures.ts";
/** The caller of a request, once the fault planned for it has been met. Throws a CallFailure. */
export async function admit(node, method, metadata) {
  await meet(node, method, "before");
  if (!node.secure) return { name: undefined, roles: new Set(["$admins"]) };
  const [authorization] = metadata.get("authorization");
  const caller = callerOf(node.users, authorization?.toString());
  if (caller === undefined) throw unauthenticated();
  if (node.leader !== undefined && metadata.get("requires-leader").length > 0) {
    throw notLeader(node.leader);
  }
  return caller;
}
/** Throws, waits for ever, or cuts the connection, as planned; mostly does nothing. */
export async function meet(node, method, when) {
  const how = node.faults.take(method, when);
  if (how === undefined) return;
  if (how === "unavailable") throw unavailable();
  if (how === "cancelled") throw cancelled();
  if (how === "cut") void node.cut();
  if (how === "half-close") throw new HalfClose();
  await new Promise(() => {});
}
/** The stream is to end as if all were well. */
export class HalfClose extends Error {}
export function demand(node, caller, stream, access) {
  if (!mayAccess(node.database, caller, stream, access)) throw accessDenied();
}
/** What gRPC is to be told of an error. */
export function failureOf(error) {
  if (error instanceof CallFailure) return error;
  return new CallFailure(13, error instanceof Error ? error.message : String(error));
}
//# sourceMappingURL=node.js.map
