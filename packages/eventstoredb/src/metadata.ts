import { randomUUID } from "node:crypto";
import type { JsonObject } from "@palimpsest/core/events";
import type { Connection } from "./connection.ts";
import { kindOf, logErrorOf } from "./failures.ts";
import { readEach } from "./read.ts";
import { lastOf } from "./requests.ts";

/** Fields by which the server drops events of a stream, or takes them out of sight. */
export const LIMITS: readonly string[] = ["$maxCount", "$maxAge", "$tb"];

/** What is written about a stream beside it, and the revision at which it is. */
export interface StreamMetadata {
  readonly revision: number | undefined;
  /** Keys as the server stores them: `$acl`, `$maxCount`, `$maxAge`, `$tb`. */
  readonly fields: JsonObject;
}

/**
 * Reads the metadata of a stream. The client's own function says the position of the commit where
 * it says revision, which no append could then expect.
 */
export async function metadataOf(connection: Connection, stream: string): Promise<StreamMetadata> {
  let found: StreamMetadata = { revision: undefined, fields: {} };
  const request = lastOf(`$$${stream}`);
  await readEach(connection, request, `read the metadata of ${stream}`, (received) => {
    if (received === undefined) return true;
    const { revision, data } = received.event;
    const isObject = typeof data === "object" && data !== null && !Array.isArray(data);
    found = { revision, fields: isObject ? (data as JsonObject) : {} };
    return true;
  });
  return found;
}

/** Writes metadata if it is still at a revision; false when it is not. */
export async function setMetadata(
  connection: Connection,
  stream: string,
  fields: object,
  expected: number | undefined,
): Promise<boolean> {
  const event = {
    id: randomUUID(),
    type: "$metadata",
    data: JSON.stringify(fields),
    metadata: "{}",
  };
  try {
    await connection.append(`$$${stream}`, [event], expected ?? "no-stream");
    return true;
  } catch (error) {
    if (kindOf(error) === "wrong-revision") return false;
    throw logErrorOf(error, `write the metadata of ${stream}`);
  }
}
