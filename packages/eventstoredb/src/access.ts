import type { JsonObject } from "@palimpsest/core/events";
import type { Connection } from "./connection.ts";
import { LIMITS, metadataOf, setMetadata } from "./metadata.ts";
import type { Acl } from "./roles.ts";
import { aclOf, isSameAcl, streamsOf } from "./roles.ts";

/** What a provisioner did to a stream: gave it its list, found all in order, or put it right. */
export type Provisioned = "created" | "kept" | "corrected";

/** Gives a window's two streams their lists; see `Provisioner.window`. */
export async function provisionWindow(connection: Connection, id: string): Promise<Provisioned[]> {
  const done: Provisioned[] = [];
  for (const stream of streamsOf(id)) {
    const acl = aclOf(stream);
    if (acl !== undefined) done.push(await setAcl(connection, stream, acl));
  }
  return done;
}

/**
 * Expects no metadata at first, so that nobody's is overwritten unseen. What limits a stream is
 * taken away unless it is among `limits`.
 */
export async function setAcl(
  connection: Connection,
  stream: string,
  acl: Acl | Pick<Acl, "$r">,
  limits: JsonObject = {},
): Promise<Provisioned> {
  if (await setMetadata(connection, stream, { ...limits, $acl: acl }, undefined)) return "created";
  for (;;) {
    const { revision, fields } = await metadataOf(connection, stream);
    const others = LIMITS.filter((limit) => fields[limit] !== limits[limit]);
    if (isSameAcl(acl as Acl, fields.$acl) && others.length === 0) return "kept";
    const kept = Object.entries(fields).filter(([field]) => !LIMITS.includes(field));
    const corrected = { ...Object.fromEntries(kept), ...limits, $acl: acl };
    if (await setMetadata(connection, stream, corrected, revision)) return "corrected";
  }
}
