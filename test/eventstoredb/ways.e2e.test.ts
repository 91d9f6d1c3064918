import { expect, it } from "vitest";
import { ways } from "../support/eventstoredb/ways.ts";

/*
 * Says which of the three ways the suite ran in: what passes against the double is not yet proven
 * against a server, and a run that had none must not look like one that had.
 */
for (const { name, missing, start } of await ways()) {
  it(`EventStoreDB: tested against ${name}`, async (context) => {
    if (missing !== undefined) context.skip(missing);
    const target = await start();
    expect(target.url("host")).toMatch(/^esdb/);
    await target.stop();
  });
}
