/*
 * Snapshots: what a fold came to, kept so that it need not be folded again. They are disposable.
 * Whoever loads one checks its digests and its place in the stream, and does without it when
 * something does not fit; nothing is ever true because a snapshot says so.
 */

export interface Snapshot {
  readonly window: string;
  /** The last event that is folded into it. */
  readonly revision: number;
  /** Id of that event: the snapshot belongs to the stream that holds it there. */
  readonly eventId: string;
  /** The state as JSON; it names its blocks by digest. */
  readonly manifest: string;
  /** SHA-256 of the manifest, and so of everything. */
  readonly digest: string;
}

/** JSON text by its SHA-256. Snapshots of a growing window share most of theirs. */
export type Blocks = ReadonlyMap<string, string>;

/**
 * Where snapshots are kept: apart from the log, which holds facts only. It may forget, and
 * may refuse to keep; time travel goes on without a store that throws. It owes no guarantee.
 */
export interface SnapshotStore {
  /** The newest snapshot of the window that is not newer than `revision`. */
  latest(window: string, revision: number): Snapshot | undefined | Promise<Snapshot | undefined>;
  /** The blocks of these digests; those it does not have are left out. */
  blocks(digests: readonly string[]): Blocks | Promise<Blocks>;
  /** Keeps a snapshot with its blocks; `blocks` may leave out those that were saved before. */
  save(snapshot: Snapshot, blocks: Blocks): void | Promise<void>;
}

/** Snapshots that live as long as this process. */
export function memorySnapshots(): SnapshotStore {
  const byWindow = new Map<string, Map<number, Snapshot>>();
  const blocks = new Map<string, string>();
  return {
    latest(window, revision) {
      const kept = [...(byWindow.get(window)?.values() ?? [])];
      return kept
        .filter((snapshot) => snapshot.revision <= revision)
        .reduce<Snapshot | undefined>(
          (best, one) => (best === undefined || one.revision > best.revision ? one : best),
          undefined,
        );
    },
    blocks: (digests) =>
      new Map(
        digests.flatMap((digest) => {
          const block = blocks.get(digest);
          return block === undefined ? [] : [[digest, block] as const];
        }),
      ),
    save(snapshot, added) {
      const kept = byWindow.get(snapshot.window) ?? new Map<number, Snapshot>();
      byWindow.set(snapshot.window, kept.set(snapshot.revision, snapshot));
      for (const [digest, block] of added) blocks.set(digest, block);
    },
  };
}
