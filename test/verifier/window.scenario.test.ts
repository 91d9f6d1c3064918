import type { EventLog } from "@palimpsest/core";
import { openWindow, Window } from "@palimpsest/core";
import { auditor, memoryHeads, verifyWindow } from "@palimpsest/verifier";
import { firstValueFrom, lastValueFrom } from "rxjs";
import { describe, expect, it } from "vitest";
import { stores } from "../support/scenarios/stores.ts";
import { sha256 } from "../support/sha256.ts";
import { algebraStore, PRINCIPALS, runAll, user, verdictOn } from "../support/verifier/bases.ts";
import { editAt, resealed, withData, without } from "../support/verifier/damage.ts";
import { verified } from "../support/verifier/store.ts";

/* Scenarios under their own names; those about files are in store-file.scenario.test.ts. */

const options = { principals: PRINCIPALS };

describe.each(stores)("the verifier, on $name", (store) => {
  async function given(): Promise<{ log: EventLog; window: Window }> {
    const { log } = await store.open();
    const window = await openWindow(log, "w", options);
    for (const id of ["s1", "s2", "s3"]) await window.execute(user(id));
    return { log, window };
  }

  it("a verdict is bound to its head: an append that relies on an old verdict is refused", async () => {
    const { log, window } = await given();
    await verdictOn(log, memoryHeads());
    const { verdict } = await firstValueFrom(auditor(log, { once: true }));
    const head = (verdict?.size ?? 0) - 1;
    await window.execute(user("s4"));
    const answer = await window.execute({
      command: "evict",
      consumes: ["s1"],
      expectedRevision: head,
    });
    expect(answer).toMatchObject({
      outcome: "refused",
      refusals: [{ code: "wrong-expected-revision" }],
    });
  });

  describe("what was shown is recorded", () => {
    it("finds a host that renders without its ledger, at that revision", async () => {
      const { log, window } = await given();
      await window.execute({ command: "assertClaim", statement: "so it is", evidence: true });
      await window.execute({ command: "render" });
      const events = await window.history();
      const store = { window: events.map((event) => ({ ...event, stream: "window-w" })) };
      const bare = sha256((await window.show()).rendered.replace(/^::(claim|ledger).*\n/gm, ""));
      const damaged = withData(store.window as never, events.length - 1, { digest: bare });
      expect(await verifyWindow(log, "w")).toMatchObject({ status: "holds", shown: "checked" });
      expect(await verified({ window: damaged, verdicts: [] })).toMatchObject({
        status: "violated",
        findings: [{ code: "shown-digest", revision: events.length - 1 }],
      });
    });

    it("says that nothing was checked where nothing was recorded", async () => {
      const { log } = await given();
      expect(await verifyWindow(log, "w")).toMatchObject({ shown: "unchecked" });
    });

    it("compares bytes from outside with its own rendering", async () => {
      const { log, window } = await given();
      const { rendered } = await window.show();
      const check = (text: string) =>
        verifyWindow(log, "w", { rendered: { digest: sha256(text) } });
      expect(await check(rendered)).toMatchObject({ status: "holds" });
      expect(await check(rendered.slice(1))).toMatchObject({ status: "violated" });
    });
  });

  describe("an edit before its record", () => {
    it.each(["before", "after"] as const)(
      "holds when the store fails %s it wrote",
      async (when) => {
        const { log } = await given();
        const failing: EventLog = {
          ...log,
          append: async (stream, events, expected) => {
            if (when === "after") await log.append(stream, events, expected);
            throw new Error("the process is gone");
          },
        };
        const window = new Window(failing, "w", options);
        await expect(window.evict(["s1"], { editId: "e" })).rejects.toThrow("gone");
        expect(await verifyWindow(log, "w")).toMatchObject({
          status: "holds",
          edits: when === "after" ? 1 : 0,
          records: when === "after" ? 1 : 0,
        });
      },
    );

    it("finds contents that were blanked before there was a record", async () => {
      const store = await algebraStore();
      const window = withData(store.window, 1, { content: "" });
      const { findings } = await verified({ ...store, window });
      expect(findings[0]).toMatchObject({ code: "content-digest", revision: 1 });
    });
  });

  it("an archive eaten by the second step: the verifier says so before anything else", async () => {
    const store = await algebraStore();
    const { window } = store;
    const records = [editAt(window, "e1") - 1, editAt(window, "e2") - 1];
    const damaged = resealed(without(window, ...records));
    const { findings, status } = await verified({ ...store, window: damaged });
    expect(status).toBe("violated");
    expect(findings[0]).toMatchObject({
      code: "record-missing",
      revision: editAt(damaged, "e1"),
    });
  });

  it("a record that points nowhere: a probe finds it lost", async () => {
    const { log, window } = await given();
    await window.evict(["s1"], { editId: "e1" });
    const lossy: EventLog = {
      ...log,
      read: (stream, range) =>
        log.read(range?.from !== undefined && range.from === range.to ? "nowhere" : stream, range),
    };
    await verdictOn(lossy, memoryHeads());
    const { verdict } = await lastValueFrom(auditor(log, { once: true }));
    expect(verdict).toMatchObject({
      status: "violated",
      findings: [{ code: "probe-lost", revision: 5 }],
    });
  });

  it("retirement in a batch: claims that were retracted together are listed", async () => {
    const { log } = await given();
    const claim = (claimId: string) => ({ command: "assertClaim", claimId, statement: claimId });
    const retract = (claimId: string) => ({
      command: "retractClaim",
      claimId,
      reason: "an ingest",
    });
    await runAll(log, [claim("likes-tea"), claim("lives-in-oslo"), claim("owns-a-cat")]);
    await runAll(log, [
      { command: "batch", commands: [retract("likes-tea"), retract("lives-in-oslo")] },
      retract("owns-a-cat"),
    ]);
    expect(await verifyWindow(log, "w")).toMatchObject({
      status: "holds",
      distinct: 0,
      retracted: 3,
      retractedTogether: [{ revision: 7, claims: ["likes-tea", "lives-in-oslo"] }],
    });
  });
});
