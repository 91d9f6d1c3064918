import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { lines, palimpsest, scratchFolder } from "../support/cli/palimpsest.ts";

let folder: ReturnType<typeof scratchFolder>;
beforeEach(() => {
  folder = scratchFolder();
});
afterEach(() => folder.remove());

const call = (...args: string[]) => palimpsest(folder.path, args);
const run = (...commands: unknown[]) => palimpsest(folder.path, ["run"], lines(...commands));

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
