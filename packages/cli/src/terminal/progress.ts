import { Presets, SingleBar } from "cli-progress";

export interface Progress {
  /** Bytes read so far. */
  update(bytes: number): void;
  stop(): void;
}

const SILENT: Progress = { update: () => undefined, stop: () => undefined };

/** A progress bar on stderr; none where stderr is not a terminal. */
export function startProgress(bytes: number): Progress {
  if (!process.stderr.isTTY) return SILENT;
  const bar = new SingleBar(
    { format: "importing {bar} {percentage}%", stream: process.stderr, clearOnComplete: true },
    Presets.shades_classic,
  );
  bar.start(bytes, 0);
  return { update: (done) => bar.update(done), stop: () => bar.stop() };
}
