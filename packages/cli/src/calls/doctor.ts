import type { Finding } from "@palimpsest/eventstoredb";
import { isEventStoreDb, loadEventStoreDb } from "../eventstoredb.ts";
import type { GlobalOptions } from "../options.ts";
import { EXIT, print, printJson, UsageError } from "../terminal/output.ts";
import { safeLine } from "../terminal/safe.ts";
import type { Calls } from "./calls.ts";

export function addDoctorCall({ add, finish }: Calls): void {
  add("doctor", "look at an EventStoreDB server and say what is wrong with it").action((options) =>
    finish(doctor, options),
  );
}

/** Looks at the server, its access control and every window; exit 1 when it finds a problem. */
async function doctor({ store, json }: GlobalOptions): Promise<number> {
  if (!isEventStoreDb(store)) throw new UsageError("doctor looks at servers: --store esdb://…");
  const { examine } = await loadEventStoreDb();
  const findings = await examine(store);
  await (json ? printJson(findings) : print(findings.map(findingText).join("")));
  return findings.some(({ level }) => level === "problem") ? EXIT.refused : EXIT.done;
}

const WIDTH = "problem".length;

function findingText({ level, message, advice }: Finding): string {
  const line = `${level.padEnd(WIDTH)}  ${safeLine(message, 1_000)}\n`;
  return advice === undefined
    ? line
    : `${line}${" ".repeat(WIDTH)}  → ${safeLine(advice, 1_000)}\n`;
}
