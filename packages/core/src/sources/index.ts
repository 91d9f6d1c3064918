/*
 * `@palimpsest/core/sources`: looks at files and pages on request and gives their digests, for the
 * command `observeSource`. Node only.
 */
export type { SourceErrorCode } from "./errors.ts";
export { isSourceError, SourceError } from "./errors.ts";
export { observeFile } from "./file.ts";
export type { HttpOptions } from "./http.ts";
export { observeHttp } from "./http.ts";
export type { Observation } from "./observation.ts";
export type { ObserveOptions } from "./observe.ts";
export { observe } from "./observe.ts";
