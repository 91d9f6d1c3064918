import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { openSqliteLog } from "@palimpsest/core/sqlite";
import { checkWholeStream } from "@palimpsest/core/testing";
import { describe, expect, it } from "vitest";
import type { Child } from "../support/log/children.ts";
import { nextLine, startChild } from "../support/log/children.ts";
import { temporaryFolder } from "../support/log/folder.ts";
import { appendOf } from "../support/log/samples.ts";

const folder = temporaryFolder();

describe("several processes on one file", () => {
  it("append to one stream, each append whole and none lost", async () => {
    const file = join(folder, "writers.db");
    // None of them created the file before the others start.
    const children = [0, 1_000, 2_000].map((first) =>
      startChild("appender", [file, "window-a", String(first), "60"]),
    );
    await Promise.all(children.map((child) => child.gone));
    expect(children.map((child) => child.process.exitCode)).toEqual([0, 0, 0]);
    const log = openSqliteLog(file);
    const events = await checkWholeStream(log, "window-a");
    await log.close();
    const appends = new Set<unknown>();
    for (const { data, metadata } of events) {
      const { append } = Object(data);
      const { index, count } = Object(metadata);
      if (index === 0) appends.add(append);
      const next = events[events.findIndex((event) => event.metadata === metadata) + 1];
      if (index < count - 1) expect(Object(next?.data).append).toBe(append);
    }
    expect(appends.size).toBe(180);
  });
});

describe("a subscriber in another process", () => {
  it("sees each append while it follows, whenever that happens", async () => {
    const file = join(folder, "live.db");
    const log = openSqliteLog(file);
    const subscriber = startChild("subscriber", [file, "window-", "200"]);
    expect(await nextLine(subscriber)).toBe("caught-up");
    for (let append = 0; append < 200; append++) {
      await log.append("window-a", appendOf(append, 1), "any");
      expect(await nextEvent(subscriber)).toBe(`window-a ${append}`);
      // An odd pause, so that the moments do not line up with the subscriber's timers.
      await sleep((append * 7) % 41);
    }
    await subscriber.gone;
    await log.close();
  });

  it("sees a burst of appends without gap or double", async () => {
    const file = join(folder, "burst.db");
    const log = openSqliteLog(file);
    const subscriber = startChild("subscriber", [file, "window-", "1000"]);
    expect(await nextLine(subscriber)).toBe("caught-up");
    for (let append = 0; append < 500; append++) {
      await log.append(append % 2 === 0 ? "window-a" : "window-b", appendOf(append, 2), "any");
    }
    const seen: Record<string, number[]> = { "window-a": [], "window-b": [] };
    for (let event = 0; event < 1_000; event++) {
      const [stream = "", revision] = (await nextEvent(subscriber)).split(" ");
      seen[stream]?.push(Number(revision));
    }
    const dense = [...Array(500).keys()];
    expect(seen).toEqual({ "window-a": dense, "window-b": dense });
    await subscriber.gone;
    await log.close();
  });

  it("sleeps while nothing is appended", async () => {
    const file = join(folder, "idle.db");
    const log = openSqliteLog(file);
    const subscriber = startChild("subscriber", [file, "window-", "1"]);
    expect(await nextLine(subscriber)).toBe("caught-up");
    await turns(subscriber);
    const before = await turns(subscriber);
    await sleep(1_500);
    // A few looks a second; a busy loop takes thousands of turns.
    expect((await turns(subscriber)) - before).toBeLessThan(200);
    await log.append("window-a", appendOf(0, 1), "any");
    await nextEvent(subscriber);
    await subscriber.gone;
    await log.close();
  });

  it("can leave, and the process with it", async () => {
    const file = join(folder, "leaving.db");
    const log = openSqliteLog(file);
    await log.append("window-a", appendOf(0, 3), "no-stream");
    const subscriber = startChild("subscriber", [file, "window-", "3"]);
    await subscriber.gone;
    expect(subscriber.process.exitCode).toBe(0);
    await log.close();
  });
});

async function nextEvent(child: Child): Promise<string> {
  for (;;) {
    const line = await nextLine(child);
    if (line.startsWith("window-")) return line;
  }
}

/** How often the process woke up so far: the turns of its event loop. */
async function turns(child: Child): Promise<number> {
  child.process.stdin?.write("\n");
  for (;;) {
    const line = await nextLine(child);
    if (line.startsWith("turns ")) return Number(line.slice(6));
  }
}
