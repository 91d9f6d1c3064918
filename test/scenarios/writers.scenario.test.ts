import { windowStream } from "@palimpsest/core";
import { faultyLog } from "@palimpsest/core/testing";
import { describe, expect, it } from "vitest";
import { brokenLog } from "../support/scenarios/broken-log.ts";
import type { Sent } from "../support/scenarios/commands.ts";
import {
  admit,
  batch,
  callSpan,
  evict,
  resultSpan,
  rewind,
  rewrite,
  undo,
} from "../support/scenarios/commands.ts";
import { given } from "../support/scenarios/given.ts";
import { stores } from "../support/scenarios/stores.ts";

/** Every edit that writes a record, on a window with s1, s2 and an edit e0 of s0. */
const edits: readonly [string, Sent][] = [
  ["an evict", evict("e1", ["s1"])],
  ["a rewrite", rewrite("e1", ["s1", "s2"], "p")],
  ["an undo", undo("e0", { as: "e1" })],
  ["a rewind", rewind(0, { as: "e1" })],
  ["a batch", batch([admit("s3"), evict("e1", ["s1", "s3"])])],
];

describe.each(stores)("two writers and failing appends on $name", (store) => {
  describe.each(["before", "after"] as const)("failing %s they took effect", (when) => {
    it.each(edits)(
      "an edit before its record: %s and its record are both there or neither",
      async (_, edit) => {
        const w = await given(store);
        await w.holds("s0", "s1", "s2");
        await w.accepts(evict("e0", ["s0"]));
        const head = await w.head();
        const failing = w.through(brokenLog(w.log, when));
        await expect(failing.send(edit)).rejects.toMatchObject({ code: "store-unavailable" });
        const types = await w.again().eventsAfter(head);
        const both = ["RecoveryRecorded", "WindowEdited"];
        expect(types.filter((type) => both.includes(type))).toEqual(when === "after" ? both : []);
      },
    );

    it.each(edits)(
      "an edit before its record: %s whose outcome is unknown is done once",
      async (_, edit) => {
        const w = await given(store);
        await w.holds("s0", "s1", "s2");
        await w.accepts(evict("e0", ["s0"]));
        const failing = w.through(faultyLog(w.log, [{ append: 0, when }]));
        const answer = await failing.accepts({ ...edit, commandId: "once" });
        expect(await w.again().send({ ...edit, commandId: "once" })).toEqual(answer);
        expect((await w.view()).ledger).toMatchObject({ edits: 2, records: 2 });
      },
    );
  });

  it("an edit before its record: after a failure the handle goes on", async () => {
    const w = await given(store);
    await w.holds("s1");
    const failing = w.through(brokenLog(w.log, "before"));
    const [first, second] = await Promise.allSettled([
      failing.send(evict("e1", ["s1"])),
      failing.send(admit("s2")),
    ]);
    expect([first.status, second.status]).toEqual(["rejected", "fulfilled"]);
    expect(await w.live()).toEqual(["s1", "s2"]);
  });

  it("a retry of the same range: same commandId, same outcome", async () => {
    const w = await given(store);
    await w.holds("s1", "s2");
    const command = rewrite("e1", ["s1", "s2"], "sum", "both", { commandId: "c" });
    const first = await w.accepts(command);
    expect(await w.send(command)).toEqual(first);
    expect(await w.again().send(command)).toEqual(first);
    expect(await w.live()).toEqual(["sum"]);
  });

  it("a retry of the same range: with another id, its spans are taken", async () => {
    const w = await given(store);
    await w.holds("s1", "s2");
    const command = { command: "rewrite", consumes: ["s1", "s2"], content: "both" };
    await w.accepts({ ...command, commandId: "c1" });
    const facts = { spanId: "s1", editId: "e1" };
    await w.refuses({ ...command, commandId: "c2" }, "span-not-live", facts);
  });

  it("the same index twice: two handles at one revision, both appends are there once", async () => {
    const w = await given(store);
    const other = w.again();
    await other.live();
    const answers = await Promise.all([
      w.accepts(admit("a")),
      other.accepts(admit("b")),
      w.accepts(admit("c")),
      other.accepts(admit("d")),
    ]);
    const revisions = answers.map(({ revision }) => revision);
    expect(revisions.sort()).toEqual([1, 2, 3, 4]);
    expect((await w.live()).sort()).toEqual(["a", "b", "c", "d"]);
    expect(await other.contents()).toEqual(await w.contents());
  });

  it("the same index twice: the loser decides on the new state, ordinals have no gap", async () => {
    const w = await given(store);
    await w.holds("s1", "s2");
    const other = w.again();
    await other.live();
    const answers = await Promise.all([
      w.send(evict("e1", ["s1"])),
      other.send(rewrite("e2", ["s1", "s2"], "p")),
      w.send(evict("e3", ["s2"])),
    ]);
    const accepted = answers.filter(({ outcome }) => outcome === "accepted");
    const ordinals = (await w.statuses()).map(({ ordinal }) => ordinal);
    expect(ordinals).toEqual(accepted.map((_, i) => i + 1));
    for (const answer of answers) {
      if (answer.outcome === "refused") expect(answer.refusals[0]?.code).toBe("span-not-live");
    }
    expect(await other.state()).toEqual(await w.state());
  });

  it("the same index twice: a loser that named a revision is told, not retried", async () => {
    const w = await given(store);
    const other = w.again();
    const bound = { expectedRevision: 0 };
    const answers = await Promise.all([w.send(admit("a", bound)), other.send(admit("b", bound))]);
    expect(answers.map(({ outcome }) => outcome).sort()).toEqual(["accepted", "refused"]);
    expect(answers.find(({ outcome }) => outcome === "refused")).toMatchObject({
      refusals: [{ code: "wrong-expected-revision", expected: 0, actual: 1 }],
    });
  });

  it("half a batch: parallel calls and results of one turn are all or nothing", async () => {
    const w = await given(store);
    const turn = [callSpan("a"), callSpan("b"), resultSpan("b"), resultSpan("a")];
    const failing = w.through(brokenLog(w.log, "before"));
    await expect(failing.send(batch(turn))).rejects.toMatchObject({ name: "LogError" });
    expect(await w.head()).toBe(0);
    await w.refuses(batch([...turn, resultSpan("c")]), "call-not-live", { step: 4 });
    await failing.accepts(batch(turn));
    expect(await w.live()).toEqual(["call:a", "call:b", "result:b", "result:a"]);
  });

  it("half a batch: while others append, no event of theirs lies inside", async () => {
    const w = await given(store);
    const other = w.again();
    const sends: Promise<unknown>[] = [];
    for (let n = 0; n < 8; n += 1) {
      const pair = [callSpan(`c${n}`), resultSpan(`c${n}`)];
      sends.push((n % 2 === 0 ? w : other).accepts(batch(pair)));
      sends.push((n % 2 === 0 ? other : w).accepts(admit(`s${n}`)));
    }
    await Promise.all(sends);
    const live = await w.live();
    expect(live).toHaveLength(24);
    for (let n = 0; n < 8; n += 1) {
      expect(live.indexOf(`result:c${n}`)).toBe(live.indexOf(`call:c${n}`) + 1);
    }
    const events = [];
    for await (const page of w.log.read(windowStream("w"))) events.push(...page);
    expect(events.map(({ revision }) => revision)).toEqual(events.map((_, i) => i));
  });
});
