import { join } from "node:path";
import { openSqliteLog } from "@palimpsest/core/sqlite";
import { checkWholeStream, readAll } from "@palimpsest/core/testing";
import { expect, it } from "vitest";
import { nextLine, startChild } from "../support/log/children.ts";
import { temporaryFolder } from "../support/log/folder.ts";

const folder = temporaryFolder();
/** 2 MiB, in blocks. */
const LARGEST_FILE = 4_096;

it.each([1, 3])(
  "an append of %i rows that the disk failed has an unknown outcome, and its retry is stored once",
  async (count) => {
    const file = join(folder, `${count}.db`);
    const child = startChild("failing", [file, "s", String(count)], LARGEST_FILE);
    const { acknowledged, code, events } = JSON.parse(await nextLine(child));
    await child.gone;
    expect(code).toBe("outcome-unknown");
    expect(acknowledged).toBeGreaterThan(10);

    const log = openSqliteLog(file);
    const before = await readAll(log, "s");
    const first = acknowledged * count;
    expect([first, first + count]).toContain(before.length);
    const result = await log.append("s", events, "any");
    expect(result).toMatchObject({ first, last: first + count - 1 });
    expect(result.repeated).toBe(before.length > first);
    expect(await log.append("s", events, "any")).toEqual({ ...result, repeated: true });
    expect(await checkWholeStream(log, "s")).toHaveLength(first + count);
    await log.close();
  },
);
