import { streamDeleted } from "./failures.ts";
import { eventMessage, nameOf, notFoundMessage } from "./messages.ts";
import { admit, demand, failureOf, HalfClose } from "./node.ts";
import { send } from "./send.ts";
import { subscribe } from "./subscription.ts";
/** Reads and subscriptions are one call of the protocol; an option tells them apart. */
export function readHandler(node) {
  return async (call) => {
    try {
      const options = call.request.getOptions();
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
async function read(node, call, options) {
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
function ofStream({ database }, options) {
  const place = options.getStream();
  const stream = nameOf(place);
  const last = database.lastRevision(stream);
  if (last === undefined || database.isSoftlyDeleted(stream)) return undefined;
  const backwards = options.getReadDirection() === 1;
  const start = place?.hasEnd() ? last : place?.hasStart() ? 0 : Number(place?.getRevision());
  return backwards ? downFrom(Math.min(start, last)) : upFrom(start, last);
  function* upFrom(from, to) {
    for (let revision = from; revision <= to; revision += 1) yield* at(revision);
  }
  function* downFrom(from) {
    for (let revision = from; revision >= 0; revision -= 1) yield* at(revision);
  }
  function at(revision) {
    const record = database.record(stream, revision);
    return record === undefined ? [] : [record];
  }
}
/** Forwards from a position inclusive, backwards from before it. */
function* ofAll({ database }, options) {
  const place = options.getAll();
  const position = Number(place?.getPosition()?.getCommitPosition() ?? 0);
  const { all } = database;
  const index = place?.hasEnd()
    ? all.length
    : place?.hasStart()
      ? 0
      : database.indexAfter(position - 1);
  if (options.getReadDirection() === 1) {
    for (let at = index - 1; at >= 0; at -= 1) yield all[at];
  } else {
    for (let at = index; at < all.length; at += 1) yield all[at];
  }
}
//# sourceMappingURL=read-service.js.map
