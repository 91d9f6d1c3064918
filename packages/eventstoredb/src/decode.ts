import type { ReadResp } from "@eventstore/db-client/generated/streams_pb.js";
import type { Json } from "@palimpsest/core/events";
import type { StoredEvent } from "@palimpsest/core/log";
import { undecodableBytes } from "@palimpsest/core/log";

/** An event, its place in `$all`, and how much text it brought. */
export interface Received {
  readonly event: StoredEvent;
  readonly position: Position;
  readonly bytes: number;
}

/** A place in `$all`. */
export interface Position {
  readonly commit: bigint;
  readonly prepare: bigint;
}

/** The event in a message; undefined for a message of another kind. */
export function receivedIn(message: ReadResp): Received | undefined {
  const record = message.getEvent()?.getEvent();
  if (record === undefined) return undefined;
  const [data, metadata] = [record.getData_asU8(), record.getCustomMetadata_asU8()];
  const place = {
    stream: strict.decode(record.getStreamIdentifier()?.getStreamName_asU8()),
    revision: Number(record.getStreamRevision()),
    id: record.getId()?.getString() ?? "",
    type: record.getMetadataMap().get("type") ?? "",
  };
  return {
    event: { ...place, ...contentOf(data, metadata) },
    position: {
      commit: BigInt(record.getCommitPosition()),
      prepare: BigInt(record.getPreparePosition()),
    },
    bytes: data.length + metadata.length,
  };
}

const strict = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

type Content = Pick<StoredEvent, "data" | "metadata" | "undecodable">;

function contentOf(data: Uint8Array, metadata: Uint8Array): Content {
  try {
    // Other programs write events without metadata: that is not damage.
    return { data: parse(data), metadata: metadata.length === 0 ? null : parse(metadata) };
  } catch {
    return { data: null, metadata: null, undecodable: undecodableBytes(data, metadata) };
  }
}

function parse(bytes: Uint8Array): Json {
  return JSON.parse(strict.decode(bytes));
}
