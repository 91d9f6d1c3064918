import type { ReadReq, ReadResp } from "@eventstore/db-client/generated/streams_pb.js";
import type { handleServerStreamingCall } from "@grpc/grpc-js";
import type { Recorded } from "./database.ts";
import { streamDeleted } from "./failures.ts";
import { eventMessage, nameOf, notFoundMessage } from "./messages.ts";
import type { DoubleNode } from "./node.ts";
import { admit, demand, failureOf, HalfClose } from "./node.ts";
import type { ReadCall } from "./send.ts";
import { send } from "./send.ts";
import { subscribe } from "./subscription.ts";

/** Reads and subscriptions are one call of the protocol; an option tells them apart. */
export function readHandler(node: DoubleNode): handleServerStreamingCall<ReadReq, ReadResp> {
  return async (call) => {
    try {
      const options = call.request.getOptions() as ReadReq.Options;
      const isSubscription = options.hasSubscription();
      const caller = await admit(node, isSubscription ? "subscribe" : "read", call.metadata);
      const stream = options.hasAll() ? "$all" : nameOf(options.getStream());
      demand(node, caller, stream, "$r");
      if (node.database.isTombstoned(stream)) throw streamDeleted(stream);
      if (isSubscription) await subscribe(node, call, options);
      else await read(node, call, options);
      call.end();
    } catch (error) {
      if (error instanceof HalfClose) call.end();
      else call.emit("error", failureOf(error));
    }
  };
}

async function read(node: DoubleNode, call: ReadCall, options: ReadReq.Options): Promise<void> {
  const records = options.hasAll() ? ofAll(node, options) : ofStream(node, options);
  if (records === undefined) {
    call.write(notFoundMessage(nameOf(options.getStream())));
    return;
  }
  let left = BigInt(options.getCount());
  for (const record of records) {
    if (left-- <= 0n || call.cancelled) return;
    await send(call, eventMessage(record));
  }
}

function ofStream(
  { database }: DoubleNode,
  options: ReadReq.Options,
): Iterable<Recorded> | undefined {
  const place = options.getStream();
  const stream = nameOf(place);
  const last = database.lastRevision(stream);
  if (last === undefined || database.isSoftlyDeleted(stream)) return undefined;
  const backwards = options.getReadDirection() === 1;
  const start = place?.hasEnd() ? last : place?.hasStart() ? 0 : Number(place?.getRevision());
  return backwards ? downFrom(Math.min(start, last)) : upFrom(start, last);

  function* upFrom(from: number, to: number): Generator<Recorded> {
    for (let revision = from; revision <= to; revision += 1) yield* at(revision);
  }
  function* downFrom(from: number): Generator<Recorded> {
    for (let revision = from; revision >= 0; revision -= 1) yield* at(revision);
  }
  function at(revision: number): Recorded[] {
    const record = database.record(stream, revision);
    return record === undefined ? [] : [record];
  }
}

/** Forwards from a position inclusive, backwards from before it. */
function* ofAll({ database }: DoubleNode, options: ReadReq.Options): Generator<Recorded> {
  const place = options.getAll();
  const position = Number(place?.getPosition()?.getCommitPosition() ?? 0);
  const { all } = database;
  const index = place?.hasEnd()
    ? all.length
    : place?.hasStart()
      ? 0
      : database.indexAfter(position - 1);
  if (options.getReadDirection() === 1) {
    for (let at = index - 1; at >= 0; at -= 1) yield all[at] as Recorded;
  } else {
    for (let at = index; at < all.length; at += 1) yield all[at] as Recorded;
  }
}
