/** The formats the reader knows. */
export const sessionFormats = ["claude-code", "codex", "openai-chat"] as const;

export type SessionFormat = (typeof sessionFormats)[number];

/** Something that was counted and not placed in the window, by what it was. */
export interface Counted {
  readonly what: string;
  count: number;
  /** Line of the first one; in a JSON document that is not JSONL, the number of the message. */
  readonly firstAt: number;
}

/** What came of a recording. The counts grow while the steps are read and are final at the end. */
export interface ImportReport {
  readonly format: SessionFormat;
  /** Lines that held anything; a document that is one JSON value counts as one. */
  lines: number;
  /** Chats that a recording of several holds; in the window they follow each other. */
  chats: number;
  /** Messages of the recording that became spans. */
  messages: number;
  /** Spans the commands create, products of edits and host-written results included. */
  spans: number;
  calls: number;
  /** Results recorded for a call of the recording. */
  results: number;
  compactions: number;
  /** Tool results that the recorder cleared or replaced; each became a rewrite. */
  clearedResults: number;
  /** Places where the session went back to an earlier message; each became an evict. */
  rollbacks: number;
  /** Calls whose recorded id was taken, or is not an id of a window. */
  renamedCalls: number;
  /** Messages whose recorded id was taken, or is not an id of a window. */
  renamedMessages: number;
  /** Calls without a recorded result; a result of status `interrupted` was written for each. */
  interruptedCalls: number;
  /** Results without an open call; admitted as kind `other`. */
  orphanResults: number;
  /** Messages that another message interrupted; the parts share a message id but no group. */
  splitMessages: number;
  /** Values stored as text, or with characters escaped, since a window refuses them as they are. */
  altered: number;
  /** Lines known to carry no conversation, by type. */
  readonly ignored: Counted[];
  /** What carries text and could not be placed. */
  readonly unplaced: Counted[];
}

export function emptyReport(format: SessionFormat): ImportReport {
  return {
    format,
    lines: 0,
    chats: 0,
    messages: 0,
    spans: 0,
    calls: 0,
    results: 0,
    compactions: 0,
    clearedResults: 0,
    rollbacks: 0,
    renamedCalls: 0,
    renamedMessages: 0,
    interruptedCalls: 0,
    orphanResults: 0,
    splitMessages: 0,
    altered: 0,
    ignored: [],
    unplaced: [],
  };
}

/** Counts one thing in a list of counts. */
export function count(list: Counted[], what: string, at: number): void {
  const known = list.find((entry) => entry.what === what);
  if (known) known.count += 1;
  else list.push({ what, count: 1, firstAt: at });
}
