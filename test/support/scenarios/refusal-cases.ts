import type { RefusalCode } from "@palimpsest/core";
import {
  admit,
  callSpan,
  evict,
  propose,
  redo,
  resultSpan,
  rewind,
  rewrite,
  settle,
  undo,
} from "./commands.ts";
import type { RefusalCase } from "./refusal-case.ts";
import { claimRefusals } from "./refusal-cases-claims.ts";

const merge = undo("e1", { strategy: "merge" });
const twoRewrites = [admit("s1"), rewrite("e1", ["s1"], "s2"), rewrite("e2", ["s2"], "s3")];
const longChain = Array.from({ length: 257 }, (_, i) =>
  rewrite(`e${i + 1}`, [`s${i}`], `s${i + 1}`),
);
const pair = [callSpan("c"), resultSpan("c")];
const spansOfCall = ["call:c", "result:c"];

/** At least one way to each code; a code without an entry fails to compile. */
export const refusalCases = {
  "invalid-command": [
    { when: { command: "evict", consumes: [] } },
    { when: { command: "forget" } },
    { given: twoRewrites, when: undo("e1", { content: "for merge only" }) },
  ],
  "command-id-reused": [
    { given: [admit("s1", { commandId: "c" })], when: admit("s2", { commandId: "c" }) },
  ],
  "permission-denied": [
    { when: admit("s1", { by: "human/stranger" }) },
    { when: admit("s1", { by: "model/m" }) },
    { when: { command: "show", by: "human/stranger" } },
  ],
  "wrong-expected-revision": [
    { when: admit("s1", { expectedRevision: 7 }), facts: { expected: 7, actual: 0 } },
    {
      open: false,
      when: { command: "openWindow", expectedRevision: 0 },
      facts: { expected: 0, actual: null },
    },
  ],
  "window-not-open": [
    { open: false, when: admit("s1") },
    { open: false, when: { command: "show" } },
    { open: false, when: { command: "render" } },
  ],
  "window-exists": [{ when: { command: "openWindow" } }],
  "unknown-span": [
    { when: evict("e1", ["nobody"]), facts: { spanId: "nobody" } },
    { when: { command: "recall", spanId: "nobody" }, facts: { spanId: "nobody" } },
    { when: { command: "markRead", spanIds: ["nobody"] }, facts: { spanId: "nobody" } },
  ],
  "unknown-edit": [
    { when: undo("nobody"), facts: { editId: "nobody" } },
    { when: redo("nobody"), facts: { editId: "nobody" } },
    { when: { command: "probe", editId: "nobody" }, facts: { editId: "nobody" } },
    { when: { command: "status", editId: "nobody" }, facts: { editId: "nobody" } },
  ],
  "id-taken": [
    { given: [admit("s1")], when: admit("s1"), facts: { spanId: "s1" } },
    { given: pair, when: callSpan("c", { spanId: "other" }), facts: { call: "c" } },
    {
      given: [admit("s1"), evict("e1", ["s1"])],
      when: rewind(0, { as: "e1" }),
      facts: { editId: "e1" },
    },
  ],
  "span-not-live": [
    {
      given: [admit("s1"), evict("e1", ["s1"])],
      when: evict("e2", ["s1"]),
      facts: { spanId: "s1", editId: "e1" },
    },
    { given: [admit("s1"), rewind(0)], when: evict("e2", ["s1"]), facts: { spanId: "s1" } },
  ],
  "not-contiguous": [
    {
      given: [admit("s1"), admit("s2"), admit("s3")],
      when: rewrite("e1", ["s1", "s3"], "p"),
      facts: { between: 1 },
    },
  ],
  "already-undone": [
    {
      given: [admit("s1"), evict("e1", ["s1"]), undo("e1")],
      when: undo("e1"),
      facts: { editId: "e1" },
    },
  ],
  "not-undone": [
    { given: [admit("s1"), evict("e1", ["s1"])], when: redo("e1"), facts: { editId: "e1" } },
  ],
  "stale-edit": [
    {
      given: twoRewrites,
      when: undo("e1"),
      facts: { editId: "e1", blockers: ["e2"], plan: { order: ["e2", "e1"] } },
    },
  ],
  "already-merged": [
    {
      given: [...twoRewrites, undo("e1", { strategy: "merge", content: "resolved" })],
      when: merge,
      facts: { editId: "e1" },
    },
  ],
  "not-mergeable": [
    { given: [...twoRewrites, evict("e3", ["s3"])], when: merge, facts: { editId: "e1" } },
  ],
  "merge-conflict": [
    {
      given: twoRewrites,
      when: merge,
      facts: { base: "text of s2", theirs: "text of s1", ours: "text of s3" },
    },
  ],
  superseded: [
    {
      given: [admit("s1"), evict("e1", ["s1"]), rewind(1, { as: "e2" }), evict("e3", ["s1"])],
      when: undo("e2"),
      facts: { editId: "e2", rewindTo: 3 },
    },
  ],
  "irreversible-edit": [
    {
      given: [admit("s1"), evict("e1", ["s1"])],
      lost: 1,
      when: undo("e1"),
      facts: { spanId: "s1", revision: 1 },
    },
  ],
  "closure-broken": [
    {
      given: [admit("s1"), admit("s2"), evict("e1", ["s1"]), propose("q1", ["s2"])],
      emptied: 3,
      when: settle("q1", { by: "human/p" }),
      facts: { unclosed: ["e1"] },
    },
  ],
  "out-of-range": [
    { when: rewind(5), facts: { to: 5, last: 0 } },
    { given: [admit("s1"), evict("e1", ["s1"])], when: rewind(2), facts: { to: 2, nearest: 1 } },
    { when: { command: "show", at: 9 }, facts: { at: 9, last: 0 } },
  ],
  "cascade-too-large": [
    {
      given: [admit("s0"), ...longChain],
      when: undo("e1", { strategy: "cascade" }),
      facts: { editId: "e1", edits: 257, rewindTo: 1 },
    },
  ],
  "bond-broken": [
    { given: pair, when: evict("e1", ["call:c"]), facts: { call: "c", spans: spansOfCall } },
    { given: pair, when: rewind(1), facts: { call: "c", nearest: 0 } },
    {
      given: [admit("s1", { sealed: true })],
      when: rewrite("e1", ["s1"], "p"),
      facts: { spanId: "s1" },
    },
  ],
  "open-call": [
    { given: [callSpan("c")], when: evict("e1", ["call:c"]), facts: { call: "c" } },
    { given: [callSpan("c")], when: rewind(0), facts: { calls: ["c"] } },
    {
      given: pair,
      when: evict("e1", ["call:c", "result:c"], { via: "c" }),
      facts: { spanId: "call:c" },
    },
  ],
  "duplicate-result": [
    { given: pair, when: resultSpan("c", { spanId: "twice" }), facts: { call: "c" } },
  ],
  "call-not-live": [{ when: resultSpan("c"), facts: { call: "c" } }],
  pinned: [
    {
      given: [admit("s1", { pinned: true })],
      when: evict("e1", ["s1"]),
      facts: { spanId: "s1" },
    },
  ],
  ...claimRefusals,
  "content-too-large": [
    { maxAppendBytes: 2_000, when: admit("s1", { content: "x".repeat(2_000) }) },
    {
      given: [admit("s1")],
      maxAppendBytes: 2_000,
      when: rewrite("e1", ["s1"], "s2", "x".repeat(2_000)),
    },
  ],
} satisfies Record<RefusalCode, readonly RefusalCase[]>;
