/*
 * `@palimpsest/eventstoredb`: the log on EventStoreDB, for more than one machine. The only place
 * that sees the client `@eventstore/db-client` and its errors.
 */
export type { Provisioned } from "./access.ts";
export type { Finding } from "./doctor.ts";
export { examine } from "./doctor.ts";
export { openEventStoreDbLog, openEventStoreDbReader } from "./open.ts";
export type { Provisioner, SetUp } from "./provisioner.ts";
export { openProvisioner } from "./provisioner.ts";
export type { Acl, Role } from "./roles.ts";
export { aclOf, GROUPS, ROLES, streamsOf } from "./roles.ts";
export type { Credentials, EventStoreDbOptions } from "./settings.ts";
