import type { LogReader, RecordedWindowEvent } from "@palimpsest/core";
import { contentDigest } from "@palimpsest/core";
import type { Observable } from "rxjs";
import { map } from "rxjs";
import type { ProjectionOptions } from "../options.ts";
import { foldWindow } from "../window/fold.ts";
import { liveWindow } from "../window/live.ts";
import type { LiveWindow } from "../window/live-window.ts";

/** The bytes that a model is shown at one revision, in the format of docs/rendering.md. */
export class RenderedWindow {
  readonly #window: LiveWindow;
  #digest: string | undefined;

  constructor(window: LiveWindow) {
    this.#window = window;
  }

  get revision(): number {
    return this.#window.revision;
  }

  get text(): string {
    return this.#window.rendered;
  }

  /** SHA-256 of the bytes: what `WindowRendered` would record. */
  get digest(): string {
    this.#digest ??= contentDigest(this.text);
    return this.#digest;
  }

  toJSON() {
    return { revision: this.revision, text: this.text, digest: this.digest };
  }
}

/** The rendering after every append; the bytes are made when they are read. */
export function renderedWindow(
  log: LogReader,
  window: string,
  options?: ProjectionOptions,
): Observable<RenderedWindow> {
  return liveWindow(log, window, options).pipe(map((live) => new RenderedWindow(live)));
}

export function foldRendered(
  events: readonly RecordedWindowEvent[],
  options?: ProjectionOptions,
): RenderedWindow {
  return new RenderedWindow(foldWindow(events, options));
}
