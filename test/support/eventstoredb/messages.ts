import shared from "@eventstore/db-client/generated/shared_pb.js";
import type {
  AppendReq,
  AppendResp,
  BatchAppendReq,
  BatchAppendResp,
  DeleteReq,
  ReadResp,
  TombstoneReq,
} from "@eventstore/db-client/generated/streams_pb.js";
import streams from "@eventstore/db-client/generated/streams_pb.js";
import type { Expected, Proposed, Recorded, WriteResult } from "./database.ts";
import { streamDeleted } from "./failures.ts";

/* Between the messages of the protocol and the records of the double. */

type Named = { getStreamIdentifier(): ReturnType<AppendReq.Options["getStreamIdentifier"]> };
type WriteOptions = AppendReq.Options | DeleteReq.Options | TombstoneReq.Options;
type EventMessage = AppendReq.ProposedMessage | BatchAppendReq.ProposedMessage;
type Written = Exclude<WriteResult, { kind: "deleted" }>;

export function nameOf(options: Named | undefined): string {
  const name = options?.getStreamIdentifier()?.getStreamName() ?? "";
  return typeof name === "string"
    ? Buffer.from(name, "base64").toString()
    : Buffer.from(name).toString();
}

export function expectedOf(options: WriteOptions | undefined): Expected {
  if (options?.hasRevision()) return Number(options.getRevision());
  if (options?.hasNoStream()) return "no-stream";
  return options?.hasStreamExists() ? "stream-exists" : "any";
}

export function batchExpectedOf(options: BatchAppendReq.Options | undefined): Expected {
  if (options?.hasStreamPosition()) return Number(options.getStreamPosition());
  if (options?.hasNoStream()) return "no-stream";
  return options?.hasStreamExists() ? "stream-exists" : "any";
}

export function proposed(message: EventMessage | undefined): Proposed {
  if (message === undefined) throw new Error("a message without an event");
  return {
    id: message.getId()?.getString() ?? "",
    type: message.getMetadataMap().get("type") ?? "",
    contentType: message.getMetadataMap().get("content-type") ?? "",
    data: message.getData_asU8(),
    metadata: message.getCustomMetadata_asU8(),
  };
}

/** What the server counts against its limit (Event.SizeOnDisk): types are stored as UTF-16. */
export function sizeOf(events: readonly Proposed[]): number {
  return events.reduce(
    (sum, { data, metadata, type }) => sum + data.length + metadata.length + 2 * type.length,
    0,
  );
}

export function appended(stream: string, result: WriteResult): AppendResp {
  const response = new streams.AppendResp();
  if (result.kind === "deleted") throw streamDeleted(stream);
  if (result.kind === "written") {
    const position = new streams.AppendResp.Position();
    position.setCommitPosition(String(result.position));
    position.setPreparePosition(String(result.position));
    const success = new streams.AppendResp.Success();
    success.setCurrentRevision(String(result.revision));
    success.setPosition(position);
    return response.setSuccess(success);
  }
  const wrong = new streams.AppendResp.WrongExpectedVersion();
  if (result.current === undefined) wrong.setCurrentNoStream(new shared.Empty());
  else wrong.setCurrentRevision(String(result.current));
  return response.setWrongExpectedVersion(wrong);
}

/** Refusals in a batch carry a packed message on a real server; the double ends the call. */
export function batchAppended(
  stream: string,
  options: BatchAppendReq.Options | undefined,
  result: Written,
): BatchAppendResp {
  if (result.kind !== "written") throw new Error(`wrong expected version of ${stream}`);
  const success = new streams.BatchAppendResp.Success();
  success.setCurrentRevision(String(result.revision));
  const response = new streams.BatchAppendResp().setSuccess(success);
  const identifier = options?.getStreamIdentifier();
  return identifier === undefined ? response : response.setStreamIdentifier(identifier);
}

export function eventMessage(record: Recorded): ReadResp {
  const event = new streams.ReadResp.ReadEvent.RecordedEvent();
  event.setId(new shared.UUID().setString(record.id));
  event.setStreamIdentifier(identifierOf(record.stream));
  event.setStreamRevision(String(record.revision));
  event.setCommitPosition(String(record.position));
  event.setPreparePosition(String(record.position));
  event.getMetadataMap().set("type", record.type);
  event.getMetadataMap().set("content-type", record.contentType);
  event.getMetadataMap().set("created", record.created);
  event.setCustomMetadata(record.metadata);
  event.setData(record.data);
  const read = new streams.ReadResp.ReadEvent();
  read.setEvent(event);
  read.setCommitPosition(String(record.position));
  return new streams.ReadResp().setEvent(read);
}

export function notFoundMessage(stream: string): ReadResp {
  const notFound = new streams.ReadResp.StreamNotFound();
  notFound.setStreamIdentifier(identifierOf(stream));
  return new streams.ReadResp().setStreamNotFound(notFound);
}

export function confirmationMessage(): ReadResp {
  const confirmation = new streams.ReadResp.SubscriptionConfirmation();
  return new streams.ReadResp().setConfirmation(
    confirmation.setSubscriptionId(crypto.randomUUID()),
  );
}

export function caughtUpMessage(): ReadResp {
  return new streams.ReadResp().setCaughtUp(new streams.ReadResp.CaughtUp());
}

export function fellBehindMessage(): ReadResp {
  return new streams.ReadResp().setFellBehind(new streams.ReadResp.FellBehind());
}

export function checkpointMessage(position: number): ReadResp {
  const checkpoint = new streams.ReadResp.Checkpoint();
  checkpoint.setCommitPosition(String(position));
  checkpoint.setPreparePosition(String(position));
  return new streams.ReadResp().setCheckpoint(checkpoint);
}

function identifierOf(stream: string) {
  return new shared.StreamIdentifier().setStreamName(Uint8Array.from(Buffer.from(stream)));
}
