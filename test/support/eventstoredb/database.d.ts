/** What the double keeps: streams in one total order. It lies in memory and is gone with it. */
export interface Proposed {
  readonly id: string;
  readonly type: string;
  readonly contentType: string;
  readonly data: Uint8Array;
  readonly metadata: Uint8Array;
}
export interface Recorded extends Proposed {
  readonly stream: string;
  readonly revision: number;
  /** Commit and prepare position alike; grows, with gaps, like an offset into a file. */
  readonly position: number;
  /** 100 ns ticks since 1970. */
  readonly created: string;
}
export type Expected = number | "any" | "no-stream" | "stream-exists";
export type WriteResult =
  | {
      readonly kind: "written";
      readonly revision: number;
      readonly position: number;
    }
  | {
      readonly kind: "wrong-revision";
      readonly current: number | undefined;
    }
  | {
      readonly kind: "deleted";
    };
/** `$maxCount`, `$tb`, `$acl` and whatever else somebody put there. */
export type Metadata = Readonly<Record<string, unknown>>;
export declare class Database {
  #private;
  readonly all: Recorded[];
  /** The decision of the real server (IndexWriter.CheckCommit), then the write. */
  append(stream: string, expected: Expected, events: readonly Proposed[]): WriteResult;
  deleteSoftly(stream: string): void;
  tombstone(stream: string): void;
  isTombstoned(stream: string): boolean;
  isSoftlyDeleted(stream: string): boolean;
  lastRevision(stream: string): number | undefined;
  metadata(stream: string): Metadata;
  /** The last event of the `$settings` stream holds the default access control lists. */
  settings(): Metadata;
  /** Index of the first event that `$maxCount` and `$tb` leave to be read. */
  firstReadable(stream: string): number;
  record(stream: string, revision: number): Recorded | undefined;
  /** Index in `all` of the first event behind a position. */
  indexAfter(position: number): number;
  /** Calls `listener` after each write; the result takes it away again. */
  onWrite(listener: () => void): () => void;
}
//# sourceMappingURL=database.d.ts.map
