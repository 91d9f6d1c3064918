import type { ReadReq, ReadResp } from "@eventstore/db-client/generated/streams_pb.js";
import type { Recorded } from "./database.ts";
import {
  caughtUpMessage,
  checkpointMessage,
  confirmationMessage,
  eventMessage,
  fellBehindMessage,
  nameOf,
} from "./messages.ts";
import type { DoubleNode } from "./node.ts";
import { meet } from "./node.ts";
import type { ReadCall } from "./send.ts";
import { send } from "./send.ts";

/** How many events the server looks through between two checkpoints when nothing else is said. */
const DEFAULT_SEARCH_WINDOW = 32;

/** Confirms, sends what is stored, says `caughtUp`, then sends what comes, until it is ended. */
export async function subscribe(
  node: DoubleNode,
  call: ReadCall,
  options: ReadReq.Options,
): Promise<void> {
  const source = options.hasAll() ? ofAll(node, options) : ofStream(node, options);
  let wake = (): void => {};
  const stopListening = node.database.onWrite(() => wake());
  call.once("cancelled", () => wake());
  node.counts.subscriptions += 1;
  try {
    await send(call, confirmationMessage());
    let caughtUp = false;
    while (!call.cancelled) {
      if ((await meet(node, "subscribe", "after")) === "fall-behind") {
        await send(call, fellBehindMessage());
        caughtUp = false;
      }
      const messages = source.next();
      for (const message of messages) {
        await send(call, message);
        node.counts.sent += 1;
        if (call.cancelled) return;
      }
      if (messages.length > 0) continue;
      if (!caughtUp && source.saysCaughtUp()) await send(call, caughtUpMessage());
      caughtUp = true;
      // What was written while `caughtUp` was on its way woke nobody: look again before waiting.
      const late = source.next();
      for (const message of late) await send(call, message);
      if (late.length > 0 || call.cancelled) continue;
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  } finally {
    stopListening();
    node.counts.subscriptions -= 1;
  }
}

interface Source {
  /** The messages that come next, at most a few; none when all was sent. */
  next(): readonly ReadResp[];
  saysCaughtUp(): boolean;
}

/** A stream from behind a revision: the start of a subscription is exclusive. */
function ofStream(node: DoubleNode, options: ReadReq.Options): Source {
  const place = options.getStream();
  const stream = nameOf(place);
  const last = node.database.lastRevision(stream) ?? -1;
  let next = place?.hasEnd() ? last + 1 : place?.hasStart() ? 0 : Number(place?.getRevision()) + 1;
  return {
    next() {
      const head = node.database.lastRevision(stream) ?? -1;
      next = Math.max(next, node.database.firstReadable(stream));
      if (next > head) return [];
      const record = node.database.record(stream, next++);
      return record === undefined ? [] : [eventMessage(record)];
    },
    saysCaughtUp: () => node.catchesUpOnNothing || node.database.lastRevision(stream) !== undefined,
  };
}

/** `$all` from behind a position, filtered, with a checkpoint after so many events looked at. */
function ofAll({ database }: DoubleNode, options: ReadReq.Options): Source {
  const place = options.getAll();
  const matches = filterOf(options);
  const interval = intervalOf(options);
  let index = place?.hasEnd()
    ? database.all.length
    : place?.hasStart()
      ? 0
      : database.indexAfter(Number(place?.getPosition()?.getCommitPosition()));
  let looked = 0;
  return {
    next() {
      for (; index < database.all.length; ) {
        const record = database.all[index++] as Recorded;
        const messages = matches(record) ? [eventMessage(record)] : [];
        looked += 1;
        if (interval !== undefined && looked % interval === 0) {
          messages.push(checkpointMessage(record.position));
        }
        if (messages.length > 0) return messages;
      }
      return [];
    },
    saysCaughtUp: () => true,
  };
}

function filterOf(options: ReadReq.Options): (record: Recorded) => boolean {
  const filter = options.getFilter();
  if (filter === undefined) return () => true;
  const onStream = filter.getStreamIdentifier();
  const expression = onStream ?? filter.getEventType();
  const prefixes = expression?.getPrefixList() ?? [];
  const regex = new RegExp(expression?.getRegex() ?? "");
  return (record) => {
    const text = onStream === undefined ? record.type : record.stream;
    if (prefixes.length > 0) return prefixes.some((prefix) => text.startsWith(prefix));
    return regex.test(text);
  };
}

function intervalOf(options: ReadReq.Options): number | undefined {
  const filter = options.getFilter();
  if (filter === undefined) return undefined;
  const window = filter.hasMax() ? filter.getMax() : DEFAULT_SEARCH_WINDOW;
  return Math.max(1, window * filter.getCheckpointintervalmultiplier());
}
