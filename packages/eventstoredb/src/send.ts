import shared from "@eventstore/db-client/generated/shared_pb.js";
import type { StreamsClient } from "@eventstore/db-client/generated/streams_grpc_pb.js";
import type { AppendReq } from "@eventstore/db-client/generated/streams_pb.js";
import streams from "@eventstore/db-client/generated/streams_pb.js";
import type { SerializedEvent } from "@palimpsest/core/log";

type ReadParameters = Parameters<StreamsClient["read"]>;

/** What every call of the protocol is made with: its headers, and credentials and deadline. */
export type CallArguments = [NonNullable<ReadParameters[1]>, NonNullable<ReadParameters[2]>];

export type SentExpectation = number | "no-stream" | "any";

/** The head is not where it was expected; has the shape of the client's own error. */
class WrongRevision extends Error {
  readonly type = "wrong-expected-version";
  readonly actualVersion: bigint | "no_stream";
  constructor(actualVersion: bigint | "no_stream") {
    super(`the stream is at revision ${actualVersion}`);
    this.actualVersion = actualVersion;
  }
}

/**
 * One append on the unary path; gives the revision of its last event. The client's own function
 * would parse and write the JSON once more, and take it through base64 in a loop over characters,
 * which makes seconds of a few megabytes.
 */
export function sendAppend(
  client: StreamsClient,
  args: CallArguments,
  stream: string,
  events: readonly SerializedEvent[],
  expected: SentExpectation,
): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const sink = client.append(...args, (error, response) => {
    if (error !== null) return reject(error);
    const wrong = response.getWrongExpectedVersion();
    if (wrong !== undefined) {
      const current = wrong.hasCurrentRevision() ? BigInt(wrong.getCurrentRevision()) : "no_stream";
      return reject(new WrongRevision(current));
    }
    resolve(Number(response.getSuccess()?.getCurrentRevision()));
  });
  sink.on("error", reject);
  sink.write(header(stream, expected));
  for (const event of events) sink.write(proposal(event));
  sink.end();
  return promise;
}

const utf8 = new TextEncoder();

function header(stream: string, expected: SentExpectation): AppendReq {
  const name = new shared.StreamIdentifier().setStreamName(utf8.encode(stream));
  const options = new streams.AppendReq.Options().setStreamIdentifier(name);
  if (expected === "any") options.setAny(new shared.Empty());
  else if (expected === "no-stream") options.setNoStream(new shared.Empty());
  else options.setRevision(String(expected));
  return new streams.AppendReq().setOptions(options);
}

function proposal({ id, type, data, metadata }: SerializedEvent): AppendReq {
  const message = new streams.AppendReq.ProposedMessage();
  message.setId(new shared.UUID().setString(id));
  message.getMetadataMap().set("type", type).set("content-type", "application/json");
  message.setData(utf8.encode(data)).setCustomMetadata(utf8.encode(metadata));
  return new streams.AppendReq().setProposedMessage(message);
}
