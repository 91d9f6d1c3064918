import shared from "@eventstore/db-client/generated/shared_pb.js";
import type { ReadReq } from "@eventstore/db-client/generated/streams_pb.js";
import streams from "@eventstore/db-client/generated/streams_pb.js";
import type { Position } from "./decode.ts";

const { Options } = streams.ReadReq;

/**
 * How many events the server looks through between two checkpoints of a filtered subscription; the
 * end of `$all` is never farther than that from what a follower knows.
 */
export const SEARCH_WINDOW = 512;

/** Up to `count` events of a stream from a revision, inclusive. */
export function streamFrom(stream: string, revision: number, count: number): ReadReq {
  const place = placeIn(stream).setRevision(String(revision));
  return request(reading(count).setStream(place));
}

/** The last event of a stream. */
export function lastOf(stream: string): ReadReq {
  const place = placeIn(stream).setEnd(new shared.Empty());
  return request(backwards(reading(1)).setStream(place));
}

/** Events of `$all` from its end backwards, so many. */
export function endOfAll(count: number): ReadReq {
  const place = new Options.AllOptions().setEnd(new shared.Empty());
  return request(backwards(reading(count)).setAll(place));
}

/** A subscription to what comes behind a revision: its start is exclusive, unlike a read's. */
export function streamAfter(stream: string, revision: number | undefined): ReadReq {
  const place = placeIn(stream);
  if (revision === undefined) place.setStart(new shared.Empty());
  else place.setRevision(String(revision));
  return request(following().setNoFilter(new shared.Empty()).setStream(place));
}

/** A subscription to the streams of a prefix, filtered by the server. */
export function prefixAfter(prefix: string, position: Position | undefined): ReadReq {
  const place = new Options.AllOptions();
  if (position === undefined) {
    place.setStart(new shared.Empty());
  } else {
    const exact = new Options.Position();
    exact.setCommitPosition(String(position.commit)).setPreparePosition(String(position.prepare));
    place.setPosition(exact);
  }
  const filter = filtered(new Options.FilterOptions(), "setStreamIdentifier", prefix);
  return request(following().setFilter(filter).setAll(place));
}

/** A subscription to all events of a type from the beginning, filtered by the server. */
export function typeFromStart(type: string): ReadReq {
  const place = new Options.AllOptions().setStart(new shared.Empty());
  const filter = filtered(new Options.FilterOptions(), "setEventType", type);
  return request(following().setFilter(filter).setAll(place));
}

function filtered(
  filter: InstanceType<typeof Options.FilterOptions>,
  by: "setStreamIdentifier" | "setEventType",
  prefix: string,
): InstanceType<typeof Options.FilterOptions> {
  filter[by](new Options.FilterOptions.Expression().setPrefixList([prefix]));
  return filter.setMax(SEARCH_WINDOW).setCheckpointintervalmultiplier(1);
}

function placeIn(stream: string): InstanceType<typeof Options.StreamOptions> {
  const name = new TextEncoder().encode(stream);
  const identifier = new shared.StreamIdentifier().setStreamName(name);
  return new Options.StreamOptions().setStreamIdentifier(identifier);
}

function reading(count: number): ReadReq.Options {
  return options().setCount(String(count)).setNoFilter(new shared.Empty());
}

function following(): ReadReq.Options {
  return options().setSubscription(new Options.SubscriptionOptions());
}

function options(): ReadReq.Options {
  const text = new Options.UUIDOption().setString(new shared.Empty());
  return new Options().setUuidOption(text).setResolveLinks(false);
}

function backwards(of: ReadReq.Options): ReadReq.Options {
  return of.setReadDirection(Options.ReadDirection.BACKWARDS);
}

function request(of: ReadReq.Options): ReadReq {
  return new streams.ReadReq().setOptions(of);
}
