import { streamDeleted, tooLarge } from "./failures.ts";
import {
  appended,
  batchAppended,
  batchExpectedOf,
  expectedOf,
  nameOf,
  proposed,
  sizeOf,
} from "./messages.ts";
import { admit, demand, failureOf, meet } from "./node.ts";
/** One append of one call: the options first, then a message for each event. */
export function appendHandler(node) {
  return async (call, answer) => {
    try {
      const caller = await admit(node, "append", call.metadata);
      const requests = [];
      for await (const request of call) requests.push(request);
      const options = requests[0]?.getOptions();
      const stream = nameOf(options);
      demand(node, caller, stream, "$w");
      const events = requests.slice(1).map((request) => proposed(request.getProposedMessage()));
      if (sizeOf(events) > node.maxAppendSize) throw tooLarge(node.maxAppendSize);
      const result = node.database.append(stream, expectedOf(options), events);
      node.counts.appends += 1;
      await meet(node, "append", "after");
      answer(null, appended(stream, result));
    } catch (error) {
      answer(failureOf(error));
    }
  };
}
/** Many appends on one call, told apart by correlation ids. */
export function batchAppendHandler(node) {
  return async (call) => {
    try {
      const caller = await admit(node, "batchAppend", call.metadata);
      let options;
      let messages = [];
      for await (const request of call) {
        options = request.getOptions() ?? options;
        messages.push(...request.getProposedMessagesList());
        if (!request.getIsFinal()) continue;
        const stream = nameOf(options);
        demand(node, caller, stream, "$w");
        const events = messages.map(proposed);
        const result = existing(
          stream,
          node.database.append(stream, batchExpectedOf(options), events),
        );
        node.counts.batchAppends += 1;
        await meet(node, "batchAppend", "after");
        const response = batchAppended(stream, options, result);
        call.write(response.setCorrelationId(request.getCorrelationId()));
        messages = [];
      }
      call.end();
    } catch (error) {
      call.emit("error", failureOf(error));
    }
  };
}
/** Soft deletion, or a tombstone. */
export function deleteHandler(node, hard, response) {
  return async (call, answer) => {
    try {
      const caller = await admit(node, "append", call.metadata);
      const options = call.request.getOptions();
      const stream = nameOf(options);
      demand(node, caller, stream, "$d");
      const expected = expectedOf(options);
      if (expected !== "any" && expected !== (node.database.lastRevision(stream) ?? "no-stream")) {
        throw new Error("WrongExpectedVersion");
      }
      if (hard) node.database.tombstone(stream);
      else node.database.deleteSoftly(stream);
      answer(null, response());
    } catch (error) {
      answer(failureOf(error));
    }
  };
}
function existing(stream, result) {
  if (result.kind === "deleted") throw streamDeleted(stream);
  return result;
}
//# sourceMappingURL=append-service.js.map
