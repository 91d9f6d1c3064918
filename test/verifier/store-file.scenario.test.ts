import { copyFile } from "node:fs/promises";
import { join } from "node:path";
import { openWindow, Window } from "@palimpsest/core";
import { memoryHeads, verifyWindow } from "@palimpsest/verifier";
import { describe, expect, it } from "vitest";
import { PRINCIPALS, user, verdictOn } from "../support/verifier/bases.ts";
import { measured } from "../support/verifier/damage.ts";
import { tamper, testFolder, withLog } from "../support/verifier/files.ts";

/* Scenarios about a store whose file was worked on, each under its own name. */

const options = { principals: PRINCIPALS };

/** A store file with a window of two edits, and a verdict with its head kept outside. */
async function given() {
  const file = join(await testFolder(), "store.db");
  const heads = memoryHeads();
  await withLog(file, async (log) => {
    const window = await openWindow(log, "w", options);
    for (const id of ["s1", "s2"]) await window.execute(user(id, { content: `true ${id}` }));
    await window.evict(["s1"], { editId: "e1" });
    await verdictOn(log, heads);
  });
  return { file, heads, check: () => withLog(file, (log) => verifyWindow(log, "w", { heads })) };
}

/** Evicts the second span, and has a verdict said about it. */
async function goOn(file: string, heads: Awaited<ReturnType<typeof given>>["heads"]) {
  await withLog(file, async (log) => {
    await new Window(log, "w", options).evict(["s2"], { editId: "e2" });
    await verdictOn(log, heads);
  });
}

describe("a tail that was cut off", () => {
  it("finds the last record and edit cut off the store", async () => {
    const { file, heads, check } = await given();
    await goOn(file, heads);
    tamper(file, "DELETE FROM chunks WHERE data LIKE '%\"e2\"%' AND types <> 'EditProbed'");
    expect(await check()).toMatchObject({
      status: "violated",
      findings: [{ code: "tail-cut", revision: 4 }],
    });
  });

  it("finds the whole file restored from a copy taken before", async () => {
    const { file, heads, check } = await given();
    await copyFile(file, `${file}.copy`);
    await goOn(file, heads);
    await copyFile(`${file}.copy`, file);
    // The copy alone is perfectly consistent.
    const alone = await withLog(file, (log) => verifyWindow(log, "w"));
    expect(alone).toMatchObject({ status: "holds", rollback: "unchecked" });
    expect(await check()).toMatchObject({
      status: "violated",
      rollback: "checked",
      findings: [{ code: "rolled-back", revision: 4 }],
    });
  });

  it("says so on restart, and again in every verdict after it", async () => {
    const { file, heads, check } = await given();
    await copyFile(file, `${file}.copy`);
    await goOn(file, heads);
    await copyFile(`${file}.copy`, file);
    await withLog(file, (log) => verdictOn(log, heads));
    await goOn(file, heads);
    expect(await check()).toMatchObject({
      status: "violated",
      findings: [{ code: "rolled-back", revision: 4 }],
    });
  });
});

describe("tampered content", () => {
  it("finds a content that was changed", async () => {
    const { file, check } = await given();
    tamper(file, "UPDATE chunks SET data = replace(data, 'true s1', 'evil s1')");
    expect(await check()).toMatchObject({
      status: "violated",
      findings: [{ code: "content-digest", revision: 1 }, { code: "head-root" }],
    });
  });

  it("finds a content that was changed together with every digest", async () => {
    const { file, check } = await given();
    const [was, is] = [measured("true s1").digest, measured("evil s1").digest];
    tamper(
      file,
      "UPDATE chunks SET data = replace(data, 'true s1', 'evil s1') WHERE types LIKE '%SpanAdmitted%'; " +
        `UPDATE chunks SET data = replace(data, '${was}', '${is}')`,
    );
    expect(await check()).toMatchObject({
      status: "violated",
      findings: [{ code: "head-root", revision: 4 }],
    });
  });
});

describe("lost content", () => {
  it("finds that nothing is left of an event", async () => {
    const { file, check } = await given();
    tamper(file, "UPDATE chunks SET data = '{}' WHERE data LIKE '%true s1%'");
    const { status, findings } = await check();
    expect(status).toBe("violated");
    expect(findings[0]).toMatchObject({ code: "invalid-data", revision: 1 });
  });

  it("finds it by a probe, in the background, when nobody asks", async () => {
    const file = join(await testFolder(), "store.db");
    const heads = memoryHeads();
    await withLog(file, async (log) => {
      const window = await openWindow(log, "w", options);
      await window.execute(user("s1", { content: "true s1" }));
      await verdictOn(log, heads);
    });
    const damaged = await withLog(file, async (log) => {
      const window = new Window(log, "w", options);
      await window.evict(["s1"], { editId: "e1" });
      // Whoever reads a consumed span gets nothing any more.
      const gone = { ...log, read: lossy(log.read.bind(log)) };
      await verdictOn(gone, heads);
      return verifyWindow(log, "w", { heads });
    });
    expect(damaged).toMatchObject({
      status: "violated",
      findings: [{ code: "probe-lost", revision: 3 }],
    });
  });
});

/** Single events that are asked for by revision are not there. */
function lossy(read: Parameters<typeof verifyWindow>[0]["read"]): typeof read {
  return (stream, range) => {
    const isOne = range?.from !== undefined && range.from === range.to;
    return isOne ? read(`${stream}-nothing`) : read(stream, range);
  };
}
