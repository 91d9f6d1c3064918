/*
 * `@palimpsest/core/eventstoredb`: the log on EventStoreDB, for more than one machine. The only
 * place that sees the client `@eventstore/db-client` and its errors.
 */
export { openEventStoreDbLog, openEventStoreDbReader } from "./open.ts";
export type { Credentials, EventStoreDbOptions } from "./settings.ts";
