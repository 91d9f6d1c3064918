import type { Json } from "@palimpsest/core";
import { digestOf, tokensOf } from "./json.ts";
import { admit, call, evict, redo, result, rewind, rewrite, undo } from "./say.ts";

/** What a command does, given two contents. */
export interface CommandCase {
  readonly name: string;
  /** What the empty window answers: an outcome, or the code of the refusal. */
  readonly onEmpty: string;
  /** What comes before it, for contents `content` and `later`, which differ. */
  readonly given: (content: Json, later: Json) => readonly object[];
  readonly when: (content: Json, later: Json) => { readonly command: string };
  /** Its events, as type and data. */
  readonly expected: (content: Json, later: Json) => readonly object[];
  /** Live spans afterwards. */
  readonly live: readonly string[];
}

const record = (editId: string, ordinal: number, ...consumed: readonly object[]) => ({
  type: "RecoveryRecorded",
  data: { editId, ordinal, consumed },
});
const edited = (data: object) => ({ type: "WindowEdited", data });
const born = (spanId: string, revision: number, content: Json) => ({
  spanId,
  revision,
  digest: digestOf(content),
});
const stored = (content: Json) => ({
  content,
  tokens: tokensOf(content),
  digest: digestOf(content),
});
const read = (...spanIds: string[]) => ({ command: "markRead", spanIds });

export const commandCases: readonly CommandCase[] = [
  {
    name: "admitSpan",
    onEmpty: "accepted",
    given: () => [],
    when: (content) => admit("a", { content, message: { id: "m", index: 0 } }),
    expected: (content) => [
      {
        type: "SpanAdmitted",
        data: {
          spanId: "a",
          origin: "user",
          kind: "text",
          message: { id: "m", index: 0 },
          ...stored(content),
        },
      },
    ],
    live: ["a"],
  },
  {
    name: "admitSpan of a result",
    onEmpty: "call-not-live",
    given: (content) => [call("c", "k", { content })],
    when: (_, content) => result("r", "k", { content }),
    expected: (_, content) => [
      {
        type: "SpanAdmitted",
        data: { spanId: "r", origin: "tool", kind: "tool-result", call: "k", ...stored(content) },
      },
    ],
    live: ["c", "r"],
  },
  {
    name: "markRead",
    onEmpty: "unknown-span",
    given: (content) => [admit("a", { content })],
    when: () => read("a"),
    expected: () => [{ type: "SpansRead", data: { spanIds: ["a"] } }],
    live: ["a"],
  },
  {
    name: "rewrite",
    onEmpty: "unknown-span",
    given: (content) => [admit("a", { content }), admit("b")],
    when: (_, content) => rewrite("e1", ["a"], "p", { content }),
    expected: (content, later) => [
      record("e1", 1, born("a", 1, content)),
      edited({
        editId: "e1",
        ordinal: 1,
        verb: "rewrite",
        creates: { spanId: "p", kind: "text", origin: "host", ...stored(later) },
      }),
    ],
    live: ["p", "b"],
  },
  {
    name: "evict",
    onEmpty: "unknown-span",
    given: (content, later) => [admit("a", { content }), admit("b", { content: later })],
    when: () => evict("e1", ["b", "a"]),
    expected: (content, later) => [
      record("e1", 1, born("a", 1, content), born("b", 2, later)),
      edited({ editId: "e1", ordinal: 1, verb: "evict" }),
    ],
    live: [],
  },
  {
    name: "undo",
    onEmpty: "unknown-edit",
    given: (content, later) => [
      admit("a", { content }),
      rewrite("e1", ["a"], "p", { content: later }),
    ],
    when: () => undo("e1", { as: "u" }),
    expected: (_, later) => [
      record("u", 2, born("p", 3, later)),
      edited({ editId: "u", ordinal: 2, verb: "undo", target: "e1" }),
    ],
    live: ["a"],
  },
  {
    name: "undo by cascade",
    onEmpty: "unknown-edit",
    given: (content, later) => [
      admit("a", { content }),
      rewrite("e1", ["a"], "p", { content: later }),
      evict("e2", ["p"]),
    ],
    when: () => undo("e1", { strategy: "cascade", as: "u" }),
    expected: (_, later) => [
      record("e3", 3),
      edited({ editId: "e3", ordinal: 3, verb: "undo", target: "e2" }),
      record("u", 4, born("p", 3, later)),
      edited({ editId: "u", ordinal: 4, verb: "undo", target: "e1" }),
    ],
    live: ["a"],
  },
  {
    name: "undo by merge",
    onEmpty: "unknown-edit",
    given: () => [
      admit("a", { content: "1\n2\n3" }),
      rewrite("e1", ["a"], "p", { content: "one\n2\n3" }),
      rewrite("e2", ["p"], "q", { content: "one\n2\nthree" }),
    ],
    when: () => undo("e1", { strategy: "merge", as: "x" }),
    expected: () => [
      record("x", 3, born("q", 5, "one\n2\nthree")),
      edited({
        editId: "x",
        ordinal: 3,
        verb: "rewrite",
        mergeOf: "e1",
        creates: { spanId: "s7", kind: "text", origin: "host", ...stored("1\n2\nthree") },
      }),
    ],
    live: ["s7"],
  },
  {
    name: "redo",
    onEmpty: "unknown-edit",
    given: (content) => [admit("a", { content }), evict("e1", ["a"]), undo("e1")],
    when: () => redo("e1", { as: "r" }),
    expected: (content) => [
      record("r", 3, born("a", 1, content)),
      edited({ editId: "r", ordinal: 3, verb: "redo", target: "e1" }),
    ],
    live: [],
  },
  {
    name: "rewind",
    onEmpty: "out-of-range",
    given: (content, later) => [admit("a", { content }), call("c", "k", { content: later })],
    when: () => rewind(1, { as: "r", abandonOpenCalls: true }),
    expected: (_, later) => [
      record("r", 1, born("c", 2, later)),
      edited({ editId: "r", ordinal: 1, verb: "rewind", to: 1, abandoned: ["k"] }),
    ],
    live: ["a"],
  },
  {
    name: "recall",
    onEmpty: "unknown-span",
    given: (content) => [admit("a", { content }), evict("e1", ["a"])],
    when: () => ({ command: "recall", spanId: "a", as: "again" }),
    expected: (content) => {
      const { tokens, digest } = stored(content);
      const data = { spanId: "again", origin: "user", kind: "text", tokens, digest };
      return [{ type: "SpanAdmitted", data: { ...data, recallOf: "a" } }];
    },
    live: ["again"],
  },
  {
    name: "batch",
    onEmpty: "accepted",
    given: () => [],
    when: (content) => ({
      command: "batch",
      commands: [admit("a", { content }), evict("e1", ["a"])],
    }),
    expected: (content) => [
      {
        type: "SpanAdmitted",
        data: { spanId: "a", origin: "user", kind: "text", ...stored(content) },
      },
      record("e1", 1, born("a", 1, content)),
      edited({ editId: "e1", ordinal: 1, verb: "evict" }),
    ],
    live: [],
  },
];
