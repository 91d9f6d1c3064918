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
import type { DoubleNode } from "./node.ts";
/** One append of one call: the options first, then a message for each event. */
export declare function appendHandler(
  node: DoubleNode,
): handleClientStreamingCall<AppendReq, AppendResp>;
/** Many appends on one call, told apart by correlation ids. */
export declare function batchAppendHandler(
  node: DoubleNode,
): handleBidiStreamingCall<BatchAppendReq, BatchAppendResp>;
/** Soft deletion, or a tombstone. */
export declare function deleteHandler<Response>(
  node: DoubleNode,
  hard: boolean,
  response: () => Response,
): handleUnaryCall<DeleteReq | TombstoneReq, Response>;
//# sourceMappingURL=append-service.d.ts.map
