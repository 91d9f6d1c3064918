import type { JsonObject } from "@palimpsest/core";
import { contentDigest } from "@palimpsest/core";
import type { Block, Source } from "./blocks.ts";
import { providerOf } from "./blocks.ts";
import type { OpenCall } from "./calls.ts";
import type { AdmitSpan, Draft, PlacedMessage, RecordedMessage } from "./draft.ts";
import type { LiveSpan } from "./live.ts";

/** One message of a recording, or the part of it that stands together. */
export interface Message extends RecordedMessage {
  /** At least one. */
  readonly blocks: readonly Block[];
}

/** The text of the result that is written for a call without one. */
export const INTERRUPTED = "interrupted: the recording holds no result for this call";

/** Admits a message, one span for each block. */
export function admitMessage(draft: Draft, message: Message): void {
  const at = message.blocks[0]?.from.at ?? 0;
  const placed = draft.messageOf(message, at);
  closeRepeated(draft, message.blocks, placed);
  const bound = boundBlocks(message.blocks);
  const group = bound.size === 0 ? undefined : `g${at}`;
  for (const block of message.blocks) {
    const common = {
      placed,
      ...(bound.has(block) && group !== undefined ? { group } : {}),
    };
    admitBlock(draft, block, common);
  }
}

/**
 * The blocks of a message that go or stay together. Providers refuse a call whose reasoning is gone
 * and reasoning that nothing follows: reasoning is bound to the calls of its message or, where it
 * led to none, to the text.
 */
function boundBlocks(blocks: readonly Block[]): Set<Block> {
  const reasoning = blocks.filter((block) => block.kind === "reasoning");
  const calls = blocks.filter((block) => block.kind === "tool-call");
  const texts = blocks.filter((block) => block.kind === "text");
  const followers = calls.length > 0 ? calls : texts;
  if (reasoning.length === 0 || followers.length === 0) return new Set();
  return new Set([...reasoning, ...followers]);
}

/** A call whose recorded id is used again can no longer be answered: the id means the new call. */
function closeRepeated(draft: Draft, blocks: readonly Block[], placed: PlacedMessage): void {
  const calls = blocks.filter((block) => block.kind === "tool-call");
  const [first] = calls;
  if (!first) return;
  const ids = new Set(calls.map((block) => block.callId ?? ""));
  const isRepeated = (open: OpenCall) => ids.has(open.recordedId) && open.message !== placed.id;
  closeCalls(draft, first.from, isRepeated);
}

interface Common {
  readonly placed: PlacedMessage;
  readonly group?: string;
}

function admitBlock(draft: Draft, block: Block, common: Common): void {
  const spanId = draft.spanIds.name(block.from.at);
  const index = common.placed.nextIndex;
  common.placed.nextIndex += 1;
  const bond = bondOf(draft, block, common.placed, spanId);
  const provider = providerOf(block.provider, bond.provider);
  const command: AdmitSpan = {
    command: "admitSpan",
    spanId,
    origin: block.origin,
    kind: bond.kind,
    content: draft.stored(block.content, block.from, spanId),
    message: { id: common.placed.id, index },
    ...(bond.call === undefined ? {} : { call: bond.call }),
    ...(bond.tool === undefined ? {} : { tool: bond.tool }),
    ...(common.group === undefined ? {} : { group: common.group }),
    ...(block.sealed === true ? { sealed: true } : {}),
    ...("provider" in provider
      ? { provider: draft.stored(provider.provider, block.from, spanId) }
      : {}),
  };
  draft.admit(command, {
    ...liveSpan(command, block.from),
    message: common.placed.id,
    ...(block.likeness === undefined ? {} : { likeness: block.likeness }),
  });
}

function liveSpan(command: AdmitSpan, from: Source): LiveSpan {
  return {
    spanId: command.spanId ?? "",
    origin: command.origin,
    at: from.at,
    ...(from.uuid === undefined ? {} : { uuid: from.uuid }),
    ...(command.call === undefined ? {} : { call: command.call }),
    ...(command.kind === "tool-result"
      ? { isResult: true, digest: contentDigest(command.content) }
      : {}),
    ...(command.group === undefined ? {} : { group: command.group }),
    ...(command.sealed === undefined ? {} : { sealed: command.sealed }),
  };
}

type Bond = Pick<AdmitSpan, "call" | "tool"> & {
  readonly kind: Block["kind"];
  readonly provider?: JsonObject;
};

/** Binds calls and results; a result that answers no open call becomes a span of kind `other`. */
function bondOf(draft: Draft, block: Block, placed: PlacedMessage, spanId: string): Bond {
  const { at } = block.from;
  const recordedId = block.callId ?? "";
  const name = draft.stored(block.tool?.name ?? "", block.from, spanId);
  if (block.kind === "tool-call") {
    const { call, renamed } = draft.calls.open(recordedId, name, placed.id, at);
    draft.report.calls += 1;
    if (!renamed) return { kind: block.kind, call: call.call, tool: { name } };
    draft.report.renamedCalls += 1;
    draft.note("renamed-call", at, call.call);
    return { kind: block.kind, call: call.call, tool: { name }, provider: { callId: recordedId } };
  }
  if (block.kind !== "tool-result") return { kind: block.kind };
  const call = draft.calls.answer(recordedId);
  if (!call) {
    draft.report.orphanResults += 1;
    draft.note("orphan-result", at, spanId);
    return { kind: "other", provider: { callId: recordedId, ...(name ? { name } : {}) } };
  }
  draft.report.results += 1;
  const provider = {
    ...(call.call === recordedId ? {} : { callId: recordedId }),
    ...(name === "" || name === call.tool ? {} : { name }),
  };
  const tool = { ...block.tool, name: call.tool };
  return { kind: block.kind, call: call.call, tool, provider };
}

/**
 * Writes a result of status `interrupted` for every open call that `which` names. What arrives for
 * such a call later is a result without a call.
 */
export function closeCalls(
  draft: Draft,
  from: Source,
  which: (call: OpenCall) => boolean = () => true,
): void {
  for (const call of draft.calls.openCalls().filter(which)) {
    draft.calls.close(call);
    const command: AdmitSpan = {
      command: "admitSpan",
      spanId: draft.spanIds.name(from.at),
      origin: "host",
      kind: "tool-result",
      content: INTERRUPTED,
      call: call.call,
      tool: { name: call.tool, status: "interrupted" },
    };
    draft.admit(command, liveSpan(command, from));
    draft.report.interruptedCalls += 1;
    draft.note("interrupted-call", from.at, call.call);
  }
}
