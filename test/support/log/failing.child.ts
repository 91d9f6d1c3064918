/*
 * Appends until the store fails it, for its process may write no larger files. Prints a line for
 * the append that failed: how many were acknowledged before, the error's code, and its events.
 * Arguments: file, stream, events in an append.
 */
import { isLogError } from "@palimpsest/core";
import { openSqliteLog } from "@palimpsest/core/sqlite";
import { appendOf } from "./samples.ts";

const [file = "", stream = "", count = "1"] = process.argv.slice(2);
const log = openSqliteLog(file);
for (let acknowledged = 0; ; acknowledged += 1) {
  const events = appendOf(acknowledged, Number(count), "x".repeat(9_000));
  try {
    await log.append(stream, events, "any");
  } catch (error) {
    const code = isLogError(error) ? error.code : String(error);
    console.log(JSON.stringify({ acknowledged, code, events }));
    break;
  }
}
