import type { AdmitSpan, EventLog } from "@palimpsest/core";
import { createMemoryLog, openWindow, Window } from "@palimpsest/core";
import { expect, it } from "vitest";

/*
 * A store may hold the events of an append without a word of whose they are, as EventStoreDB does.
 */

const ID = "w";

interface Silent {
  readonly log: EventLog;
  /** Runs once, before the next append reaches the store. */
  before(act: () => Promise<unknown>): void;
  /** The next read behind the next append fails. */
  loseReadBack(): void;
  readonly reads: () => number;
}

function silent(log: EventLog): Silent {
  let act = async (): Promise<unknown> => undefined;
  let [reads, losing, lost] = [0, false, false];
  return {
    log: {
      ...log,
      async append(stream, events, expected) {
        const acting = act();
        act = async () => undefined;
        await acting;
        const result = await log.append(stream, events, expected);
        lost = losing;
        losing = false;
        return { ...result, repeated: "unknown" };
      },
      async *read(stream, options) {
        reads += 1;
        if (lost) {
          lost = false;
          throw new Error("the connection is lost");
        }
        yield* log.read(stream, options);
      },
    },
    before(next) {
      act = next;
    },
    loseReadBack() {
      losing = true;
    },
    reads: () => reads,
  };
}

const admit = (content: string, commandId?: string): AdmitSpan => ({
  command: "admitSpan",
  origin: "user",
  content,
  ...(commandId !== undefined && { commandId }),
});

async function opened() {
  const log = createMemoryLog();
  const other = await openWindow(log, ID);
  const store = silent(log);
  return { other, store, window: new Window(store.log, ID) };
}

it("is answered as usual when the events are this window's", async () => {
  const { store, window, other } = await opened();
  const answer = await window.execute(admit("text", "once"));
  expect(answer).toMatchObject({ outcome: "accepted", revision: 1 });
  expect(await window.execute(admit("text", "once"))).toEqual(answer);
  expect(await other.execute(admit("text", "once"))).toEqual(answer);
  store.loseReadBack();
  expect(await window.execute(admit("more", "twice"))).toMatchObject({ revision: 2 });
  expect(await other.history()).toHaveLength(3);
});

it("is refused when another handle used the commandId for another command meanwhile", async () => {
  const { store, window, other } = await opened();
  store.before(() => other.execute(admit("theirs", "once")));
  expect(await window.execute(admit("ours", "once"))).toMatchObject({
    outcome: "refused",
    refusals: [{ code: "command-id-reused" }],
  });
  expect((await window.show()).spans.map(({ content }) => content)).toEqual(["theirs"]);
});

it("gets the first answer when another handle sent the same command meanwhile", async () => {
  const { store, window, other } = await opened();
  const theirs = Promise.withResolvers<unknown>();
  store.before(async () => theirs.resolve(await other.execute(admit("text", "once"))));
  expect(await window.execute(admit("text", "once"))).toEqual(await theirs.promise);
  expect(await other.history()).toHaveLength(2);
});

it("is read back only for a commandId that somebody may know", async () => {
  const { store, window } = await opened();
  await window.execute(admit("first"));
  const readsOf = async (commandId?: string): Promise<number> => {
    const before = store.reads();
    await window.execute(admit("text", commandId));
    return store.reads() - before;
  };
  const minted = await readsOf();
  expect(await readsOf("known")).toBe(minted + 1);
});
