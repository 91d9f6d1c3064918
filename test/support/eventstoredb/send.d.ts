import type { ReadReq, ReadResp } from "@eventstore/db-client/generated/streams_pb.js";
import type { ServerWritableStream } from "@grpc/grpc-js";
export type ReadCall = ServerWritableStream<ReadReq, ReadResp>;
/** Writes a message, and waits while the client takes no more of them. */
export declare function send(call: ReadCall, message: ReadResp): Promise<void>;
//# sourceMappingURL=send.d.ts.map
