import type { StoredEvent, SubscriptionMessage } from "../log/port.ts";

/** How long a test waits for something that should come at once. */
const PATIENCE_MS = 20_000;

export type Messages = AsyncIterator<SubscriptionMessage>;

/** The next message, or an error that says what was waited for. */
export async function nextMessage(messages: Messages, what: string): Promise<SubscriptionMessage> {
  const result = await within(messages.next(), what);
  if (result.done) throw new Error(`the subscription ended; waited for ${what}`);
  return result.value;
}

/** Events until `enough`, with the checkpoints they came with. */
export async function collect(
  messages: Messages,
  enough: (events: readonly StoredEvent[]) => boolean,
): Promise<{ events: StoredEvent[]; checkpoints: string[] }> {
  const events: StoredEvent[] = [];
  const checkpoints: string[] = [];
  while (!enough(events)) {
    const message = await nextMessage(messages, `more than ${events.length} events`);
    if (message.kind === "caught-up") continue;
    events.push(...message.events);
    checkpoints.push(message.checkpoint);
  }
  return { events, checkpoints };
}

/** Passes events by until the subscription says that it has caught up. */
export async function catchUp(messages: Messages): Promise<StoredEvent[]> {
  const events: StoredEvent[] = [];
  for (;;) {
    const message = await nextMessage(messages, "`caught-up`");
    if (message.kind === "caught-up") return events;
    events.push(...message.events);
  }
}

/** Rejects when `promise` takes longer than a test may wait. */
export async function within<Value>(promise: Promise<Value>, what: string): Promise<Value> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`waited too long for ${what}`)), PATIENCE_MS);
  });
  try {
    return await Promise.race([promise, timeout]);
  } finally {
    clearTimeout(timer);
  }
}

export function revisionOf({ revision }: Pick<StoredEvent, "revision">): number {
  return revision;
}
