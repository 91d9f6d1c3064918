import type { WindowEventOf } from "@palimpsest/core/events";
import type { Fold } from "../fold/fold.ts";
import { NONE } from "../fold/spans.ts";
import type { EventRule } from "./rule.ts";

/* Design §8: a recall brings words back that are out of view, and nothing but the words. */

const family = "algebra";

type Admitted = WindowEventOf<"SpanAdmitted">["data"];

export const recallRules: readonly EventRule[] = [
  {
    code: "recall",
    family,
    proves: "A recall stores no second copy: it repeats a span that is out of view and not sealed.",
    on: ["SpanAdmitted"],
    check: ({ event, fold }) =>
      event.type === "SpanAdmitted" ? recallProblem(event.data, fold) : undefined,
  },
  {
    code: "recall-plain",
    family,
    proves:
      "A recall has the origin, tool and source of the span it repeats, and no part in a call, " +
      "group or message; it is neither sealed nor pinned.",
    on: ["SpanAdmitted"],
    check: ({ event, fold: { spans } }) => {
      if (event.type !== "SpanAdmitted" || event.data.recallOf === undefined) return undefined;
      const { data } = event;
      const first = spans.find(event.data.recallOf);
      if (first === NONE) return undefined;
      const kind = spans.kind(first) === "text" ? "text" : "other";
      const [tool, source] = [spans.tool(first), spans.source(first)];
      const plain = {
        origin: data.origin === spans.origin(first),
        kind: data.kind === kind,
        tool: data.tool?.name === tool?.name && data.tool?.status === tool?.status,
        source: data.source?.uri === source?.uri && data.source?.digest === source?.digest,
        call: data.call === undefined,
        group: data.group === undefined,
        message: data.message === undefined,
        provider: data.provider === undefined,
        sealed: data.sealed !== true,
        pinned: !(data.pinned ?? data.origin === "system"),
      };
      const wrong = Object.entries(plain).find(([, holds]) => !holds);
      return wrong === undefined
        ? undefined
        : `${data.spanId} recalls ${data.recallOf}, and its ${wrong[0]} is not as it must be`;
    },
  },
];

function recallProblem(
  { spanId, recallOf, content, digest, tokens }: Admitted,
  { spans, recalls }: Fold,
): string | undefined {
  if (recallOf === undefined) {
    return content === undefined ? `${spanId} has no content` : undefined;
  }
  const first = spans.find(recallOf);
  if (first === NONE) return `${spanId} recalls ${recallOf}, which was never born`;
  if (content !== undefined) return `the recall ${spanId} stores content of its own`;
  if (spans.recallOf(first) !== NONE) return `${spanId} recalls ${recallOf}, which is a recall`;
  if (!spans.hasDigest(first, digest) || spans.tokens(first) !== tokens) {
    return `${spanId} does not repeat ${recallOf}`;
  }
  if (spans.isSealed(first)) return `${spanId} recalls ${recallOf}, which is sealed`;
  // A recall that left may be recalled while the span it repeats is back: both name that span.
  const isAllInView = spans.isLive(first) && recalls.areAllLive(first);
  return isAllInView ? `${spanId} recalls ${recallOf}, which is in view` : undefined;
}
