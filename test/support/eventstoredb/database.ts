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
  | { readonly kind: "written"; readonly revision: number; readonly position: number }
  | { readonly kind: "wrong-revision"; readonly current: number | undefined }
  | { readonly kind: "deleted" };

/** `$maxCount`, `$tb`, `$acl` and whatever else somebody put there. */
export type Metadata = Readonly<Record<string, unknown>>;

/** What `$tb` is in a stream that was deleted softly. */
const DELETED = 2 ** 63;

export class Database {
  readonly all: Recorded[] = [];
  readonly #streams = new Map<string, Recorded[]>();
  readonly #tombstones = new Set<string>();
  readonly #ids = new Map<string, { stream: string; revision: number }>();
  readonly #metadata = new Map<string, Metadata>();
  readonly #listeners = new Set<() => void>();
  #nextPosition = 0;

  /** The decision of the real server (IndexWriter.CheckCommit), then the write. */
  append(stream: string, expected: Expected, events: readonly Proposed[]): WriteResult {
    if (this.#tombstones.has(stream)) return { kind: "deleted" };
    const current = this.lastRevision(stream);
    const earlier = this.#earlier(stream, expected, events);
    if (earlier === "other") return { kind: "wrong-revision", current };
    if (earlier !== undefined) {
      const position = this.#streams.get(stream)?.[earlier]?.position ?? -1;
      return { kind: "written", revision: earlier, position };
    }
    const fits =
      expected === "any" ||
      (expected === "stream-exists" && current !== undefined) ||
      expected === (current ?? "no-stream") ||
      (expected === "no-stream" && this.isSoftlyDeleted(stream));
    return fits ? this.#write(stream, events) : { kind: "wrong-revision", current };
  }

  /**
   * The last revision of an earlier write of the same events; "other" when only a part of them is
   * there. With a revision expected, the server compares the ids at the revisions behind it. With
   * "any" it asks its cache of recent ids, so that idempotence is not promised then.
   */
  #earlier(stream: string, expected: Expected, events: readonly Proposed[]) {
    const after = expected === "no-stream" ? -1 : expected;
    const records = this.#streams.get(stream) ?? [];
    let last: number | undefined;
    for (const [index, { id }] of events.entries()) {
      const known = this.#ids.get(id);
      const here =
        typeof after === "number"
          ? records[after + 1 + index]?.id === id
          : known?.stream === stream;
      if (!here) return index === 0 ? undefined : "other";
      last = typeof after === "number" ? after + 1 + index : known?.revision;
    }
    return last;
  }

  #write(stream: string, events: readonly Proposed[]): WriteResult {
    const records = this.#streams.get(stream) ?? [];
    if (events.length === 0) {
      return { kind: "written", revision: records.length - 1, position: this.#nextPosition };
    }
    this.#undelete(stream, records.length);
    this.#streams.set(stream, records);
    const created = `${BigInt(Date.now()) * 10_000n}`;
    for (const event of events) {
      const revision = records.length;
      const position = this.#nextPosition;
      this.#nextPosition += 64 + event.data.length + event.metadata.length;
      const recorded = { ...event, stream, revision, position, created };
      records.push(recorded);
      this.all.push(recorded);
      this.#ids.set(event.id, { stream, revision });
    }
    const last = records.at(-1) as Recorded;
    if (stream.startsWith("$$")) this.#metadata.set(stream.slice(2), jsonObject(last.data));
    for (const listener of this.#listeners) listener();
    return { kind: "written", revision: last.revision, position: last.position };
  }

  /** A stream that is written to again after a soft delete begins where it had ended. */
  #undelete(stream: string, next: number): void {
    if (!this.isSoftlyDeleted(stream)) return;
    this.#metadata.set(stream, { ...this.metadata(stream), $tb: next });
  }

  deleteSoftly(stream: string): void {
    const data = JSON.stringify({ ...this.metadata(stream), $tb: DELETED });
    this.#write(`$$${stream}`, [
      {
        id: crypto.randomUUID(),
        type: "$metadata",
        contentType: "application/json",
        data: Buffer.from(data),
        metadata: new Uint8Array(),
      },
    ]);
  }

  tombstone(stream: string): void {
    this.#tombstones.add(stream);
  }

  isTombstoned(stream: string): boolean {
    return this.#tombstones.has(stream);
  }

  isSoftlyDeleted(stream: string): boolean {
    return this.metadata(stream).$tb === DELETED;
  }

  lastRevision(stream: string): number | undefined {
    return this.#streams.get(stream)?.at(-1)?.revision;
  }

  metadata(stream: string): Metadata {
    return this.#metadata.get(stream) ?? {};
  }

  /** The last event of the `$settings` stream holds the default access control lists. */
  settings(): Metadata {
    const last = this.#streams.get("$settings")?.at(-1);
    return last === undefined ? {} : jsonObject(last.data);
  }

  /** Index of the first event that `$maxCount` and `$tb` leave to be read. */
  firstReadable(stream: string): number {
    const { $maxCount, $tb } = this.metadata(stream);
    const length = this.#streams.get(stream)?.length ?? 0;
    const byCount = typeof $maxCount === "number" ? length - $maxCount : 0;
    return Math.max(0, byCount, typeof $tb === "number" ? Math.min($tb, length) : 0);
  }

  record(stream: string, revision: number): Recorded | undefined {
    return revision < this.firstReadable(stream)
      ? undefined
      : this.#streams.get(stream)?.[revision];
  }

  /** Index in `all` of the first event behind a position. */
  indexAfter(position: number): number {
    let low = 0;
    let high = this.all.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.all[middle]?.position ?? 0) > position) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  /** Forgets windows and verdicts; what a provisioner set up stays. */
  clear(): void {
    const isKept = (stream: string) => !/^(window|verdict)-/.test(stream);
    this.all.splice(0, this.all.length, ...this.all.filter(({ stream }) => isKept(stream)));
    for (const stream of this.#streams.keys()) {
      if (!isKept(stream)) this.#streams.delete(stream);
    }
    this.#ids.clear();
  }

  /** Calls `listener` after each write; the result takes it away again. */
  onWrite(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}

function jsonObject(data: Uint8Array): Metadata {
  try {
    const value: unknown = JSON.parse(Buffer.from(data).toString());
    return typeof value === "object" && value !== null ? (value as Metadata) : {};
  } catch {
    return {};
  }
}
