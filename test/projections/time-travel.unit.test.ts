import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { LogReader, RecordedWindowEvent } from "@palimpsest/core";
import { contentDigest, createMemoryLog } from "@palimpsest/core";
import { openSqliteLog } from "@palimpsest/core/sqlite";
import type { Moment, SnapshotStore } from "@palimpsest/projections";
import {
  foldWindow,
  liveWindow,
  MissingHistoryError,
  memorySnapshots,
  OutOfRangeError,
  timeTravel,
} from "@palimpsest/projections";
import { openSqliteSnapshots } from "@palimpsest/projections/sqlite";
import Database from "better-sqlite3";
import { firstValueFrom } from "rxjs";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import type { History } from "../support/projections/histories.ts";
import { emptyHistory, WINDOW } from "../support/projections/histories.ts";
import { Marbles } from "../support/projections/marbles.ts";

/** A window of `count` spans, every third one evicted again: 5 events for 3 spans. */
async function longHistory(count: number): Promise<History & { head: number }> {
  const history = await emptyHistory();
  for (let i = 0; i < count; i += 1) {
    await history.window.admit({ spanId: `s${i}`, origin: "user", content: `text ${i}` });
    if (i % 3 === 2) await history.window.evict([`s${i - 1}`], { editId: `e${i}` });
  }
  return { ...history, head: (await history.log.head(`window-${WINDOW}`)) ?? -1 };
}

