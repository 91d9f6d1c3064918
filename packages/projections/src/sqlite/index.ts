export { openSqliteSnapshots } from "./snapshots.ts";
