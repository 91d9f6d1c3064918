import type { ReadReq, ReadResp } from "@eventstore/db-client/generated/streams_pb.js";
import type { ServerWritableStream } from "@grpc/grpc-js";

export type ReadCall = ServerWritableStream<ReadReq, ReadResp>;

/** Writes a message, and waits while the client takes no more of them. */
export async function send(call: ReadCall, message: ReadResp): Promise<void> {
  if (call.write(message) || call.cancelled) return;
  await new Promise<void>((resolve) => {
    const go = (): void => {
      call.off("drain", go);
      call.off("cancelled", go);
      resolve();
    };
    call.on("drain", go);
    call.on("cancelled", go);
  });
}
