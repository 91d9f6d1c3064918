import { watch } from "node:fs";
import { basename, dirname } from "node:path";

export interface WatchOptions {
  readonly file: string;
  /** A number that is another one after another process committed (PRAGMA data_version). */
  readonly dataVersion: () => number;
  readonly onChange: () => void;
}

/**
 * A file event comes when a writer touches the -wal, which is some milliseconds before the disk
 * has it and the commit can be seen. So each event is followed by these few looks, in milliseconds
 * from one to the next, and then there is silence until the next event.
 */
const LOOKS = [1, 2, 4, 8, ...Array<number>(24).fill(16)];

/** In case a file event got lost. */
const SAFETY_INTERVAL = 1_000;
/** Where the system gives no file events, say because a user has too many watches. */
const POLLING_INTERVAL = 25;

/** Tells when another process appended, without a busy loop. The result ends it. */
export function watchStore({ file, dataVersion, onChange }: WatchOptions): () => void {
  // A store that cannot tell its version counts as changed: its followers read, and get the error.
  const current = (): number => {
    try {
      return dataVersion();
    } catch {
      return Number.NaN;
    }
  };
  let seen = current();
  let looks = 0;
  let timer: NodeJS.Timeout | undefined;
  const check = (): void => {
    const version = current();
    if (version === seen) return;
    seen = version;
    onChange();
  };
  const look = (): void => {
    timer = undefined;
    check();
    const delay = LOOKS[looks++];
    if (delay !== undefined) timer = setTimeout(look, delay);
  };
  const onFileEvent = (_event: string, name: string | null): void => {
    if (name !== null && !name.startsWith(basename(file))) return;
    // Looking again soon, and not at once, bounds the looks however many events there are.
    if (timer !== undefined && looks <= 1) return;
    clearTimeout(timer);
    looks = 0;
    timer = setTimeout(look, LOOKS[looks++]);
  };
  const stopWatching = watchFolder(dirname(file), onFileEvent);
  const interval = setInterval(check, stopWatching ? SAFETY_INTERVAL : POLLING_INTERVAL);
  return () => {
    stopWatching?.();
    clearInterval(interval);
    clearTimeout(timer);
  };
}

/** The folder and not the -wal, which comes and goes. Undefined where watching is not possible. */
function watchFolder(
  folder: string,
  listener: (event: string, name: string | null) => void,
): (() => void) | undefined {
  try {
    const watcher = watch(folder, listener);
    // A watcher that fails later leaves the safety interval, which needs no watcher.
    watcher.on("error", () => watcher.close());
    return () => watcher.close();
  } catch {
    return undefined;
  }
}
