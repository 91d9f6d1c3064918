import type { ReadReq } from "@eventstore/db-client/generated/streams_pb.js";
import type { SubscriptionTarget } from "@palimpsest/core/log";
import type { Connection } from "./connection.ts";
import type { Position, Received } from "./decode.ts";
import { headOf, readEach } from "./read.ts";
import { endOfAll, prefixAfter, SEARCH_WINDOW, streamAfter } from "./requests.ts";

/** One way to follow: where it is, and how to go on from there. */
export interface Followed {
  /** The subscription that continues behind what was delivered. */
  request(): ReadReq;
  /** Takes note of an event that is delivered. */
  advance(received: Received): void;
  /** Takes note that the server looked through everything up to a position. */
  passed(position: Position): void;
  /** What resumes here; undefined at the very beginning. */
  readonly checkpoint: string | undefined;
  /** Asks the server whether anything is stored behind what was delivered. */
  isAtEnd(): Promise<boolean>;
}

/** Throws a TypeError for a checkpoint of another kind. */
export function follow(
  connection: Connection,
  target: SubscriptionTarget,
  after: string | undefined,
): Followed {
  return "stream" in target
    ? followStream(connection, target.stream, after)
    : followPrefix(connection, target.prefix, after);
}

/** A checkpoint of a stream is its revision in decimal digits. */
function followStream(connection: Connection, stream: string, after: string | undefined): Followed {
  let revision = after === undefined ? undefined : Number(matched(/^(\d{1,15})$/, after)[1]);
  return {
    request: () => streamAfter(stream, revision),
    advance: ({ event }) => {
      revision = event.revision;
    },
    passed: () => {},
    get checkpoint() {
      return revision === undefined ? undefined : String(revision);
    },
    isAtEnd: async () => ((await headOf(connection, stream)) ?? -1) <= (revision ?? -1),
  };
}

/** A checkpoint of a prefix is a position: its commit part, and the prepare part if it differs. */
function followPrefix(connection: Connection, prefix: string, after: string | undefined): Followed {
  let position = after === undefined ? undefined : positionOf(after);
  return {
    request: () => prefixAfter(prefix, position),
    advance: (received) => {
      position = received.position;
    },
    passed: (to) => {
      position = to;
    },
    get checkpoint() {
      if (position === undefined) return undefined;
      const { commit, prepare } = position;
      return commit === prepare ? String(commit) : `${commit}/${prepare}`;
    },
    isAtEnd: () => isLastOf(connection, prefix, position?.commit ?? -1n),
  };
}

/**
 * Looks at the end of `$all` backwards: mostly one event tells. The server's checkpoints keep what
 * is known within one search window of the end; whoever is further behind has not caught up.
 */
async function isLastOf(
  connection: Connection,
  prefix: string,
  position: bigint,
): Promise<boolean> {
  for (const count of [1, 2 * SEARCH_WINDOW]) {
    let answer: boolean | undefined;
    let looked = 0;
    await readEach(connection, endOfAll(count), "find the end of $all", (received) => {
      if (received === undefined) {
        answer = undefined;
        looked = 0;
        return true;
      }
      looked += 1;
      if (received.position.commit <= position) answer = true;
      else if (received.event.stream.startsWith(prefix)) answer = false;
      return answer === undefined;
    });
    if (answer !== undefined) return answer;
    if (looked < count) return true;
  }
  return false;
}

function positionOf(after: string): Position {
  const [, commit = "", prepare = commit] = matched(/^(\d{1,20})(?:\/(\d{1,20}))?$/, after);
  return { commit: BigInt(commit), prepare: BigInt(prepare) };
}

function matched(shape: RegExp, after: string): RegExpExecArray {
  const match = shape.exec(after);
  if (match === null)
    throw new TypeError(`${JSON.stringify(after)} is not a checkpoint of this log`);
  return match;
}
