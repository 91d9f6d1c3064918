import { WINDOW_STREAM_PREFIX, windowStream } from "@palimpsest/core/events";
import { sha256Hex } from "#platform";

/** One of several parts of all windows. */
export interface Part {
  /** Which part, counted from 1. */
  readonly number: number;
  /** How many parts there are. */
  readonly of: number;
}

/** Which windows of a store a verifier looks at: those to which all of this applies. */
export interface Scope {
  /** This window only. Default: every window. */
  readonly window?: string;
  /** Windows whose id begins with this; the store picks them out. Default: every window. */
  readonly prefix?: string;
  /**
   * One part of several. Each process is sent the events of all parts and checks its own. Default:
   * all parts.
   */
  readonly part?: Part;
}

/** Throws a RangeError for a part that does not exist. */
export function checkScope({ part }: Scope): void {
  if (part === undefined) return;
  const { number, of } = part;
  const isPart = Number.isSafeInteger(of) && Number.isSafeInteger(number);
  if (isPart && number >= 1 && number <= of) return;
  throw new RangeError(`there is no part ${number} of ${of}`);
}

/** What such a verifier subscribes to. */
export function targetOf({ window, prefix = "" }: Scope) {
  if (window !== undefined) return { stream: windowStream(window) };
  return { prefix: WINDOW_STREAM_PREFIX + prefix };
}

/**
 * Whether a window is in the scope. Its part follows from the SHA-256 of its id alone: each window
 * is in one part, whoever asks and whatever other windows there are.
 */
export function isWithin({ window, prefix = "", part }: Scope, id: string): boolean {
  if (window !== undefined && window !== id) return false;
  if (!id.startsWith(prefix)) return false;
  return part === undefined || leadingBits(id) % part.of === part.number - 1;
}

/** The first 32 bits of the SHA-256 of the id. */
function leadingBits(id: string): number {
  return Number.parseInt(sha256Hex(id).slice(0, 8), 16);
}
