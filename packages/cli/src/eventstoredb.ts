import { UsageError } from "./terminal/output.ts";

const SERVER = /^(esdb|kurrentdb)(\+discover)?:\/\//;

/** True for the connection string of a server. */
export function isEventStoreDb(spec: string): boolean {
  return SERVER.test(spec);
}

const PACKAGE = "@palimpsest/eventstoredb";

/**
 * Loads the adapter. Most have no server, so the command line does not bring gRPC for everybody:
 * the package is an optional peer dependency, and is loaded where a server is named.
 */
export async function loadEventStoreDb(): Promise<typeof import("@palimpsest/eventstoredb")> {
  try {
    return await import("@palimpsest/eventstoredb");
  } catch (error) {
    if (!isNotInstalled(error)) throw error;
    const message = `a store on a server needs ${PACKAGE}: run \`npm install ${PACKAGE}\``;
    throw new UsageError(message, { cause: error });
  }
}

/** True where Node found no such package; false where something that it needs is missing. */
function isNotInstalled(error: unknown): boolean {
  const isMissing = error instanceof Error && "code" in error;
  return (
    isMissing && error.code === "ERR_MODULE_NOT_FOUND" && error.message.includes(`'${PACKAGE}'`)
  );
}
