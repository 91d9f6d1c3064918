import type { Metadata } from "@grpc/grpc-js";
import type { Access, Caller, User } from "./access.ts";
import { callerOf, mayAccess } from "./access.ts";
import type { Database } from "./database.ts";
import {
  accessDenied,
  CallFailure,
  cancelled,
  notLeader,
  unauthenticated,
  unavailable,
} from "./failures.ts";
import type { Fault, Faults, Method } from "./faults.ts";

/** What the services of one node share. */
export interface DoubleNode {
  readonly database: Database;
  readonly users: Map<string, User>;
  readonly faults: Faults;
  /** TLS, users and access control; without it everybody may do everything. */
  readonly secure: boolean;
  readonly version: string;
  /** Does this version send `caughtUp` to subscribers of a stream that does not exist? */
  readonly catchesUpOnNothing: boolean;
  readonly maxAppendSize: number;
  /** Set on a follower: calls that require the leader are sent there. */
  leader: { readonly host: string; readonly port: number } | undefined;
  readonly counts: Counts;
  /** Loses every connection; the node is back a moment later. */
  cut(): Promise<void>;
}

/** What happened since the node began, for tests to look at. */
export interface Counts {
  /** Calls that came with credentials. */
  authorized: number;
  appends: number;
  batchAppends: number;
  /** Messages written to subscriptions. */
  sent: number;
  /** Subscriptions that are open now. */
  subscriptions: number;
}

/** The caller of a request, once the fault planned for it has been met. Throws a CallFailure. */
export async function admit(node: DoubleNode, method: Method, metadata: Metadata): Promise<Caller> {
  await meet(node, method, "before");
  const [authorization] = metadata.get("authorization");
  if (authorization !== undefined) node.counts.authorized += 1;
  if (!node.secure) return { name: undefined, roles: new Set(["$admins"]) };
  const caller = callerOf(node.users, authorization?.toString());
  if (caller === undefined) throw unauthenticated();
  if (node.leader !== undefined && metadata.get("requires-leader").length > 0) {
    throw notLeader(node.leader);
  }
  return caller;
}

/** Throws, waits for ever, or cuts the connection, as planned; mostly does nothing. */
export async function meet(
  node: DoubleNode,
  method: Method,
  when: Fault["when"],
): Promise<"fall-behind" | undefined> {
  const how = node.faults.take(method, when);
  if (how === undefined || how === "fall-behind") return how;
  if (how === "unavailable") throw unavailable();
  if (how === "cancelled") throw cancelled();
  if (how === "cut") void node.cut();
  if (how === "half-close") throw new HalfClose();
  return new Promise<never>(() => {});
}

/** The stream is to end as if all were well. */
export class HalfClose extends Error {}

export function demand(node: DoubleNode, caller: Caller, stream: string, access: Access): void {
  if (!mayAccess(node.database, caller, stream, access)) throw accessDenied();
}

/** What gRPC is to be told of an error. */
export function failureOf(error: unknown): CallFailure {
  if (error instanceof CallFailure) return error;
  return new CallFailure(13, error instanceof Error ? error.message : String(error));
}
