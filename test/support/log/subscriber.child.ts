/*
 * Subscribes to a prefix and prints a line for each event: its stream and revision. Prints
 * `caught-up`, too. When a line comes on stdin, it prints how many turns its event loop took.
 * Arguments: file, prefix, events to see before it leaves.
 */
import { performance } from "node:perf_hooks";
import { createInterface } from "node:readline";
import { openSqliteReader } from "@palimpsest/core/sqlite";

const [file = "", prefix = "", count = "0"] = process.argv.slice(2);
const input = createInterface({ input: process.stdin });
input.on("line", () => {
  console.log(`turns ${performance.nodeTiming.uvMetricsInfo.loopCount}`);
});

const log = openSqliteReader(file);
let seen = 0;
for await (const message of log.subscribe({ prefix })) {
  if (message.kind === "caught-up") console.log("caught-up");
  else for (const event of message.events) console.log(`${event.stream} ${event.revision}`);
  seen += message.kind === "events" ? message.events.length : 0;
  if (seen >= Number(count)) break;
}
await log.close();
// Nothing of the log may keep the process alive now; only stdin would.
input.close();
process.stdin.unref();
