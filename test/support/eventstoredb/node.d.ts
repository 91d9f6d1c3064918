import type { Metadata } from "@grpc/grpc-js";
import type { Access, Caller, User } from "./access.ts";
import type { Database } from "./database.ts";
import { CallFailure } from "./failures.ts";
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
  leader:
    | {
        readonly host: string;
        readonly port: number;
      }
    | undefined;
  readonly counts: Counts;
  /** Loses every connection; the node is back a moment later. */
  cut(): Promise<void>;
}
/** What happened since the node began, for tests to look at. */
export interface Counts {
  appends: number;
  batchAppends: number;
  /** Messages written to subscriptions, and those the client had not taken at some moment. */
  sent: number;
  subscriptions: number;
}
/** The caller of a request, once the fault planned for it has been met. Throws a CallFailure. */
export declare function admit(
  node: DoubleNode,
  method: Method,
  metadata: Metadata,
): Promise<Caller>;
/** Throws, waits for ever, or cuts the connection, as planned; mostly does nothing. */
export declare function meet(node: DoubleNode, method: Method, when: Fault["when"]): Promise<void>;
/** The stream is to end as if all were well. */
export declare class HalfClose extends Error {}
export declare function demand(
  node: DoubleNode,
  caller: Caller,
  stream: string,
  access: Access,
): void;
/** What gRPC is to be told of an error. */
export declare function failureOf(error: unknown): CallFailure;
//# sourceMappingURL=node.d.ts.map