function scratch(): string {
  const folder = mkdtempSync(join(tmpdir(), "palimpsest-snapshots-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

async function viewAt(moment: Moment) {
  return (await moment.window()).view;
}

describe("at(r)", () => {
  it("rejects a revision that the window does not have, and says which it has", async () => {
    const { log, head } = await longHistory(3);
    const travel = timeTravel(log, WINDOW);
    for (const revision of [-1, head + 1, 1.5, Number.NaN]) {
      const refused = travel.at(revision);
      await expect(refused).rejects.toBeInstanceOf(OutOfRangeError);
      await expect(refused).rejects.toMatchObject({ code: "out-of-range", last: head });
    }
    await expect(timeTravel(log, "nobody").at(0)).rejects.toThrow(/never opened/);
  });

  it("goes on after a refusal, and to what was appended since", async () => {
    const { log, window, head } = await longHistory(3);
    const travel = timeTravel(log, WINDOW);
    await travel.at(head);
    await expect(travel.at(head + 1)).rejects.toBeInstanceOf(OutOfRangeError);
    await window.admit({ spanId: "more", origin: "user", content: "more" });
    expect((await viewAt(await travel.at(head + 1))).spans.at(-1)?.spanId).toBe("more");
  });

  it("gives projections of one revision, each a fold of the same events", async () => {
    const { log, window, head } = await longHistory(30);
    const events = await window.history();
    for (const revision of [0, 7, head]) {
      const moment = await timeTravel(log, WINDOW).at(revision);
      const { edits, reads, claims, budget } = moment;
      const revisions = [edits, reads, claims, budget, await moment.window()].map(
        (projection) => projection.revision,
      );
      expect(new Set([...revisions, moment.revision])).toEqual(new Set([revision]));
      expect(await viewAt(moment)).toEqual(foldWindow(events.slice(0, revision + 1)).view);
    }
  });

  it("reads only a few events when it was near before", async () => {
    const { log, head } = await longHistory(600);
    const read = vi.fn(log.read);
    const travel = timeTravel({ ...log, read }, WINDOW);
    await travel.at(head);
    read.mockClear();
    await travel.at(head - 300);
    const ranges = read.mock.calls.map(([, { from = 0, to = 0 } = {}]) => to - from + 1);
    expect(ranges.every((count) => count <= 64)).toBe(true);
  });
});

describe("following", () => {
  it("shows the window at each revision that is named, and the last one always", async () => {
    const { log } = await longHistory(6);
    const revisions = { a: 2, b: 5, c: 0 };
    const brief = ({ revision }: Moment) => revision;
    const marbles = new Marbles();
    const travel = timeTravel(log, WINDOW);
    const slider = marbles.hot("-a-b-(abc)-|", revisions);
    marbles.expect(travel.following(slider), { brief }, "-a-b-c-----|", revisions);
    await marbles.run(12);
  });

  it("shares nothing but the states: each subscriber follows revisions of its own", async () => {
    const { log, head } = await longHistory(6);
    const read = vi.fn(log.read);
    const marbles = new Marbles();
    const travel = timeTravel({ ...log, read }, WINDOW);
    await travel.at(head);
    const brief = ({ revision }: Moment) => revision;
    const revisions = { a: 2, b: head };
    const moments = travel.following(marbles.hot("-a-b-|", revisions));
    marbles.expect(moments, { brief }, "-a-b-|", revisions);
    marbles.expect(moments, { brief, subscription: "--^" }, "---b-|", revisions);
    await marbles.run(6);
  });

  it("ends with the error of a revision that there is not, and with its source's", async () => {
    const { log, head } = await longHistory(3);
    const marbles = new Marbles();
    const travel = timeTravel(log, WINDOW);
    const brief = ({ revision }: Moment) => revision;
    const outside = marbles.hot("-a-b-a-", { a: 1, b: 99 });
    marbles.expect(
      travel.following(outside),
      { brief },
      "-a-#",
      { a: 1 },
      new OutOfRangeError(99, head),
    );
    const failing = marbles.hot<number>("-a-#", { a: 1 });
    marbles.expect(travel.following(failing), { brief }, "-a-#", { a: 1 }, "error");
    await marbles.run(7);
  });
});

describe("snapshots", () => {
  const kinds: [string, () => SnapshotStore][] = [
    ["in memory", memorySnapshots],
    ["in SQLite", () => openSqliteSnapshots(join(scratch(), "snapshots.db"))],
  ];

  it.each(kinds)("%s spare reading what came before them", async (_kind, open) => {
    const { log, window, head } = await longHistory(300);
    const options = { snapshots: open(), snapshotEvery: 100 };
    await timeTravel(log, WINDOW, options).at(head);
    const read = vi.fn(log.read);
    const travel = timeTravel({ ...log, read }, WINDOW, options);
    const moment = await travel.at(head);
    expect(read.mock.calls.every(([, { from = 0 } = {}]) => from >= head - 200)).toBe(true);
    expect(await viewAt(moment)).toEqual(await window.show());
    expect(moment.notes).toEqual([]);
  });

  it("lie in a file of their own, which is not a log", async () => {
    const folder = scratch();
    const log = openSqliteLog(join(folder, "log.db"));
    await log.close();
    expect(() => openSqliteSnapshots(join(folder, "log.db"))).toThrow(/not a store of snapshots/);
    writeFileSync(join(folder, "notes.txt"), "not a database, and long enough to be sure of it");
    expect(() => openSqliteSnapshots(join(folder, "notes.txt"))).toThrow();
  });

  it.each([
    ["was changed", false, (text: string) => text.replace("state/", "state-")],
    ["has another format", true, (text: string) => text.replace(/state\/\d+/, "state/1")],
    ["by another version", true, (text: string) => text.replace('"epoch"', '"epochs"')],
    ["is not valid JSON", true, (text: string) => `not ${text}`],
  ])("outlive the process; where one %s, that is noted", async (why, signed, change) => {
    const file = join(scratch(), "snapshots.db");
    const { log, window, head } = await longHistory(100);
    const travel = (snapshots: SnapshotStore) =>
      timeTravel(log, WINDOW, { snapshots, snapshotEvery: 64 }).at(head);
    const first = openSqliteSnapshots(file);
    await travel(first);
    expect((await travel(first)).notes).toEqual([]);
    first.close();
    const db = new Database(file);
    db.function("changed", (text) => change(String(text)));
    db.function("digest", (text) => contentDigest(String(text)));
    db.exec("UPDATE snapshots SET manifest = changed(manifest)");
    if (signed) db.exec("UPDATE snapshots SET digest = digest(manifest)");
    db.close();
    const again = openSqliteSnapshots(file);
    const moment = await travel(again);
    expect(moment.notes).toEqual(
      [127, 63].map((revision) =>
        expect.stringMatching(`^the snapshot at revision ${revision} was not used: .*${why}`),
      ),
    );
    expect(await viewAt(moment)).toEqual(await window.show());
    again.close();
  });

  it("of another stream are not used, and the note says why", async () => {
    const snapshots = memorySnapshots();
    const options = { snapshots, snapshotEvery: 50 };
    const { log, head } = await longHistory(60);
    await timeTravel(log, WINDOW, options).at(head);
    const other = await emptyHistory(createMemoryLog());
    for (let i = 0; i < 99; i += 1) await other.window.admit({ origin: "user", content: `${i}` });
    const moment = await timeTravel(other.log, WINDOW, options).at(99);
    expect(await viewAt(moment)).toEqual(await other.window.show());
    expect(moment.notes[0]).toMatch(/was not used: the log has another event there$/);
  });

  it("that cannot be read or kept are done without", async () => {
    const { log, window, head } = await longHistory(60);
    const broken = (): never => {
      throw new Error("the disk is full");
    };
    const snapshots = { latest: broken, blocks: broken, save: broken };
    const moment = await timeTravel(log, WINDOW, { snapshots, snapshotEvery: 50 }).at(head);
    expect(await viewAt(moment)).toEqual(await window.show());
    expect(moment.notes.length).toBe(3);
    expect(moment.notes.every((note) => note.endsWith("the disk is full"))).toBe(true);
  });
});

describe("a log that has only the tail of a stream", () => {
  async function tail(
    from: number,
  ): Promise<{ whole: History & { head: number }; log: LogReader }> {
    const whole = await longHistory(100);
    const { log } = whole;
    const read: LogReader["read"] = (stream, { from: start = 0, ...rest } = {}) =>
      log.read(stream, { from: Math.max(start, from), ...rest });
    return { whole, log: { ...log, read } };
  }

  it("is refused", async () => {
    const { log, whole } = await tail(40);
    const refused = timeTravel(log, WINDOW).at(whole.head);
    await expect(refused).rejects.toBeInstanceOf(MissingHistoryError);
    await expect(refused).rejects.toMatchObject({ expected: 0, found: 40 });
    const events: RecordedWindowEvent[] = await whole.window.history();
    expect(() => foldWindow(events.slice(40))).toThrow(MissingHistoryError);
  });

  it("is taken up from a snapshot that fits", async () => {
    const { log, whole } = await tail(40);
    const options = { snapshots: memorySnapshots(), snapshotEvery: 64 };
    await timeTravel(whole.log, WINDOW, options).at(whole.head);
    const moment = await timeTravel(log, WINDOW, options).at(whole.head);
    expect(moment.revision).toBe(whole.head);
    const { edits, revision } = await firstValueFrom(liveWindow(whole.log, WINDOW));
    expect([moment.revision, moment.edits.edits.length]).toEqual([revision, edits]);
  });
});
