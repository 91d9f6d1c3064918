/*
 * Appends to one stream until it has done so `count` times or is killed. Prints the number of each
 * append once it is acknowledged, past any buffer, so that what was printed was acknowledged.
 * Arguments: file, stream, first append, count, most events in an append.
 */
import { writeSync } from "node:fs";
import { isLogError } from "@palimpsest/core";
import { openSqliteLog } from "@palimpsest/core/sqlite";
import { appendOf } from "./samples.ts";

const [file = "", stream = "", first = "0", count = "Infinity", most = "4"] = process.argv.slice(2);
const log = openSqliteLog(file);
writeSync(1, "ready\n");
for (let append = Number(first); append < Number(first) + Number(count); append++) {
  const events = appendOf(append, 1 + (append % Number(most)), "x".repeat(append % 3_000));
  await appendAtHead(events);
  writeSync(1, `${append}\n`);
}
await log.close();

/** Expects the head it read, so that a race with another process is lost and tried again. */
async function appendAtHead(events: ReturnType<typeof appendOf>): Promise<void> {
  try {
    await log.append(stream, events, (await log.head(stream)) ?? "no-stream");
  } catch (error) {
    if (!isLogError(error, "wrong-expected-revision")) throw error;
    await appendAtHead(events);
  }
}
