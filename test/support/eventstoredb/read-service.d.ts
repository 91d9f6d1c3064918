import type { ReadReq, ReadResp } from "@eventstore/db-client/generated/streams_pb.js";
import type { handleServerStreamingCall } from "@grpc/grpc-js";
import type { DoubleNode } from "./node.ts";
/** Reads and subscriptions are one call of the protocol; an option tells them apart. */
export declare function readHandler(node: DoubleNode): handleServerStreamingCall<ReadReq, ReadResp>;
//# sourceMappingURL=read-service.d.ts.map
