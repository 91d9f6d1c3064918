import { EventStoreDBClient } from "@eventstore/db-client";
import type { EventLog } from "@palimpsest/core";
import { isLogError, openWindow, Window, WrongExpectedRevisionError } from "@palimpsest/core";
import type { Role } from "@palimpsest/eventstoredb";
import { examine, openEventStoreDbLog, openProvisioner } from "@palimpsest/eventstoredb";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { event, readWhole } from "../support/eventstoredb/events.ts";
import type { Identity, Target } from "../support/eventstoredb/target.ts";
import { ways } from "../support/eventstoredb/ways.ts";

for (const { name, missing, isSecured, start } of await ways()) {
  if (missing !== undefined) continue;
  describe(`EventStoreDB: ${name}`, () => {
    if (isSecured) suite(start);
    else insecureSuite(start);
  });
}

/** What is left to say of access control where there is none. */
function insecureSuite(start: () => Promise<Target>): void {
  it("has no access control, which the adapter says; what needs it is not tested", async () => {
    const target = await start();
    const log = await openEventStoreDbLog(target.url("policy"));
    expect(log.guarantees).toEqual({ appendOnly: "none", writersSeparated: "none" });
    await log.close();
    const problems = (await examine(target.url("host"))).filter(({ level }) => level === "problem");
    expect(problems.map(({ check }) => check)).toContain("tls");
    expect(() => openProvisioner(target.url("operator"))).toThrow("without TLS");
    await target.stop();
  });
}

