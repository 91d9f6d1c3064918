import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { EventStoreDBClient } from "@eventstore/db-client";
import { describe, expect, it } from "vitest";
import { innerOf } from "./client.ts";

const real = () => EventStoreDBClient.connectionString("esdb://localhost:1?tls=false");

/* When one of these fails, the client is another version: read docs/decisions first. */

describe("the client that is installed", () => {
  it("has every protected member that the adapter makes its calls with", () => {
    expect(() => innerOf(real())).not.toThrow();
  });

  it("is the very version that the package asks for", () => {
    const require = createRequire(import.meta.url);
    const installed = require("@eventstore/db-client/package.json").version;
    const url = new URL("../package.json", import.meta.url);
    const { dependencies } = JSON.parse(readFileSync(url, "utf8"));
    expect(dependencies["@eventstore/db-client"]).toBe(installed);
  });
});

describe("a client that lacks a member", () => {
  it.each(["GRPCStreamCreator", "execute", "callArguments", "getChannel"])(
    "is refused by its name: %s",
    (name) => {
      const client = Object.assign(real(), { [name]: undefined });
      expect(() => innerOf(client)).toThrow(`has no ${name}: the adapter is written for 6.2.1`);
    },
  );

  it("is refused with all of them named", () => {
    const client = {} as EventStoreDBClient;
    expect(() => innerOf(client)).toThrow(/GRPCStreamCreator, no execute.* no capabilities/);
  });
});
