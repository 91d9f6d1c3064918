import { sha256Hex } from "#platform";
import type { Refusal } from "../commands/refusals.ts";
import { refusal } from "../commands/refusals.ts";
import type { CommandOf } from "../commands/schema.ts";
import type { WindowEvent, WindowEventOf } from "../events/schema.ts";
import { contentText } from "../json/digest.ts";
import type { Json } from "../json/json.ts";
import { ownSpans } from "../state/own-call.ts";
import type { Span, WindowState } from "../state/state.ts";
import { editIdTaken, mintEditId, mintSpanId, spanIdTaken } from "./ids.ts";
import type { Act, Outcome } from "./outcome.ts";
import { events, NOTHING, refused } from "./outcome.ts";
import { pinnedRefusal } from "./permissions.ts";
import { liveSpans } from "./spans.ts";

export function decideEvict(
  state: WindowState,
  { editId, consumes }: CommandOf<"evict">,
  act: Act,
): Outcome {
  const { spans, problems } = takeable(state, consumes, act);
  problems.push(...editIdTaken(state, editId));
  if (problems.length > 0) return refused(...problems);
  return events(...editEvents(state, { verb: "evict", consumed: spans, editId }));
}

export function decideRewrite(
  state: WindowState,
  { editId, consumes, content, spanId }: CommandOf<"rewrite">,
  act: Act,
): Outcome {
  const { spans, problems } = takeable(state, consumes, act);
  problems.push(...editIdTaken(state, editId), ...spanIdTaken(state, spanId));
  if (problems.length > 0) return refused(...problems);
  return rewriteOf(state, spans, { content, editId, spanId }, act);
}

/** A rewrite of live spans that the edit may take; `mergeOf` when it merges an edit's reversal. */
export function rewriteOf(
  state: WindowState,
  spans: readonly Span[],
  into: {
    readonly content: Json;
    readonly editId?: string | undefined;
    readonly spanId?: string | undefined;
    readonly mergeOf?: string;
  },
  act: Act,
): Outcome {
  const [first] = spans;
  const only = spans.length === 1 ? first : undefined;
  if (only?.sealed === true) return refused(sealedRefusal(only));
  const gap = notContiguous(state, spans);
  if (gap !== undefined) return refused(gap);
  const text = contentText(into.content);
  const digest = sha256Hex(text);
  const json = typeof into.content !== "string";
  if (only?.digest === digest && only.json === json) return NOTHING;
  const creates = {
    spanId: into.spanId ?? mintSpanId(state, state.revision + 2),
    kind: only?.kind ?? "text",
    origin: act.by.party === "model" ? "assistant" : "host",
    content: into.content,
    tokens: act.tokenizer.count(text),
    digest,
  } as const;
  const { editId, mergeOf } = into;
  return events(
    ...editEvents(state, { verb: "rewrite", consumed: spans, editId, mergeOf, creates }),
  );
}

type EditData = WindowEventOf<"WindowEdited">["data"];

interface EditToRecord {
  readonly verb: EditData["verb"];
  /** The live spans that leave. */
  readonly consumed: readonly Span[];
  readonly editId?: string | undefined;
  readonly target?: string | undefined;
  readonly to?: number | undefined;
  readonly mergeOf?: string | undefined;
  readonly creates?: EditData["creates"];
  readonly abandoned?: string[] | undefined;
}

/** The recovery record and, directly behind it, its edit: one append, record first. */
export function editEvents(state: WindowState, edit: EditToRecord): WindowEvent[] {
  const ordinal = state.edits.size + 1;
  const editId = edit.editId ?? mintEditId(state, ordinal);
  const { verb, target, to, mergeOf, creates, abandoned } = edit;
  const consumed = [...edit.consumed]
    .sort((a, b) => a.position - b.position)
    .map(({ id, revision, digest }) => ({ spanId: id, revision, digest }));
  return [
    { type: "RecoveryRecorded", data: { editId, ordinal, consumed } },
    {
      type: "WindowEdited",
      data: {
        editId,
        ordinal,
        verb,
        ...(target !== undefined && { target }),
        ...(to !== undefined && { to }),
        ...(mergeOf !== undefined && { mergeOf }),
        ...(creates !== undefined && { creates }),
        ...(abandoned !== undefined && abandoned.length > 0 && { abandoned }),
      },
    },
  ];
}

/** The spans to consume, or why an edit may not take them: unknown, not live, own call, pinned. */
function takeable(
  state: WindowState,
  consumes: readonly string[],
  act: Act,
): { readonly spans: Span[]; readonly problems: Refusal[] } {
  const { spans, problems } = liveSpans(state, consumes);
  problems.push(...ownCallRefusals(state, spans, act));
  for (const span of spans) {
    if (span.pinned) problems.push(pinnedRefusal(span, "no rewrite or evict takes it"));
  }
  return { spans, problems };
}

/** An edit leaves the call that asked for it alone, and whatever is bound to that call. */
export function ownCallRefusals(
  state: WindowState,
  touched: readonly Span[],
  { via }: Act,
): Refusal[] {
  const own = ownSpans(state, via);
  return touched
    .filter((span) => own.has(span.index))
    .map((span) =>
      refusal(
        "open-call",
        `span ${span.id} belongs to call ${via}, which asked for this edit: leave it out`,
        { spanId: span.id },
      ),
    );
}

function sealedRefusal(span: Span): Refusal {
  return refusal(
    "bond-broken",
    `span ${span.id} is sealed: no rewrite takes it alone: leave it out, or evict it`,
    { spanId: span.id },
  );
}

/** A rewrite stands for one stretch of the window: no live span may lie between what it takes. */
function notContiguous(state: WindowState, spans: readonly Span[]): Refusal | undefined {
  let from = Number.POSITIVE_INFINITY;
  let to = -1;
  for (const { slot } of spans) {
    from = Math.min(from, slot);
    to = Math.max(to, slot);
  }
  const between = state.slots.countLive(from, to) - spans.length;
  if (between === 0) return undefined;
  return refusal(
    "not-contiguous",
    `${between} live span(s) lie between the spans to rewrite: take them too, or rewrite in parts`,
    { between },
  );
}
