import type { EnvelopeFindingCode } from "../envelope.ts";
import type { RuleInfo } from "./rule.ts";

/*
 * Design §3 and §9, History: the form of events and appends, and the heads that were signed
 * before. These rules look at a stream and not at a state, so the check of a window asks them
 * itself; this file only describes them.
 */

function rule(code: string, proves: string): RuleInfo {
  return { code, family: "history", proves };
}

const envelope: Readonly<Record<EnvelopeFindingCode, string>> = {
  "malformed-event": "Every event can be read.",
  "undecodable-event": "Every event is JSON.",
  "wrong-stream": "Every event is of the stream it is read from.",
  "invalid-metadata": "The metadata of every event satisfies its schema.",
  "event-not-understood": "Every event is of a type and version of the storage format.",
  "invalid-data": "The data of every event satisfies its schema.",
  "index-beyond-count": "The place of an event in its append is below the append's size.",
  "wrong-event-id": "The id of every event follows from window, principal, command and index.",
};

export const streamStart = rule("stream-start", "The stream begins at revision 0.");
export const revisionGap = rule("revision-gap", "Revisions follow one another without a gap.");
export const openedOnce = rule(
  "opened-once",
  "The first event opens this very window, and no other one does.",
);
export const appendFrame = rule("append-frame", "The events of an append are numbered in order.");
export const halfAppend = rule("half-append", "Every append is complete.");
export const appendShared = rule("append-shared", "The events of an append are of one command.");
export const commandTwice = rule("command-twice", "No command was appended twice.");

export const headRoot = rule(
  "head-root",
  "The stream still hashes to every head that was signed of it.",
);
export const tailCut = rule("tail-cut", "The stream is no shorter than the last verdict on it.");
export const verdictCounts = rule(
  "verdict-counts",
  "Every verdict counted claims, edits and records as this fold does at its size.",
);
export const claimsFell = rule(
  "claims-fell",
  "From one verdict to the next, neither the retracted claims nor all claims become fewer.",
);
export const verdictForm = rule(
  "verdict-form",
  "The verdict stream holds well-formed verdicts and probes of its window, from revision 0 on.",
);
export const verdictSignature = rule(
  "verdict-signature",
  "Every verdict is signed by a known key, and its note is about what the verdict says.",
);
export const verdictChain = rule(
  "verdict-chain",
  "Every verdict names the one before it, and sizes do not fall.",
);
export const verdictsLost = rule(
  "verdicts-lost",
  "The verdict stream holds the last verdict that was kept outside the store.",
);
export const rolledBack = rule(
  "rolled-back",
  "The window is no shorter than the last head kept outside the store, and hashes to it.",
);
export const probeLost = rule("probe-lost", "The content of every consumed span was found.");

export const streamRules: readonly RuleInfo[] = [
  ...Object.entries(envelope).map(([code, proves]) => rule(code, proves)),
  streamStart,
  revisionGap,
  openedOnce,
  appendFrame,
  halfAppend,
  appendShared,
  commandTwice,
];

export const headRules: readonly RuleInfo[] = [
  headRoot,
  tailCut,
  verdictCounts,
  claimsFell,
  verdictForm,
  verdictSignature,
  verdictChain,
  verdictsLost,
  rolledBack,
  probeLost,
];
