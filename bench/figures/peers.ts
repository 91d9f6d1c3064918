import { rmSync, statfsSync } from "node:fs";
import { join } from "node:path";
import { openSqliteLog } from "@palimpsest/core/sqlite";
import type { Figure, Result } from "../figure.ts";
import { countResult, missingResult, speedResult } from "../figure.ts";
import type { Repeats } from "../measure.ts";
import { runInTurn, timed } from "../measure.ts";
import type { Peer } from "../peers.ts";
import { installPeers, PeerError, startPeer } from "../peers.ts";
import { content, editAppends } from "../workload.ts";
import { appendAll } from "./append.ts";
import { travelResults } from "./peer-travel.ts";
import { admitSteps, bytesOnDisk } from "./storage.ts";

const APPENDS = 400;

/** Record and edit in one append, against another event store on SQLite. */
const emmett = peerFigure("peer emmett-sqlite, append", "sqlite3", async (peer, folder, name) => {
  const repeats: Repeats = { warmUp: 3, pairs: 15 };
  const appends = await editAppends(APPENDS * (repeats.warmUp + repeats.pairs));
  const events = appends.map((append) =>
    append.map(({ type, data, metadata }) => ({ type, data, metadata })),
  );
  const log = openSqliteLog(join(folder, "ours.db"));
  await peer.perform("emmettOpen", {
    file: join(folder, "emmett.db"),
    appends: JSON.stringify(events),
  });
  let next = 0;
  const pairs = await runInTurn(
    () => {
      const block = appends.slice(next, next + APPENDS);
      next += APPENDS;
      return timed(() => appendAll(log, block));
    },
    () => peer.perform("emmettAppend", { count: APPENDS }),
    repeats,
  );
  await log.close();
  const note = "record + edit in one append; both on one connection, WAL, full sync";
  return [speedResult(pairs, { name, unit: "µs", per: APPENDS, note })];
});

/** A checkpoint after every step, against an append after every step; and going back to any. */
function langgraph(
  channel: "default" | "delta",
  stepsFor: (freeBytes: number) => number,
  repeats: Repeats,
): Figure {
  const name = `peer LangGraph, ${channel} channel`;
  return peerFigure(name, undefined, async (peer, folder) => {
    const { bavail, bsize } = statfsSync(folder);
    const steps = stepsFor(bavail * bsize);
    const contents = JSON.stringify(Array.from({ length: steps }, (_, i) => content(i)));
    const files = { ours: join(folder, "ours.db"), theirs: join(folder, "langgraph.db") };
    const bytes = { ours: 0, theirs: 0 };
    const pairs = await runInTurn(
      async () => {
        rmSync(files.ours, { force: true });
        const time = await timed(() => admitSteps(files.ours, steps));
        bytes.ours = bytesOnDisk(files.ours);
        return time;
      },
      async () => {
        rmSync(files.theirs, { force: true });
        const time = await peer.perform("langgraph", { file: files.theirs, channel, contents });
        bytes.theirs = bytesOnDisk(files.theirs);
        return time;
      },
      repeats,
    );
    const numeral = steps.toLocaleString("en");
    return [
      speedResult(pairs, {
        name: `${name}, time`,
        unit: "ms",
        per: 1,
        note: `${numeral} steps of 1 KiB, both with full sync: a checkpoint each, or an append each`,
      }),
      countResult({
        name: `${name}, bytes`,
        unit: "bytes",
        value: bytes.ours,
        limit: bytes.theirs,
        note: "of the file after these steps and a checkpoint of SQLite's",
      }),
      ...(await travelResults(name, peer, { ...files, channel, steps, folder })),
    ];
  });
}

const STEPS = 3_000;

/** The whole state at every step, 5 GB for all of them: a third where there is no room. */
function stepsOfWholeStates(freeBytes: number): number {
  return freeBytes > 12 * 2 ** 30 ? STEPS : STEPS / 3;
}

export const PEER_FIGURES: readonly Figure[] = [
  emmett,
  langgraph("delta", () => STEPS, { warmUp: 0, pairs: 3 }),
  langgraph("default", stepsOfWholeStates, { warmUp: 0, pairs: 1 }),
];

/** Installs and starts the peer first; when that fails, the row says so by name. */
function peerFigure(
  name: string,
  native: string | undefined,
  measure: (peer: Peer, folder: string, name: string) => Promise<readonly Result[]>,
): Figure {
  return {
    name,
    async measure(folder) {
      let peer: Peer | undefined;
      try {
        await installPeers(native);
        peer = startPeer();
        return await measure(peer, folder, name);
      } catch (error) {
        if (!(error instanceof PeerError)) throw error;
        return [missingResult(name, "", error.message)];
      } finally {
        peer?.end();
      }
    },
  };
}
