import { randomUUID } from "node:crypto";
import { join } from "node:path";
import type { EventToAppend } from "@palimpsest/core";
import { isLogError } from "@palimpsest/core";
import { openSqliteLog } from "@palimpsest/core/sqlite";
import { readAll } from "@palimpsest/core/testing";
import { afterEach, describe, expect, it, vi } from "vitest";
import { disarm, tamper } from "../support/log/damage.ts";
import { temporaryFolder } from "../support/log/folder.ts";

/* A process that appends keeps hashes of the ids; the store has the last word on which is which. */

const folder = temporaryFolder();
let files = 0;
const newFile = (): string => join(folder, `${files++}.db`);

function event(): EventToAppend {
  return { id: randomUUID(), type: "T", data: { text: "x".repeat(400) }, metadata: {} };
}

afterEach(() => vi.restoreAllMocks());

const hashes = {
  "as they fall": () => {},
  "that are all the same": () => {
    vi.spyOn(crypto, "getRandomValues").mockImplementation((array) => array);
  },
};

describe.each(Object.entries(hashes))("hashes %s", (_name, prepare) => {
  it("let new ids in and tell known ones", async () => {
    prepare();
    const log = openSqliteLog(newFile());
    const appends = Array.from({ length: 120 }, (_, n) =>
      Array.from({ length: 1 + (n % 3) + (n === 60 ? 90 : 0) }, event),
    );
    const results = [];
    for (const events of appends) results.push(await log.append("s", events, "any"));
    const all = appends.flat();
    expect((await readAll(log, "s")).map(({ id }) => id)).toEqual(all.map(({ id }) => id));
    for (const [n, events] of appends.entries()) {
      const earlier = { ...results[n], repeated: true };
      expect(await log.append("s", events, "any")).toEqual(earlier);
    }
    const [known] = all.slice(50);
    for (const events of [
      [event(), known],
      [known, event()],
    ]) {
      const appending = log.append("s", events as EventToAppend[], all.length - 1);
      await expect(appending).rejects.toSatisfy((error) => isLogError(error, "event-id-conflict"));
    }
    expect(await log.head("s")).toBe(all.length - 1);
    expect(await log.append("s", [event()], all.length - 1)).toMatchObject({ repeated: false });
    await log.close();
  });
});

it.each(["x''", "x'00ff'", "zeroblob(100)", "'text'"])(
  "a row whose ids were replaced by %s neither stops nor shifts the stream",
  async (ids) => {
    const file = newFile();
    const log = openSqliteLog(file);
    const [first, damaged, third] = [[event()], [event(), event()], [event()]];
    for (const events of [first, damaged, third]) await log.append("s", events, "any");
    await log.close();
    disarm(file);
    tamper(
      file,
      `PRAGMA ignore_check_constraints = ON; UPDATE chunks SET ids = CAST(${ids} AS BLOB) WHERE chunk = 2`,
    );
    const again = openSqliteLog(file);
    const repeated = { first: 3, last: 3, repeated: true };
    expect(await again.append("s", third, 2)).toEqual(repeated);
    expect(await again.append("s", [event()], 3)).toEqual({ first: 4, last: 4, repeated: false });
    await again.close();
  },
);
