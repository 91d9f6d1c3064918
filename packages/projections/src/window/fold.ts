import type { RecordedWindowEvent, StoredEvent } from "@palimpsest/core";
import { windowStream } from "@palimpsest/core";
import { foldNext } from "../feed/reducer.ts";
import type { ProjectionOptions } from "../options.ts";
import { defaultOptions, tokenizerOf } from "../options.ts";
import { contentsFrom } from "./contents.ts";
import { LiveWindow } from "./live-window.ts";
import type { Reading } from "./reading.ts";
import { windowReducer } from "./reading.ts";

/**
 * The window that an array of events leads to, from its first event on: what `liveWindow` gives at
 * the revision of the last one. Pure. Throws `MissingHistoryError` when events are missing at the
 * start or between, and `ProjectionError` at one that cannot be folded.
 *
 * Content that came back into view is taken from the events as it is; only a log can be asked
 * whether it still has the digest that the window knows.
 */
export function foldWindow(
  events: readonly RecordedWindowEvent[],
  options: ProjectionOptions = defaultOptions,
): LiveWindow {
  const reading = foldReading(events);
  return new LiveWindow({ reading, tokenizer: tokenizerOf(reading.state, options) });
}

export function foldReading(events: readonly RecordedWindowEvent[]): Reading {
  const window = windowOf(events);
  const reducer = windowReducer(window);
  const stored = events.map((event) => ({ stream: windowStream(window), ...event }) as StoredEvent);
  const reading = foldNext(reducer, reducer.initial, stored, -1);
  return { ...reading, contents: contentsFrom(reading.contents, reading.state, events) };
}

function windowOf(events: readonly RecordedWindowEvent[]): string {
  const [first] = events;
  return first?.type === "WindowOpened" ? first.data.window : "";
}
