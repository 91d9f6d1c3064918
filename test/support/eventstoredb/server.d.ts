import type { User } from "./access.ts";
import type { Certificates } from "./certificates.ts";
import { Database } from "./database.ts";
import { Faults } from "./faults.ts";
import type { Counts } from "./node.ts";
import type { Member } from "./other-services.ts";
/** The user that a new server has, as the real one does. */
export declare const ADMIN: {
  readonly username: "admin";
  readonly password: "changeit";
};
export interface DoubleOptions {
  /** TLS, users and access control; without it the double is an insecure server. */
  readonly certificates?: Certificates;
  /** Another node's, to be one cluster with it. */
  readonly database?: Database;
  readonly users?: Map<string, User>;
  readonly members?: () => readonly Member[];
  readonly version?: string;
  readonly catchesUpOnNothing?: boolean;
  readonly maxAppendSize?: number;
}
/** A running double of EventStoreDB. It is no server: README.md says what it does and leaves out. */
export interface Double {
  readonly port: number;
  readonly database: Database;
  readonly users: Map<string, User>;
  readonly faults: Faults;
  readonly counts: Counts;
  /** A connection string, with the credentials of a user where there is access control. */
  url(user?: { readonly username: string; readonly password: string }): string;
  /** Where calls that require the leader are sent from now on; undefined: this node leads. */
  follow(
    leader:
      | {
          readonly host: string;
          readonly port: number;
        }
      | undefined,
  ): void;
  /** Loses every connection and is back on the same port, with the same data, after a while. */
  restart(pauseMs?: number): Promise<void>;
  stop(): Promise<void>;
}
export declare function startDouble(options?: DoubleOptions): Promise<Double>;
//# sourceMappingURL=server.d.ts.map
