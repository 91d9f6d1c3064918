import { sha256Hex } from "#platform";
import type { Refusal } from "../commands/refusals.ts";
import { refusal } from "../commands/refusals.ts";
import type { CommandOf } from "../commands/schema.ts";
import type { WindowEventOf } from "../events/schema.ts";
import { contentText } from "../json/digest.ts";
import { ABSENT, LIVE, markOf } from "../state/marks.ts";
import type { Span, WindowState } from "../state/state.ts";
import { findSpan, spanAt } from "../state/state.ts";
import { mintSpanId, spanIdTaken } from "./ids.ts";
import type { Act, Outcome } from "./outcome.ts";
import { checkContent, events, NOTHING, refuse, refused } from "./outcome.ts";

export function decideOpen(
  state: WindowState,
  { budgetTokens, tokenizer }: CommandOf<"openWindow">,
  act: Act,
): Outcome {
  if (state.revision >= 0) {
    return refuse(
      "window-exists",
      `window ${state.window} is open already: use it, or choose another id`,
    );
  }
  if (tokenizer !== undefined && tokenizer !== act.tokenizer.name) {
    return refuse("invalid-command", `there is no tokenizer ${JSON.stringify(tokenizer)} here`);
  }
  return events({
    type: "WindowOpened",
    data: {
      window: state.window,
      ...(budgetTokens !== undefined && { budgetTokens }),
      tokenizer: act.tokenizer.name,
    },
  });
}

export function decideAdmit(
  state: WindowState,
  command: CommandOf<"admitSpan">,
  act: Act,
): Outcome {
  const problems = [...spanIdTaken(state, command.spanId), ...callProblems(state, command)];
  if (problems.length > 0) return refused(...problems);
  const text = contentText(command.content);
  const data: WindowEventOf<"SpanAdmitted">["data"] = {
    spanId: command.spanId ?? mintSpanId(state, state.revision + 1),
    origin: command.origin,
    kind: command.kind ?? "text",
    content: command.content,
    tokens: act.tokenizer.count(text),
    digest: sha256Hex(text),
  };
  for (const field of OPTIONAL_FIELDS) {
    if (command[field] !== undefined) Object.assign(data, { [field]: command[field] });
  }
  return events({ type: "SpanAdmitted", data });
}

const OPTIONAL_FIELDS = [
  "message",
  "call",
  "tool",
  "group",
  "sealed",
  "pinned",
  "source",
  "provider",
] as const;

/** Call ids are unique for ever; a result finds its call live and comes once. */
function callProblems(state: WindowState, command: CommandOf<"admitSpan">): Refusal[] {
  const { call, kind = "text" } = command;
  if (call === undefined) return [];
  if (kind !== "tool-call" && kind !== "tool-result") {
    return [refusal("invalid-command", `a span of kind ${kind} has no call: leave the field out`)];
  }
  const bond = state.spans.call(call);
  if (kind === "tool-call") {
    if (bond === undefined) return [];
    return [refusal("id-taken", `call ${call} was made before: call ids are unique`, { call })];
  }
  if (bond?.results.some((index) => markOf(state, index) !== ABSENT) === true) {
    return [
      refusal(
        "duplicate-result",
        `call ${call} has its result already: admit this one as kind other to keep it`,
        { call },
      ),
    ];
  }
  if (bond?.calls.some((index) => markOf(state, index) === LIVE) === true) return [];
  return [
    refusal(
      "call-not-live",
      `call ${call} is not live in this window, so its result has no place: ` +
        "admit it as kind other to keep it",
      { call },
    ),
  ];
}

export function decideMarkRead(state: WindowState, { spanIds }: CommandOf<"markRead">): Outcome {
  const { problems } = liveSpans(state, spanIds);
  if (problems.length > 0) return refused(...problems);
  return events({ type: "SpansRead", data: { spanIds } });
}

/** A recall brings the content of a span out of view back as a new span, not the span itself. */
export function decideRecall(
  state: WindowState,
  { spanId, as }: CommandOf<"recall">,
  act: Act,
): Outcome {
  const span = findSpan(state, spanId);
  if (span === undefined) return refused(unknownSpan(spanId));
  const taken = spanIdTaken(state, as);
  if (taken.length > 0) return refused(...taken);
  if (markOf(state, span.index) === LIVE) return NOTHING;
  if (span.sealed) {
    return refuse(
      "bond-broken",
      `span ${spanId} is sealed: it can be live at its own place only; undo the edit that took it`,
      { spanId },
    );
  }
  const { wanted, lost } = checkContent(state, [span], act.facts);
  if (wanted.length > 0) return { kind: "wanted", content: wanted };
  if (lost.length > 0) return refused(...lost.map(lostContent));
  return events({ type: "SpanAdmitted", data: recallData(state, span, as) });
}

function recallData(
  state: WindowState,
  span: Span,
  as: string | undefined,
): WindowEventOf<"SpanAdmitted">["data"] {
  // A recall plays no part in a bond: a call or result that it repeats stays with the first one.
  const kind = span.kind === "text" ? "text" : "other";
  return {
    spanId: as ?? mintSpanId(state, state.revision + 1),
    origin: span.origin,
    kind,
    tokens: span.tokens,
    digest: span.digest,
    ...(span.tool !== undefined && { tool: span.tool }),
    ...(span.source !== undefined && { source: span.source }),
    ...(span.origin === "system" && { pinned: false }),
    recallOf: span.recallOf ?? span.id,
  };
}

export function unknownSpan(spanId: string): Refusal {
  return refusal(
    "unknown-span",
    `no span ${spanId} was ever admitted to this window: look at show for ids`,
    { spanId },
  );
}

export function lostContent({ span, problem }: { span: Span; problem: string }): Refusal {
  return refusal(
    "irreversible-edit",
    `the content of span ${span.id} (revision ${span.contentRevision}) is lost: ${problem}; ` +
      "nothing was changed and nothing is made up; restore the store from a copy that has it",
    { spanId: span.id, revision: span.contentRevision },
  );
}

/** The spans by id, and a refusal for each that is unknown or not live. */
export function liveSpans(
  state: WindowState,
  ids: readonly string[],
): { readonly spans: Span[]; readonly problems: Refusal[] } {
  const spans: Span[] = [];
  const problems: Refusal[] = [];
  for (const id of ids) {
    const index = state.spans.indexOf(id);
    if (index === undefined) problems.push(unknownSpan(id));
    else if (markOf(state, index) !== LIVE) problems.push(spanNotLive(state, id, index));
    else spans.push(spanAt(state, index));
  }
  return { spans, problems };
}

function spanNotLive(state: WindowState, spanId: string, index: number): Refusal {
  const mark = markOf(state, index);
  const by = mark > 0 ? state.edits.get(mark - 1)?.id : undefined;
  return refusal(
    "span-not-live",
    by === undefined
      ? `span ${spanId} is not on this line of the window's history: rewind, or recall it`
      : `span ${spanId} is out of view, edit ${by} took it: undo the edit, or recall the span`,
    { spanId, ...(by !== undefined && { editId: by }) },
  );
}
