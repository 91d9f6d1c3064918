import type { ReadReq } from "@eventstore/db-client/generated/streams_pb.js";
import type { DoubleNode } from "./node.ts";
import type { ReadCall } from "./send.ts";
/** Confirms, sends what is stored, says `caughtUp`, then sends what comes, until it is ended. */
export declare function subscribe(
  node: DoubleNode,
  call: ReadCall,
  options: ReadReq.Options,
): Promise<void>;
//# sourceMappingURL=subscription.d.ts.map
