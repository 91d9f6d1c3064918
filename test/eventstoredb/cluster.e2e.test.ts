import type { EventLog } from "@palimpsest/core";
import { openEventStoreDbLog } from "@palimpsest/eventstoredb";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Certificates } from "../support/eventstoredb/certificates.ts";
import { makeCertificates } from "../support/eventstoredb/certificates.ts";
import { Database } from "../support/eventstoredb/database.ts";
import { events, persist, readWhole } from "../support/eventstoredb/events.ts";
import type { Double } from "../support/eventstoredb/server.ts";
import { ADMIN, startDouble } from "../support/eventstoredb/server.ts";

/* Three doubles on one database, one of which leads: what discovery and elections come to. */

let certificates: Certificates;
let nodes: Double[] = [];
let leader: Double | undefined;
const logs: EventLog[] = [];

function lead(next: Double): void {
  leader = next;
  for (const node of nodes) {
    node.follow(node === next ? undefined : { host: "localhost", port: next.port });
  }
}

beforeEach(async () => {
  certificates = await makeCertificates();
  const shared = {
    certificates,
    database: new Database(),
    users: new Map([[ADMIN.username, { password: ADMIN.password, groups: ["$admins"] }]]),
    members: () =>
      nodes.map((node) => ({ host: "localhost", port: node.port, isLeader: node === leader })),
  };
  nodes = [];
  for (let n = 0; n < 3; n += 1) nodes.push(await startDouble(shared));
  lead(nodes[0] as Double);
});
afterEach(async () => {
  for (const log of logs.splice(0)) await log.close();
  for (const node of nodes) await node.stop();
  certificates.remove();
});

/** A connection string that names every node of the cluster. */
function cluster(options = ""): string {
  const hosts = nodes.map(({ port }) => `localhost:${port}`).join(",");
  const ca = encodeURIComponent(certificates.caFile);
  return `esdb://${ADMIN.username}:${ADMIN.password}@${hosts}?tlsCAFile=${ca}${options}`;
}
async function open(options?: string): Promise<EventLog> {
  const log = await openEventStoreDbLog(cluster(options), { deadline: 3_000 });
  logs.push(log);
  return log;
}
const appends = () => nodes.map(({ counts }) => counts.appends);

describe("a cluster", () => {
  it("is asked who leads, and the leader gets the appends", async () => {
    for (const preference of ["", "&nodePreference=follower"]) {
      const log = await open(preference);
      const stream = `window-${crypto.randomUUID()}`;
      const before = appends();
      await log.append(stream, events(2), "no-stream");
      expect(await log.head(stream)).toBe(1);
      const [first, ...others] = appends().map((count, n) => count - (before[n] ?? 0));
      expect(first).toBeGreaterThan(0);
      expect(others).toEqual([0, 0]);
    }
  });

  it("loses its leader under a writer and a subscription: no event more or less", async () => {
    const log = await open();
    const stream = `window-${crypto.randomUUID()}`;
    const seen: string[] = [];
    const ending = new AbortController();
    const following = (async () => {
      for await (const message of log.subscribe({ stream }, { signal: ending.signal })) {
        if (message.kind === "events") seen.push(...message.events.map(({ id }) => id));
      }
    })();
    const written: string[] = [];
    for (let round = 0; round < 30; round += 1) {
      if (round === 10) {
        await nodes[0]?.stop();
        lead(nodes[1] as Double);
      }
      const list = events(2);
      written.push(...list.map(({ id }) => id));
      await persist(log, stream, list);
    }
    expect((await readWhole(log, stream)).map(({ id }) => id)).toEqual(written);
    await expect.poll(() => seen, { timeout: 20_000 }).toEqual(written);
    ending.abort();
    await following;
  });
});
