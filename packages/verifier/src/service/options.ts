import type { SignerKey } from "../notes/key.ts";
import type { Verdict } from "../verdict/schema.ts";
import type { SessionOptions } from "../verify/session.ts";
import type { Scope } from "./scope.ts";

/** Where a verifier resumes. */
export interface Checkpoint {
  /** Checkpoint of the log's subscription. */
  readonly after: string;
  /** The first event behind it: when another one stands there, all is read again. */
  readonly stream: string;
  readonly revision: number;
  readonly id: string;
}

export interface Checkpoints {
  load(): Promise<Checkpoint | undefined>;
  save(checkpoint: Checkpoint): Promise<void>;
}

/** A verdict that was appended. */
export interface IssuedVerdict {
  readonly verdict: Verdict;
  /** Its revision in the verdict stream. */
  readonly revision: number;
}

export interface VerifierOptions extends SessionOptions, Scope {
  readonly key: SignerKey;
  /** The keys before it, the oldest one first: they vouch for it, once on each window. */
  readonly retired?: readonly SignerKey[];
  readonly checkpoints?: Checkpoints;
  /** Most events between two verdicts on a window. Default 1,000. */
  readonly every?: number;
  /** A window without events for so long gets a verdict, in milliseconds. Default 200. */
  readonly quietMs?: number;
  /** Spans to probe in a second; 0 probes nothing. Default 200. */
  readonly probesPerSecond?: number;
  /** Most windows that are kept in memory. Default 256. */
  readonly maxWindows?: number;
  /** Check every window again that a head is kept of, in the background. Default true. */
  readonly recheck?: boolean;
  /** Told of every verdict; while it takes its time, nothing more is read. */
  readonly onVerdict?: (issued: IssuedVerdict) => unknown;
  readonly clock?: () => Date;
}

/** A verifier at work. */
export interface RunningVerifier {
  /** Resolves once it was stopped; rejects when the log fails or a verdict cannot be signed. */
  readonly done: Promise<void>;
  /** Resolves when it has caught up, every window has its verdict and nothing waits for a probe. */
  idle(): Promise<void>;
  /** Ends it after what it is doing; every verdict that was begun is appended. */
  stop(): Promise<void>;
  /**
   * The windows looked at so far whose last verdict is `violated`, also when an earlier run said
   * it and when somebody acknowledged it since. Once it was idle: all such windows that it follows.
   */
  violated(): readonly string[];
}
