import assert from "node:assert/strict";
import type { EventToAppend, ExpectedRevision } from "../log/port.ts";
import type { CaseContext, Cases } from "./cases.ts";
import { event, events, rejects, stored } from "./cases.ts";
import { readAll } from "./whole-stream.ts";

export const idempotencyCases: Cases = {
  "gives the earlier result for the same events, whatever is expected": async (context) => {
    await repeats(context, (appended) => appended.slice(2, 4), { first: 2, last: 3 });
  },

  "takes the first, the middle and the last events of an earlier append for a retry": async (
    context,
  ) => {
    await repeats(context, (appended) => appended.slice(0, 1), { first: 0, last: 0 });
    await repeats(context, (appended) => appended.slice(3, 4), { first: 3, last: 3 });
    await repeats(context, (appended) => appended.slice(5, 6), { first: 5, last: 5 });
  },

  "takes events of several appends for a retry if they lie one after another": async (context) => {
    await repeats(context, (appended) => appended.slice(1, 5), { first: 1, last: 4 });
  },

  "recognises an append however many came after it": async ({ log, stream }) => {
    const [name, other] = [stream(), stream()];
    const first = events(3);
    await log.append(name, first, "no-stream");
    for (let round = 0; round < 30; round++) {
      await log.append(name, events(5), "any");
      await log.append(other, events(2), "any");
      const result = await log.append(name, first, "no-stream");
      assert.deepEqual(result, { first: 0, last: 2, repeated: true });
    }
    assert.equal(await log.head(name), 152);
  },

  "refuses events of which the stream holds only some": async (context) => {
    await conflicts(context, (appended) => [...appended.slice(4), event()]);
    await conflicts(context, (appended) => [event(), ...appended.slice(0, 1)]);
    await conflicts(context, (appended) => [...appended, event()]);
  },

  "refuses events that the stream holds in another order": async (context) => {
    await conflicts(context, (appended) => appended.slice(0, 2).reverse());
    await conflicts(context, (appended) => appended.toReversed());
  },

  "refuses events that the stream holds with others between them": async (context) => {
    await conflicts(context, (appended) => [...appended.slice(0, 1), ...appended.slice(2, 3)]);
  },

  "refuses an id that an append names twice": async ({ log, stream }) => {
    const name = stream();
    const twice = event();
    await rejects(log.append(name, [twice, twice], "any"), "event-id-conflict");
    assert.equal(await log.head(name), undefined);
  },

  "takes the same id in another stream for another event": async ({ log, stream }) => {
    const [one, other] = [stream(), stream()];
    const same = events(2);
    await log.append(one, same, "no-stream");
    const result = await log.append(other, same, "no-stream");
    assert.deepEqual(result, { first: 0, last: 1, repeated: false });
    assert.deepEqual(await readAll(log, other), stored(other, same));
  },
};

/** Three appends of two events each. */
async function sixEvents({ log, stream }: CaseContext) {
  const name = stream();
  const appended = events(6);
  for (const first of [0, 2, 4]) await log.append(name, appended.slice(first, first + 2), "any");
  return { name, appended };
}

const EXPECTATIONS: readonly ExpectedRevision[] = ["any", "no-stream", 0, 1, 5, 99];

async function repeats(
  context: CaseContext,
  choose: (appended: EventToAppend[]) => EventToAppend[],
  result: { first: number; last: number },
): Promise<void> {
  const { name, appended } = await sixEvents(context);
  for (const expected of EXPECTATIONS) {
    const again = await context.log.append(name, choose(appended), expected);
    assert.deepEqual(again, { ...result, repeated: true }, `expected ${expected}`);
  }
  assert.deepEqual(await readAll(context.log, name), stored(name, appended));
}

async function conflicts(
  context: CaseContext,
  choose: (appended: EventToAppend[]) => EventToAppend[],
): Promise<void> {
  const { name, appended } = await sixEvents(context);
  for (const expected of EXPECTATIONS) {
    const append = context.log.append(name, choose(appended), expected);
    await rejects(append, "event-id-conflict");
  }
  assert.deepEqual(await readAll(context.log, name), stored(name, appended));
}
