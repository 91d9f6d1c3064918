export type { SqliteLogOptions } from "./open.ts";
export { openSqliteLog, openSqliteReader } from "./open.ts";
