import type { EventLog, StoredEvent } from "@palimpsest/core";
import type { Json } from "@palimpsest/core/events";
import { VERDICT_STREAM_PREFIX, windowStream } from "@palimpsest/core/events";
import type {
  KeptHeads,
  KeptVerdict,
  Reader,
  VerifyOptions,
  WindowReport,
} from "@palimpsest/verifier";
import { memoryHeads, verifyWindow } from "@palimpsest/verifier";

/** A store as data, so that a test can damage it in any way. */
export interface TestStore {
  readonly window: readonly StoredEvent[];
  readonly verdicts: readonly StoredEvent[];
  /** The head kept outside the store. */
  readonly kept?: KeptVerdict | undefined;
}

export const WINDOW = "w";

/** What the log holds of the window and of its verdicts. */
export async function storeOf(log: EventLog, kept?: KeptVerdict): Promise<TestStore> {
  const [window, verdicts] = [
    await eventsIn(log, windowStream(WINDOW)),
    await eventsIn(log, VERDICT_STREAM_PREFIX + WINDOW),
  ];
  return { window, verdicts, kept };
}

export async function eventsIn(log: Pick<EventLog, "read">, stream: string) {
  const events: StoredEvent[] = [];
  for await (const page of log.read(stream)) events.push(...page);
  return events;
}

/** Reads the store as any log is read. Revisions are what the events say. */
export function readerOfStore({ window, verdicts }: TestStore): Reader {
  return {
    guarantees: { appendOnly: "process", writersSeparated: "process" },
    async *read(stream, { from = 0, to = Number.POSITIVE_INFINITY } = {}) {
      const events = stream === windowStream(WINDOW) ? window : verdicts;
      yield events.filter(({ revision }) => revision >= from && revision <= to);
    },
    async head(stream) {
      return (stream === windowStream(WINDOW) ? window : verdicts).at(-1)?.revision;
    },
  };
}

export async function headsOf(store: TestStore): Promise<KeptHeads> {
  const heads = memoryHeads();
  if (store.kept !== undefined) await heads.put(WINDOW, store.kept);
  return heads;
}

export async function verified(
  store: TestStore,
  options: VerifyOptions = {},
): Promise<WindowReport> {
  const heads = store.kept === undefined ? {} : { heads: await headsOf(store) };
  return verifyWindow(readerOfStore(store), WINDOW, { ...heads, ...options });
}

/** Data of an event, whatever it is. */
export function dataOf(event: StoredEvent | undefined): Readonly<Record<string, Json>> {
  return (event?.data ?? {}) as Readonly<Record<string, Json>>;
}
