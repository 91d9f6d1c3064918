import type { BatchItem } from "@palimpsest/core";

/** Something a person who imports a session may want to look at. */
export interface ImportNote {
  readonly what:
    | "compaction"
    | "cleared-result"
    | "rollback"
    | "renamed-call"
    | "interrupted-call"
    | "orphan-result"
    | "split-message"
    | "altered";
  /** Line of the recording, or number of the message in a JSON document. */
  readonly at: number;
  /** The id of the span, call, message or edit it is about. */
  readonly id: string;
}

/**
 * What one message of the recording asks of the window. The commands belong into one append: a
 * group, and a compaction with its summary, hold together only that way. They name no `by`.
 */
export interface ImportStep {
  readonly commands: readonly BatchItem[];
  /** Bytes of the file that were read when the step was made. */
  readonly bytesRead: number;
  readonly notes: readonly ImportNote[];
}
