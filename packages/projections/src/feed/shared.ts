import type { LogReader } from "@palimpsest/core";
import type { Observable } from "rxjs";
import type { ProjectionOptions } from "../options.ts";

type ByName = Map<string, Observable<unknown>>;

/*
 * What was made for a log and its options, for as long as both are in use. An entry is an
 * Observable that holds nothing while nobody subscribes.
 */
const known = new WeakMap<LogReader, WeakMap<ProjectionOptions, ByName>>();

/** The Observable of that name for this log and these options, made by the first who asks. */
export function shared<Value>(
  log: LogReader,
  options: ProjectionOptions,
  name: string,
  make: () => Observable<Value>,
): Observable<Value> {
  const byOptions = known.get(log) ?? new WeakMap<ProjectionOptions, ByName>();
  known.set(log, byOptions);
  const byName = byOptions.get(options) ?? new Map<string, Observable<unknown>>();
  byOptions.set(options, byName);
  const made = (byName.get(name) ?? make()) as Observable<Value>;
  byName.set(name, made);
  return made;
}
