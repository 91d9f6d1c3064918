/*
 * `@palimpsest/core/sqlite`: the embedded store, a log in one file. The only place in core that
 * loads the native module better-sqlite3.
 */
export { checkNodeVersion } from "./node-version.ts";
export type { SqliteLogOptions } from "./open.ts";
export { openSqliteLog, openSqliteReader } from "./open.ts";
