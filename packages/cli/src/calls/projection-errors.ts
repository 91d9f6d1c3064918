import { MissingHistoryError, ProjectionError } from "@palimpsest/projections";
import { UsageError } from "../terminal/output.ts";

/** A stream that cannot be projected is a store that cannot be used: a message and exit code 2. */
export async function withKnownErrors<Result>(task: Promise<Result>): Promise<Result> {
  try {
    return await task;
  } catch (error) {
    const known = error instanceof ProjectionError || error instanceof MissingHistoryError;
    throw known ? new UsageError(error.message, { cause: error }) : error;
  }
}
