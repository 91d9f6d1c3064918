import {
  chatCalls,
  chatResult,
  claude,
  claudeBoundary,
  claudeCall,
  claudeResult,
  codexCall,
  codexMessage,
  codexOutput,
} from "./recorded-lines.ts";

/** One way to write down who calls, who answers, and what else happens in between. */
export interface Recorder {
  readonly says: (text: string) => object;
  readonly calls: (id: string) => object;
  readonly answers: (id: string) => object;
  /** Lines of a compaction; none where the format knows of none. */
  readonly compacts: () => object[];
}

export const recorders: readonly (readonly [name: string, recorder: Recorder])[] = [
  [
    "Claude Code",
    {
      says: (text) => claude("user", text),
      calls: (id) => claude("assistant", [claudeCall(id)]),
      answers: (id) => claude("user", [claudeResult(id)]),
      compacts: () => [claudeBoundary(), claude("user", "Summary.", { isCompactSummary: true })],
    },
  ],
  [
    "Codex",
    {
      says: (text) => codexMessage("user", text),
      calls: codexCall,
      answers: codexOutput,
      compacts: () => [{ type: "compacted", payload: { message: "Summary." } }],
    },
  ],
  [
    "an OpenAI-style chat",
    {
      says: (text) => ({ role: "user", content: text }),
      calls: (id) => chatCalls(id),
      answers: chatResult,
      compacts: () => [],
    },
  ],
];
