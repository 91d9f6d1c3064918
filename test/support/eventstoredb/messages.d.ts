import type {
  AppendReq,
  AppendResp,
  BatchAppendReq,
  BatchAppendResp,
  DeleteReq,
  ReadResp,
  TombstoneReq,
} from "@eventstore/db-client/generated/streams_pb.js";
import type { Expected, Proposed, Recorded, WriteResult } from "./database.ts";

type Named = {
  getStreamIdentifier(): ReturnType<AppendReq.Options["getStreamIdentifier"]>;
};
type WriteOptions = AppendReq.Options | DeleteReq.Options | TombstoneReq.Options;
type EventMessage = AppendReq.ProposedMessage | BatchAppendReq.ProposedMessage;
type Written = Exclude<
  WriteResult,
  {
    kind: "deleted";
  }
>;
export declare function nameOf(options: Named | undefined): string;
export declare function expectedOf(options: WriteOptions | undefined): Expected;
export declare function batchExpectedOf(options: BatchAppendReq.Options | undefined): Expected;
export declare function proposed(message: EventMessage | undefined): Proposed;
/** What the server counts against its limit (Event.SizeOnDisk): types are stored as UTF-16. */
export declare function sizeOf(events: readonly Proposed[]): number;
export declare function appended(stream: string, result: WriteResult): AppendResp;
/** Refusals in a batch carry a packed message on a real server; the double ends the call. */
export declare function batchAppended(
  stream: string,
  options: BatchAppendReq.Options | undefined,
  result: Written,
): BatchAppendResp;
export declare function eventMessage(record: Recorded): ReadResp;
export declare function notFoundMessage(stream: string): ReadResp;
export declare function confirmationMessage(): ReadResp;
export declare function caughtUpMessage(): ReadResp;
export declare function checkpointMessage(position: number): ReadResp;
//# sourceMappingURL=messages.d.ts.map
