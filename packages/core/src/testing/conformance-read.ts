import assert from "node:assert/strict";
import type { Cases } from "./cases.ts";
import { events, idsOf, stored } from "./cases.ts";
import { revisionOf } from "./collect.ts";
import { readAll } from "./whole-stream.ts";

export const readCases: Cases = {
  "finds a stream that does not exist empty, and without a head": async ({ log, stream }) => {
    const name = stream();
    assert.deepEqual(await readAll(log, name), []);
    assert.equal(await log.head(name), undefined);
  },

  "gives back what was appended, in order": async ({ log, stream }) => {
    const name = stream();
    const appended = events(7);
    await log.append(name, appended.slice(0, 4), "no-stream");
    await log.append(name, appended.slice(4), 3);
    assert.deepEqual(await readAll(log, name), stored(name, appended));
  },

  "gives pages of at most `pageSize` events and never an empty one": async ({ log, stream }) => {
    const name = stream();
    const appended = events(100);
    await log.append(name, appended, "no-stream");
    for (const pageSize of [1, 7, 50, 99, 100, 1_000]) {
      const read: string[] = [];
      for await (const page of log.read(name, { pageSize })) {
        assert.ok(page.length > 0 && page.length <= pageSize);
        read.push(...idsOf(page));
      }
      assert.deepEqual(read, idsOf(appended), `pages of ${pageSize}`);
    }
  },

  "reads from `from` to `to`, both inclusive": async ({ log, stream }) => {
    const [name, other] = [stream(), stream()];
    const appended = events(70);
    // The other stream lies between the events of this one.
    for (let first = 0; first < appended.length; first += 7) {
      await log.append(name, appended.slice(first, first + 7), "any");
      await log.append(other, events(5), "any");
    }
    const all = stored(name, appended);
    const edges = [0, 1, 6, 7, 8, 31, 32, 33, 63, 64, 68, 69, 70, 200];
    for (const from of edges) {
      assert.deepEqual(await readAll(log, name, { from }), all.slice(from), `from ${from}`);
      for (const to of edges) {
        const part = await readAll(log, name, { from, to, pageSize: 20 });
        assert.deepEqual(part, all.slice(from, to + 1), `from ${from} to ${to}`);
      }
    }
  },

  "finds nothing to read before revision 0": async ({ log, stream }) => {
    const name = stream();
    await log.append(name, events(2), "no-stream");
    assert.deepEqual(await readAll(log, name, { to: -1 }), []);
  },

  "reads each page when it is asked for": async ({ log, stream }) => {
    const name = stream();
    await log.append(name, events(2), "no-stream");
    const pages = log.read(name, { pageSize: 2 })[Symbol.asyncIterator]();
    assert.equal((await pages.next()).value?.length, 2);
    await log.append(name, events(3), 1);
    assert.deepEqual((await pages.next()).value?.map(revisionOf), [2, 3]);
    assert.deepEqual((await pages.next()).value?.map(revisionOf), [4]);
    assert.equal((await pages.next()).done, true);
  },

  "does not read past `to` what was appended meanwhile": async ({ log, stream }) => {
    const name = stream();
    await log.append(name, events(3), "no-stream");
    const pages = log.read(name, { pageSize: 2, to: 2 })[Symbol.asyncIterator]();
    await pages.next();
    await log.append(name, events(3), 2);
    assert.deepEqual((await pages.next()).value?.map(revisionOf), [2]);
    assert.equal((await pages.next()).done, true);
  },

  "refuses a page size and a revision that make no sense": async ({ log, stream }) => {
    const name = stream();
    await log.append(name, events(1), "no-stream");
    for (const options of [{ pageSize: 0 }, { pageSize: 1.5 }, { from: Number.NaN }, { to: 0.5 }]) {
      await assert.rejects(readAll(log, name, options), TypeError);
    }
  },
};
