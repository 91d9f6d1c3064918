import type { Credentials, Role } from "@palimpsest/eventstoredb";

export type Identity = Role | "operator";

/** A server to test against, provisioned where it is secured. */
export interface Target {
  /** A connection string for an identity. */
  url(identity: Identity): string;
  stop(): Promise<void>;
}

/** Passwords of the users that a test makes for itself. */
export const PASSWORDS: Readonly<Record<Role, Credentials>> = {
  host: { username: "host", password: "host-password" },
  verifier: { username: "verifier", password: "verifier-password" },
  auditor: { username: "auditor", password: "auditor-password" },
  policy: { username: "policy", password: "policy-password" },
};
