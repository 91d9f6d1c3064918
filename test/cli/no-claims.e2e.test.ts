import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { folderForEachTest } from "../support/cli/each-test.ts";

const folder = folderForEachTest();
const { call, run } = folder;

const NOTHING = "0 claims: nothing is protected";
const hello = { command: "admitSpan", spanId: "s", origin: "user", content: "Hello." };
const claim = { command: "assertClaim", statement: "a greeting", carrier: "s", quote: "Hello." };

it("a window without a claim says that nothing is protected, and one with a claim does not", async () => {
  await run({ command: "openWindow" }, hello);
  for (const name of ["show", "claims"]) expect((await call(name)).stdout).toContain(NOTHING);
  await run(claim);
  for (const name of ["show", "claims"]) expect((await call(name)).stdout).not.toContain(NOTHING);
});

it("so does an import in which nobody looked for claims", async () => {
  const file = join(folder.path, "chat.json");
  const config = "retry_budget = 3\nidle_timeout = 300\n";
  writeFileSync(file, JSON.stringify([{ role: "user", content: config }]));
  expect((await call("import", "--window", "a", file)).stdout).not.toContain(NOTHING);
  expect((await call("import", "--window", "b", "--no-claims", file)).stdout).toContain(NOTHING);
});
