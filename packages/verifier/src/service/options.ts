import type { SignerKey } from "../notes/key.ts";
import type { Verdict } from "../verdict/schema.ts";
import type { SessionOptions } from "../verify/session.ts";
import type { Scope } from "./scope.ts";

/** Where a verifier resumes, and the first event behind that place. */
export interface Checkpoint {
  /** Checkpoint of the log's subscription. */
  readonly after: string;
  /** Stream of the first event behind it: when another one stands there, all is read again. */
  readonly stream: string;
  /** Revision of that event in its stream. */
  readonly revision: number;
  /** Id of that event. */
  readonly id: string;
}

/** Where a verifier keeps its checkpoint. */
export interface Checkpoints {
  /** Undefined when none was saved. */
  load(): Promise<Checkpoint | undefined>;
  /** Takes the place of the checkpoint before. */
  save(checkpoint: Checkpoint): Promise<void>;
}

/** A verdict that was appended. */
export interface IssuedVerdict {
  /** The verdict as it is stored. */
  readonly verdict: Verdict;
  /** Its revision in the verdict stream. */
  readonly revision: number;
}

export interface VerifierOptions extends SessionOptions, Scope {
  /** Signs the verdicts. */
  readonly key: SignerKey;
  /**
   * The keys before it, the oldest one first: they vouch for it, once on each window. Default none.
   */
  readonly retired?: readonly SignerKey[];
  /** Where it resumes after a restart. Default: it reads the store from the beginning. */
  readonly checkpoints?: Checkpoints;
  /** Most events between two verdicts on a window. Default 1,000. */
  readonly every?: number;
  /** Milliseconds without an event after which a window gets a verdict. Default 200. */
  readonly quietMs?: number;
  /** Spans to probe in a second; 0 probes nothing. Default 200. */
  readonly probesPerSecond?: number;
  /** Most windows that are kept in memory. Default 256. */
  readonly maxWindows?: number;
  /** Check every window again of which a head is kept, in the background. Default true. */
  readonly recheck?: boolean;
  /** Called with every verdict; nothing more is read until its promise resolves. Default none. */
  readonly onVerdict?: (issued: IssuedVerdict) => unknown;
  /** The time that verdicts are stored with. Default: the time of the system. */
  readonly clock?: () => Date;
}

/** A verifier at work. */
export interface RunningVerifier {
  /** Resolves when it has stopped; rejects when the log fails or a verdict cannot be signed. */
  readonly done: Promise<void>;
  /** Resolves when it has caught up, every window has its verdict and nothing waits for a probe. */
  idle(): Promise<void>;
  /** Ends it after its present step; every verdict that was begun is appended. */
  stop(): Promise<void>;
  /**
   * The windows looked at so far whose last verdict is `violated`, even if an earlier run said it
   * or somebody has acknowledged it since. After `idle`: all such windows that it follows.
   */
  violated(): readonly string[];
}
