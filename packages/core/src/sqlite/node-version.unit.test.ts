import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { isLogError } from "../log/errors.ts";
import { checkNodeVersion } from "./node-version.ts";

it.each(["22.13.0", "22.22.1", "23.0.0", "24.21.0", "100.0.0-nightly"])(
  "takes Node %s",
  (version) => {
    expect(() => checkNodeVersion(version)).not.toThrow();
  },
);

it("takes the Node that runs this", () => {
  expect(() => checkNodeVersion()).not.toThrow();
});

it.each(["18.20.8", "20.20.2", "21.99.0", "22.0.0", "22.12.0"])(
  "refuses Node %s: which it is, which is needed, what to do",
  (version) => {
    let refused: unknown;
    try {
      checkNodeVersion(version);
    } catch (error) {
      refused = error;
    }
    expect(isLogError(refused, "store-unavailable")).toBe(true);
    expect(String(refused)).toBe(
      `LogError: a store in a file needs Node 22.13 or newer, and this is Node ${version}, ` +
        "on which better-sqlite3 would end the process: run this program on a newer Node",
    );
  },
);

it("asks for the Node that the package asks for", () => {
  const manifest = readFileSync(new URL("../../package.json", import.meta.url), "utf8");
  expect(JSON.parse(manifest).engines.node).toBe(">=22.13");
});
