import type { WindowEventOf } from "@palimpsest/core/events";
import { NONE } from "../fold/spans.ts";
import { recallRules } from "./recall.ts";
import type { EventRule, Place } from "./rule.ts";
import { partyOf } from "./rule.ts";

/* Design §2 and §3: what a span is when it is born; of the family of the algebra. */

const family = "algebra";

export const spanRules: readonly EventRule[] = [
  {
    code: "span-id-twice",
    family,
    proves: "No span id is given twice.",
    on: ["SpanAdmitted", "WindowEdited"],
    check: ({ event, fold }) => {
      const id = bornId(event);
      return id !== undefined && fold.spans.find(id) !== NONE
        ? `span ${id} was born before`
        : undefined;
    },
  },
  {
    code: "content-digest",
    family: "records",
    proves: "Every stored content, re-read from the store, hashes to its digest.",
    on: ["SpanAdmitted", "WindowEdited"],
    check: ({ event, contentDigest }) => {
      const born = bornAt(event);
      if (born === undefined || contentDigest === undefined) return undefined;
      return born.digest === contentDigest
        ? undefined
        : `the content of ${born.spanId} does not hash to its digest`;
    },
  },
  {
    code: "content-tokens",
    family,
    proves: "Token counts are those of the window's tokenizer.",
    on: ["SpanAdmitted", "WindowEdited"],
    check: ({ event, contentText, tokensOf }) => {
      const born = bornAt(event);
      if (born === undefined || contentText === undefined || tokensOf === undefined) {
        return undefined;
      }
      const tokens = tokensOf(contentText);
      return born.tokens === tokens
        ? undefined
        : `${born.spanId} claims ${born.tokens} tokens, and its content has ${tokens}`;
    },
  },
  ...recallRules,
  {
    code: "read-live",
    family,
    proves: "Spans that are marked as read were live.",
    on: ["SpansRead"],
    check: ({ event, fold: { spans } }) => {
      if (event.type !== "SpansRead") return undefined;
      const gone = event.data.spanIds.find((id) => {
        const span = spans.find(id);
        return span === NONE || !spans.isLive(span);
      });
      return gone === undefined ? undefined : `${gone} was read and is not live`;
    },
  },
  {
    code: "party",
    family,
    proves:
      "Nobody does what their party may not do: the verifier writes to no window, the model " +
      "admits plain spans of its own, answers no call, observes no source and opens no epoch.",
    on: "every",
    check: ({ event }) => {
      const { by } = event.metadata;
      const party = partyOf(by);
      if (party === "verifier") return `${by} wrote to the window`;
      const deed = party === "model" ? deedBeyondModel(event) : undefined;
      return deed === undefined ? undefined : `${by} ${deed}`;
    },
  },
];

/** What an event by the model's party did that this party may not do. */
function deedBeyondModel(event: Place["event"]): string | undefined {
  switch (event.type) {
    case "SourceObserved":
      return "observed a source";
    case "EpochOpened":
      return "opened an epoch";
    case "SpanAdmitted":
      return admissionBeyondModel(event.data);
    // The model may write these, or a rule about them says itself what the model may not.
    case "WindowOpened":
    case "SpansRead":
    case "RecoveryRecorded":
    case "WindowEdited":
    case "WindowRendered":
    case "ClaimAsserted":
    case "ClaimRetracted":
    case "ConflictNoted":
    case "PolicyAuthored":
    case "PruningProposed":
    case "PruningSettled":
      return undefined;
    default:
      // A type that is not handled above does not compile.
      return event satisfies never;
  }
}

function admissionBeyondModel(data: WindowEventOf<"SpanAdmitted">["data"]): string | undefined {
  if (data.recallOf !== undefined) return undefined;
  if (data.origin !== "assistant") return `admitted a span as ${data.origin}`;
  if (data.kind === "tool-result") return "answered a call";
  const plain = [data.pinned, data.sealed, data.group].every((field) => field === undefined);
  return plain ? undefined : `pinned, sealed or grouped ${data.spanId}`;
}

interface Born {
  readonly spanId: string;
  readonly digest: string;
  readonly tokens: number;
}

/** The span that an event gives birth to. */
export function bornAt(event: Place["event"]): Born | undefined {
  if (event.type === "SpanAdmitted") return event.data;
  return event.type === "WindowEdited" ? event.data.creates : undefined;
}

function bornId(event: Place["event"]): string | undefined {
  return bornAt(event)?.spanId;
}
