import type { EventLog } from "@palimpsest/core";
import { logConformance } from "@palimpsest/core/testing";
import { openEventStoreDbLog, openEventStoreDbReader } from "@palimpsest/eventstoredb";
import { afterAll, beforeAll, describe, it } from "vitest";
import type { Target } from "../support/eventstoredb/target.ts";
import { ways } from "../support/eventstoredb/ways.ts";

for (const { name, missing, start } of await ways()) {
  if (missing !== undefined) continue;
  describe(`EventStoreDB: ${name}`, () => {
    let target: Target;
    beforeAll(async () => {
      target = await start();
    }, 120_000);
    afterAll(() => target.stop());

    // The suite invents streams of every name, which only an operator may begin.
    const open = (): Promise<EventLog> => openEventStoreDbLog(target.url("operator"));
    logConformance({
      name: "EventStoreDB",
      test: { describe, it },
      open,
      openAgain: open,
      openReader: () => openEventStoreDbReader(target.url("operator")),
    });
  });
}
