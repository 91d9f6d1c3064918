import type {
  AppendReq,
  AppendResp,
  BatchAppendReq,
  BatchAppendResp,
  DeleteReq,
  TombstoneReq,
} from "@eventstore/db-client/generated/streams_pb.js";
import type {
  handleBidiStreamingCall,
  handleClientStreamingCall,
  handleUnaryCall,
} from "@grpc/grpc-js";
import type { WriteResult } from "./database.ts";
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
import type { DoubleNode } from "./node.ts";
import { admit, demand, failureOf, meet } from "./node.ts";

/** One append of one call: the options first, then a message for each event. */
export function appendHandler(node: DoubleNode): handleClientStreamingCall<AppendReq, AppendResp> {
  return async (call, answer) => {
    try {
      const caller = await admit(node, "append", call.metadata);
      const requests: AppendReq[] = [];
      for await (const request of call as AsyncIterable<AppendReq>) requests.push(request);
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
export function batchAppendHandler(
  node: DoubleNode,
): handleBidiStreamingCall<BatchAppendReq, BatchAppendResp> {
  return (call) => {
    // One after another. Not `for await`: leaving that would end the call before its status.
    let turn = Promise.resolve();
    let options: BatchAppendReq.Options | undefined;
    let messages: BatchAppendReq.ProposedMessage[] = [];
    const handle = async (request: BatchAppendReq): Promise<void> => {
      options = request.getOptions() ?? options;
      messages.push(...request.getProposedMessagesList());
      if (!request.getIsFinal()) return;
      const events = messages.map(proposed);
      messages = [];
      const caller = await admit(node, "batchAppend", call.metadata);
      const stream = nameOf(options);
      demand(node, caller, stream, "$w");
      const written = node.database.append(stream, batchExpectedOf(options), events);
      node.counts.batchAppends += 1;
      await meet(node, "batchAppend", "after");
      const response = batchAppended(stream, options, existing(stream, written));
      call.write(response.setCorrelationId(request.getCorrelationId()));
    };
    call.on("data", (request: BatchAppendReq) => {
      turn = turn.then(() => handle(request));
      turn.catch((error: unknown) => call.emit("error", failureOf(error)));
    });
    call.on("end", () => call.end());
  };
}

/** Soft deletion, or a tombstone. */
export function deleteHandler<Response>(
  node: DoubleNode,
  hard: boolean,
  response: () => Response,
): handleUnaryCall<DeleteReq | TombstoneReq, Response> {
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

function existing(stream: string, result: WriteResult): Exclude<WriteResult, { kind: "deleted" }> {
  if (result.kind === "deleted") throw streamDeleted(stream);
  return result;
}
