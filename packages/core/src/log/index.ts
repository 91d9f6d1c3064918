/*
 * `@palimpsest/core/log`: the log port, its errors, the in-memory log, and the kit that every
 * adapter of the port shares. For whoever writes an adapter; `@palimpsest/core/testing` has the
 * conformance suite that it must pass.
 */
export type { Json, JsonObject } from "../json/json.ts";
export type { SerializedEvent } from "./append.ts";
export { checkHead, DEFAULT_MAX_APPEND_BYTES, earlierAppend, serializeAppend } from "./append.ts";
export type { LogErrorCode } from "./errors.ts";
export { isLogError, LogError, WrongExpectedRevisionError } from "./errors.ts";
export type { Followers } from "./followers.ts";
export { createFollowers } from "./followers.ts";
export { readerOf, writerOf } from "./handles.ts";
export type { LruLimits } from "./lru-cache.ts";
export { LruCache } from "./lru-cache.ts";
export { createMemoryLog } from "./memory.ts";
export type { ReadPage } from "./paging.ts";
export { DEFAULT_PAGE_SIZE, PAGE_TEXT_LIMIT, pageSizeOf, pagesOf } from "./paging.ts";
export type * from "./port.ts";
export type { FeedPage, Follower, SubscriptionFeed } from "./subscription.ts";
export { subscription } from "./subscription.ts";
export { undecodableBytes } from "./undecodable.ts";
export { isUuid, UUID_BYTES, writeUuid } from "./uuid.ts";
export type { BackoffBounds } from "./waiting.ts";
export { backoff, pause } from "./waiting.ts";
