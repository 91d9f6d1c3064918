/*
 * For every field of every command, values that it does not take. Written down by hand, so that the
 * schemas are tried against something else than themselves.
 */

const digest = "0".repeat(64);

const noId = [null, 1, true, [], {}, "", "a b", "a/b", "ä", "a\n", "x".repeat(129), ["s1"]];
const noIds = [null, 1, "s1", {}, [], ["s1", "s1"], [1], [null], [""], ["a b"], [["s1"]]];
const noText = [null, 1, true, [], {}, "x".repeat(2_001)];
const noBoolean = [null, 0, 1, "true", [], {}];
const noWhole = [null, "1", 1.5, true, [], {}, 2 ** 53, -(2 ** 53)];
const noName = [null, 1, true, [], {}, ""];
const noWord = [null, 1, true, "", "User", "model", "__proto__", "toString", [], {}];
/** What JSON cannot hold, or what readers of JSON do not read alike. */
const noJson = [Number.NaN, Number.POSITIVE_INFINITY, 1n, () => 1, Symbol("x"), 2 ** 53, "\ud800"];

/** By name of the field; where a command has another of that name, by name of both. */
export const junk: Readonly<Record<string, readonly unknown[]>> = {
  command: [null, 1, true, "", "Evict", "evict ", "__proto__", "constructor", "toString", [], {}],
  commandId: noId,
  claimId: noId,
  carrier: noId,
  supersedes: noId,
  supersededBy: noId,
  policyId: noId,
  proposalId: noId,
  a: noId,
  b: noId,
  via: noId,
  spanId: noId,
  editId: noId,
  as: noId,
  call: noId,
  group: noId,
  by: [...noName, "x".repeat(161)],
  expectedRevision: [null, -1, 1.5, "1", true, "none", "", [], {}],
  budgetTokens: [...noWhole, 0, -1],
  tokenizer: [...noName, "x".repeat(129)],
  origin: noWord,
  kind: noWord,
  strategy: [...noWord, "force"],
  statement: [...noText, ""],
  scope: noText,
  key: [...noText, ""],
  note: noText,
  reason: [...noText, "", " \n"],
  "settlePruning.reason": noText,
  rationale: [null, 1, true, [], {}, "x".repeat(20_001)],
  decision: [...noWord, "Commit", "commit ", "empty"],
  onEvidence: [...noWord, "drop", "commit"],
  quote: noName,
  uri: noName,
  digest: [1, true, [], {}, "", digest.slice(1), "A".repeat(64), `${digest}0`],
  because: [
    ...[null, "s1", {}, [1], [null], ["s1"], [{}], [{ span: "s1" }], [{ quote: "x" }]],
    ...[[{ claim: 1 }], [{ claim: "a b" }], [{ uri: "u" }], [{ uri: "u", digest: "x" }]],
    [{ claim: "c1", span: "s1", quote: "x" }],
  ],
  evidence: noBoolean,
  sealed: noBoolean,
  pinned: noBoolean,
  abandonOpenCalls: noBoolean,
  unattended: noBoolean,
  consumes: noIds,
  spanIds: noIds,
  baseRevision: [...noWhole, -1],
  to: noWhole,
  at: noWhole,
  content: noJson,
  provider: noJson,
  value: noJson,
  document: noJson,
  candidates: [
    ...[null, 1, "s1", {}, [1], [null], [["s1"]], [{}], ["\ud800"], ["s1", true]],
    ...[[{ consumes: ["s1"] }], [{ content: "x" }], [{ consumes: "s1", content: "x" }]],
    ...[[{ consumes: [1], content: "x" }], [{ consumes: [["s1"]], content: "x" }]],
    [{ consumes: ["s1"], content: "x", more: 1 }],
  ],
  commands: [null, {}, "x", 1, [null], [1], ["evict"], [[]], [{}]],
  message: [
    ...[null, "m", 1, [], {}, { id: "m" }, { index: 0 }, { id: "m", index: 0, more: 1 }],
    ...[
      { id: "a b", index: 0 },
      { id: "m", index: -1 },
      { id: "m", index: 0.5 },
    ],
  ],
  tool: [
    null,
    "ls",
    1,
    [],
    {},
    { name: 1 },
    { name: "ls", status: "done" },
    { name: "ls", more: 1 },
  ],
  source: [
    ...[null, "uri", 1, [], {}, { uri: "u" }, { digest }, { uri: "", digest }],
    ...[
      { uri: "u", digest: digest.slice(1) },
      { uri: "u", digest: "A".repeat(64) },
      { uri: "u", digest, more: 1 },
    ],
  ],
};