function suite(start: () => Promise<Target>): void {
  let target: Target;
  const logs: EventLog[] = [];
  const windowId = (): string => `w${crypto.randomUUID()}`;
  const as = async (identity: Identity, options = {}): Promise<EventLog> => {
    const log = await openEventStoreDbLog(target.url(identity), options);
    logs.push(log);
    return log;
  };
  /** A window that the provisioner made and the host wrote to. */
  const written = async (): Promise<string> => {
    const id = windowId();
    await provision(target, id);
    await (await as("host")).append(`window-${id}`, [event()], "no-stream");
    return id;
  };
  beforeAll(async () => {
    target = await start();
  }, 120_000);
  afterAll(async () => {
    for (const log of logs) await log.close();
    await target.stop();
  });

  it("is guaranteed by the store to those whom it refuses something", async () => {
    for (const role of ["host", "verifier", "auditor", "policy"] as const) {
      const { guarantees } = await as(role);
      expect(guarantees, role).toEqual({ appendOnly: "store", writersSeparated: "store" });
    }
    const { guarantees } = await as("operator");
    expect(guarantees).toEqual({ appendOnly: "none", writersSeparated: "none" });
  });

  it("lets each role do its own work", async () => {
    const id = await written();
    await (await as("verifier")).append(`verdict-${id}`, [event()], "no-stream");
    for (const role of ["host", "verifier", "auditor"] as const) {
      const log = await as(role);
      expect(await readWhole(log, `window-${id}`)).toHaveLength(1);
      expect(await readWhole(log, `verdict-${id}`)).toHaveLength(1);
      for await (const message of log.subscribe({ prefix: "window-" })) {
        if (message.kind === "caught-up") break;
      }
    }
  });

  it.each<[Role, string]>([
    ["verifier", "window-"],
    ["auditor", "window-"],
    ["policy", "window-"],
    ["host", "verdict-"],
    ["auditor", "verdict-"],
    ["policy", "verdict-"],
  ])("refuses the %s an append to %s*", async (role, prefix) => {
    const id = await written();
    const log = await as(role, { provisionerPatience: 100 });
    for (const expected of ["any", "no-stream"] as const) {
      const append = log.append(prefix + id, [event()], expected);
      await expect(append).rejects.toSatisfy(isRefusal);
    }
    const operator = await as("operator");
    expect(await readWhole(operator, `window-${id}`)).toHaveLength(1);
    expect(await operator.head(`verdict-${id}`)).toBeUndefined();
  });

  it("keeps everybody but operators from what a stream allows, and from deleting it", async () => {
    const id = await written();
    const stream = `window-${id}`;
    for (const role of ["policy", "host", "verifier", "auditor"] as const) {
      const { client, credentials } = clientOf(target, role);
      const open = { acl: { writeRoles: ["$all"], metaWriteRoles: ["$all"] } };
      await refusedByServer(client.setStreamMetadata(stream, open, { credentials }));
      await refusedByServer(
        client.setStreamMetadata(stream, { truncateBefore: 1 }, { credentials }),
      );
      await refusedByServer(client.deleteStream(stream));
      await refusedByServer(client.tombstoneStream(stream));
      await client.dispose();
    }
    expect(await readWhole(await as("host"), stream)).toHaveLength(1);
  });

  it("keeps a policy from squatting on a stream that does not exist yet", async () => {
    const id = windowId();
    const { client, credentials } = clientOf(target, "policy");
    const mine = { acl: { writeRoles: ["policy"], metaWriteRoles: ["policy"] } };
    await refusedByServer(client.setStreamMetadata(`window-${id}`, mine, { credentials }));
    await client.dispose();
    const log = await as("policy", { provisionerPatience: 100 });
    await expect(log.append(`window-${id}`, [event()], "no-stream")).rejects.toSatisfy(isRefusal);
    expect(await (await as("host")).head(`window-${id}`)).toBeUndefined();
    await provision(target, id);
    await (await as("host")).append(`window-${id}`, [event()], "no-stream");
  });

  it("says what to do when nobody provisioned a window and nobody is there to", async () => {
    const host = await as("host", { provisionerPatience: 100 });
    const opening = openWindow(host, windowId());
    await expect(opening).rejects.toThrow("keep `provision --serve` running");
  });

  it("opens a window with the help of a running provisioner", async () => {
    const provisioner = openProvisioner(target.url("operator"));
    const stop = new AbortController();
    const served: string[] = [];
    const serving = provisioner.serve(stop.signal, (window) => served.push(window));
    const id = windowId();
    const window = await openWindow(await as("host"), id);
    await window.admit({ spanId: "a", origin: "user", content: "text" });
    expect((await window.show()).spans).toHaveLength(1);
    expect(served).toContain(id);
    stop.abort();
    await serving;
    await provisioner.close();
    await (await as("verifier")).append(`verdict-${id}`, [event()], "no-stream");
  });

  it("gives an operator's own window its lists before its first event", async () => {
    const id = windowId();
    const window = await openWindow(await as("operator"), id);
    await window.admit({ origin: "user", content: "by the operator" });
    const other = new Window(await as("host"), id);
    expect(await other.admit({ origin: "user", content: "by a host" })).toMatchObject({
      revision: 2,
    });
    const policy = (await as("policy", { provisionerPatience: 100 })).append(
      `verdict-${id}`,
      [event()],
      "no-stream",
    );
    await expect(policy).rejects.toSatisfy(isRefusal);
  });

  it("puts right what a stream allows, and what makes it lose events", async () => {
    const id = await written();
    const { client, credentials } = clientOf(target, "operator");
    const open = { acl: { writeRoles: ["$all"] }, maxAge: 60, truncateBefore: 1, maxCount: 1 };
    await client.setStreamMetadata(`window-${id}`, open, { credentials });
    await client.dispose();
    const provisioner = openProvisioner(target.url("operator"));
    expect(await provisioner.window(id)).toEqual(["corrected", "kept"]);
    expect(await provisioner.window(id)).toEqual(["kept", "kept"]);
    await provisioner.close();
    expect(await readWhole(await as("host"), `window-${id}`)).toHaveLength(1);
    const append = (await as("policy")).append(`window-${id}`, [event()], "any");
    await expect(append).rejects.toSatisfy(isRefusal);
  });

  it("has nothing to say against a server that is in order", async () => {
    await written();
    const findings = await examine(target.url("host"));
    expect(findings.filter(({ level }) => level === "problem")).toEqual([]);
    expect(findings).toContainEqual(expect.objectContaining({ check: "access", level: "ok" }));
  });

  it("finds $maxCount that somebody set on a window behind our back", async () => {
    const id = windowId();
    await provision(target, id);
    const host = await as("host");
    await (await openWindow(host, id)).admit({ spanId: "a", origin: "user", content: "a" });
    const operator = EventStoreDBClient.connectionString(target.url("operator"));
    const { metadata } = await operator.getStreamMetadata(`window-${id}`);
    await operator.setStreamMetadata(`window-${id}`, { ...metadata, maxCount: 1 });
    await operator.dispose();
    const problems = (await examine(target.url("host"))).filter(({ level }) => level === "problem");
    expect(problems).toEqual([
      expect.objectContaining({ check: "stream", message: expect.stringContaining("$maxCount 1") }),
    ]);
    expect((await readWhole(host, `window-${id}`)).map(({ revision }) => revision)).toEqual([1]);
    await provision(target, id);
  });
}

/** The client itself. With credentials of its own a call takes the path that answers. */
function clientOf(target: Target, identity: Identity) {
  const url = target.url(identity);
  const [, username = "", password = ""] = /^[^:]+:\/\/([^:]+):([^@]+)@/.exec(url) ?? [];
  const credentials = {
    username: decodeURIComponent(username),
    password: decodeURIComponent(password),
  };
  return { client: EventStoreDBClient.connectionString(url), credentials };
}

async function provision(target: Target, id: string): Promise<void> {
  const provisioner = openProvisioner(target.url("operator"));
  await provisioner.window(id);
  await provisioner.close();
}

/** Refused by access control, or because the stream was seen to hold something already. */
function isRefusal(error: unknown): boolean {
  return isLogError(error, "access-denied") || error instanceof WrongExpectedRevisionError;
}

async function refusedByServer(call: Promise<unknown>): Promise<void> {
  await expect(call).rejects.toMatchObject({ type: "access-denied" });
}
