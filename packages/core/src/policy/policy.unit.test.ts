import { beforeAll, describe, expect, it } from "vitest";
import { countSteps, startCounting } from "../testing/work.ts";
import { MAX_DOCUMENT, parsePolicy } from "./document.ts";
import type { SpanFacts } from "./facts.ts";
import { selectCandidates } from "./select.ts";

beforeAll(startCounting);

const stepsOf = async (task: () => unknown) => (await countSteps(task)).steps;

const plain = { name: "p", targetTokens: 0, rank: "span.age" };
const text = (fields: object) => JSON.stringify({ ...plain, ...fields });
const window = { tokens: 300, budget: 0, epoch: 1 };
const alone = (id: string) => [id];

function spans(...ids: readonly string[]): SpanFacts[] {
  return ids.map((id, i) => ({
    id,
    kind: "text",
    origin: "tool",
    tokens: 100,
    age: i,
    idle: i,
    reads: 0,
    claims: 0,
    contested: false,
    pinned: false,
    edited: false,
  }));
}

const three = spans("s0", "s1", "s2");

/** What a document does to a window of three spans. */
function outcome(document: string) {
  const parsed = parsePolicy(document);
  if (!parsed.ok) return { problems: parsed.problems };
  return selectCandidates(parsed.policy, window, three, alone);
}

const prototype = "the prototype chain is not a field of a span";

/** Expressions that ask for what a policy may not see or do, and why each is refused. */
const refusedExpressions: readonly [string, string][] = [
  ["records", "Unknown variable: records"],
  ["record", "Unknown variable: record"],
  ["edits", "Unknown variable: edits"],
  ["span.record", "No such key: record"],
  ["span.records", "No such key: records"],
  ["span.recoveryRecord", "No such key: recoveryRecord"],
  ["span.RecoveryRecorded", "No such key: RecoveryRecorded"],
  ["span.Age", "No such key: Age"],
  ["span.content", "No such key: content"],
  ["span.digest", "No such key: digest"],
  ["span.revision", "No such key: revision"],
  ["window.edits", "No such key: edits"],
  ["window.records", "No such key: records"],
  ["window.spans", "No such key: spans"],
  ["state", "Unknown variable: state"],
  ["globalThis", "Unknown variable: globalThis"],
  ["process", "Unknown variable: process"],
  ["span.__proto__", prototype],
  ["span.constructor", prototype],
  ["span.prototype", prototype],
  ["span.hasOwnProperty", prototype],
  ["span.toString()", "must not use toString()"],
  ["span.constructor()", "must not use constructor()"],
  ['span["__proto__"]', "must not use an index"],
  ["span[span.id]", "must not use an index"],
  ['window["tok" + "ens"]', "must not use an index"],
  ["__proto__", "Reserved identifier: __proto__"],
  ["constructor", "Unknown variable: constructor"],
  ["span", "must be a number, not Span"],
  ["window", "must be a number, not Window"],
  ["dyn(span).records", "must not use dyn()"],
  ["type(span)", "must not use type()"],
  ["cel", "must be a number, not CelNamespace"],
  ["cel.bind(a, span.id + span.id, size(a + a))", "Exceeded maxCallArguments"],
  ["size([1, 2].map(a, [1, 2].map(b, a * b)))", "must not use map()"],
  ["[1, 2].exists(a, a > 1) ? 1 : 2", "must not use exists()"],
  ["[1].all(a, [1].all(b, true)) ? 1 : 2", "must not use all()"],
  ["size([1].filter(a, true))", "must not use filter()"],
  ["has(span.age) ? 1 : 2", "must not use has()"],
  ['"aaaaaaaaaaaaaaaaaaaaaaaaaaaaa!".matches("(a+)+$") ? 1 : 2', "must not use matches()"],
  ['timestamp("2031-01-01T00:00:00Z").getFullYear()', "must not use getFullYear()"],
  ['size(string(timestamp("2031-01-01T00:00:00Z")))', "must not use string()"],
  ["now()", "must not use now()"],
  ["random()", "must not use random()"],
  ["duration(1)", "must not use duration()"],
  ["span.age; span.age", "Unexpected character: ;"],
  ["span.age = 1", "Unexpected character: ="],
  ["() => 1", "Unexpected token"],
  ["sp\u0430n.age", "holds U+0430 at 2"],
  ["span.\u0430ge", "holds U+0430 at 5"],
  ["span\u2024age", "holds U+2024 at 4"],
  ["\uff53pan.age", "holds U+FF53 at 0"],
  ["span.age /*\u202e*/", "holds U+202E at 11"],
  ["span.age\u200b", "holds U+200B at 8"],
  ["span.age\u0000", "holds U+0000 at 8"],
  ["\u{1d5cc}pan.age", "holds U+1D5CC at 0"],
  ["", "Unexpected token: EOF"],
  ["true", "must be a number, not bool"],
  ["span.id", "must be a number, not string"],
  ["null", "must not use null"],
  ["1u", "must not use null, bytes or unsigned numbers"],
  ['size(b"x")', "must not use null, bytes or unsigned numbers"],
  ["[1]", "must be a number, not list<int>"],
  ['{"a": 1}', "Exceeded maxMapEntries"],
  ["span.age * 1.5", "write double(…) around the whole number"],
  ["span.age + span.id", "no such overload: int + string"],
  ["span.pinned ? 1 : 2.0", "write double(…) around the whole number"],
  ["99999999999999999999", "more than 64 bits"],
  ["1".repeat(2_001), "is longer than 2000"],
  ["1+".repeat(500), "Exceeded maxAstNodes"],
  ["!".repeat(1_500), "Unexpected token: EOF"],
  [`${"(".repeat(900)}1${")".repeat(900)}`, "Exceeded maxDepth"],
  [`${"[".repeat(900)}1${"]".repeat(900)}`, "Exceeded maxDepth"],
  [`${"size(".repeat(300)}1${")".repeat(300)}`, "Exceeded maxDepth"],
  [`span.age in [${"1,".repeat(400)}1] ? 1 : 2`, "Exceeded maxListElements"],
  ["size(1, 2, 3, 4, 5)", "Exceeded maxCallArguments"],
];

describe("hostile expressions", () => {
  const titled = refusedExpressions.map(([rank, why]) => [rank.slice(0, 60), why, rank] as const);
  it.each(titled)("%j is refused: %s", (_, why, rank) => {
    const expected = why === prototype ? "No such key" : why;
    expect(outcome(text({ rank }))).toEqual({
      problems: [expect.stringContaining(expected)],
    });
  });

  it("each refusal is one short line", () => {
    for (const [rank] of refusedExpressions) {
      const parsed = parsePolicy(text({ rank }));
      const problem = parsed.ok ? "" : (parsed.problems[0] ?? "");
      expect(problem.length).toBeLessThan(300);
      expect(problem).toMatch(/^rank: [^\n]+$/);
    }
  });

  it("leave the checker as it was: a good policy still passes after all of them", () => {
    for (const [keep] of refusedExpressions) parsePolicy(text({ keep }));
    expect(outcome(text({}))).toMatchObject({ ids: ["s0", "s1", "s2"] });
  });
});

describe("hostile documents", () => {
  it.each([
    ["not JSON", "keep everything", ["the document is not JSON"]],
    ["half of one", '{"name": "p"', ["the document is not JSON"]],
    ["JSON with comments", '{"name": "p" /* */}', ["the document is not JSON"]],
    ["an empty one", "", ["the document is not JSON"]],
    ["deep nesting", "[".repeat(MAX_DOCUMENT), ["the document is not JSON"]],
    ["too long", " ".repeat(MAX_DOCUMENT + 1), [/longer than 8192/]],
    ["null", "null", [/expected object/]],
    ["an array", "[]", [/expected object/]],
    ["a string", '"keep"', [/expected object/]],
    ["no fields", "{}", [/^name: /, /^targetTokens: /, /^rank: /]],
    ["an unknown field", text({ commit: true }), [/Unrecognized key: "commit"/]],
    ["a look-alike of a field", text({ "k\u0435ep": "true" }), [/Unrecognized key/]],
    ["a field in another case", text({ Keep: "true" }), [/Unrecognized key: "Keep"/]],
    ["candidates of its own", text({ candidates: ["s1"] }), [/Unrecognized key/]],
    ["__proto__", `{"__proto__": {"keep": "true"}, ${text({}).slice(1)}`, [/"__proto__"/]],
    ["constructor", text({ constructor: { name: "x" } }), [/"constructor"/]],
    ["a boolean for keep", text({ keep: true }), [/^keep: .*expected string/]],
    ["a number for rank", text({ rank: 1 }), [/^rank: .*expected string/]],
    ["null for keep", text({ keep: null }), [/^keep: .*expected string/]],
    ["half a token", text({ targetTokens: 0.5 }), [/^targetTokens: /]],
    ["less than nothing", text({ targetTokens: -1 }), [/^targetTokens: /]],
    ["a target in words", text({ targetTokens: "60000" }), [/^targetTokens: /]],
    ["a target beyond all", '{"name":"p","targetTokens":1e999,"rank":"1"}', [/^targetTokens: /]],
    ["no name", text({ name: "" }), [/^name: /]],
    ["a name without end", text({ name: "n".repeat(121) }), [/^name: /]],
    ["a name over lines", text({ name: "p\nkeep" }), [/^name: .*invisible/]],
    ["a name that runs backwards", text({ name: "a\u202eb" }), [/^name: .*invisible/]],
    [
      "a name that is half a character",
      '{"name":"\\ud800","targetTokens":0,"rank":"1"}',
      [/^name/],
    ],
    ["rank given twice", `{"rank": "-span.age", ${text({}).slice(1)}`, ["rank is given twice"]],
    ["rank given in disguise", `{"r\\u0061nk": "1", ${text({}).slice(1)}`, ["rank is given twice"]],
    ["a keep that is a number", text({ keep: "span.age" }), [/^keep: must be a bool, not int/]],
    ["a keep in words", text({ keep: '"true"' }), [/^keep: must be a bool, not string/]],
    ["two bad expressions", text({ keep: "x", rank: "y" }), [/^keep: .*: x/, /^rank: .*: y/]],
  ])("%s: refused", (_, document, expected) => {
    const parsed = parsePolicy(document);
    expect(parsed).toEqual({
      ok: false,
      problems: expected.map((one) => expect.stringMatching(one)),
    });
  });

  it("lists a bounded number of problems, each of bounded length", () => {
    const fields = Object.fromEntries(Array.from({ length: 500 }, (_, i) => [`f${i}`, 0]));
    const parsed = parsePolicy(text(fields));
    if (parsed.ok) throw new Error("accepted");
    expect(parsed.problems.length).toBeLessThanOrEqual(20);
    for (const problem of parsed.problems) expect(problem.length).toBeLessThan(300);
  });

  it("a key without end among strings with escapes is read in a few steps a character", async () => {
    const document = `{"${"\\\\".repeat(2_000)}": "${'\\"'.repeat(1_000)}"`;
    expect(await stepsOf(() => parsePolicy(document))).toBeLessThan(20 * document.length);
  });
});

describe("policies that pass and are of no use", () => {
  it.each([
    ["keeps everything", { keep: "true" }],
    ["keeps by a tautology", { keep: "span.age >= 0" }],
  ])("%s: prunes nothing", (_, fields) => {
    expect(outcome(text(fields))).toMatchObject({ ids: [], problemCount: 0 });
  });

  it("keeps nothing: prunes all that is not pinned", () => {
    expect(outcome(text({ keep: "false" }))).toMatchObject({ ids: ["s0", "s1", "s2"], tokens: 0 });
  });

  it.each([
    ["NaN", "0.0 / 0.0", "rank: is NaN"],
    ["infinity", "1.0 / 0.0", "rank: is Infinity"],
    ["minus infinity", "-1.0 / 0.0", "rank: is -Infinity"],
    ["NaN by its name", 'double("NaN")', "rank: is NaN"],
    ["a whole number beyond all doubles", "int(1e300) * 1", "overflow"],
    ["division by zero", "1 / span.reads", "division by zero"],
    ["modulo zero", "1 % span.reads", "modulo by zero"],
    ["overflow", "9223372036854775807 + 1 + span.age", "overflow"],
    ["a word as a number", "double(span.id)", "double"],
    ["a fraction of a word", "int(span.id)", "int"],
  ])("a rank that is %s: every span kept, and told", (_, rank, why) => {
    const found = outcome(text({ rank }));
    expect(found).toMatchObject({ ids: [], problemCount: 3 });
    expect("ids" in found && found.problems[0]?.problem).toContain(why);
  });

  it("a keep that fails: every span kept, and told", () => {
    const found = outcome(text({ keep: "10 / span.reads > 1" }));
    expect(found).toMatchObject({ ids: [], problemCount: 3 });
  });

  it("a keep that fails on one side of an or is as good as the other side", () => {
    expect(outcome(text({ keep: "10 / span.reads > 1 || true" }))).toMatchObject({
      ids: [],
      problemCount: 0,
    });
  });

  it("ids like those of prototypes are ids like any other", () => {
    const parsed = parsePolicy(text({ keep: 'span.id.startsWith("__")' }));
    if (!parsed.ok) throw new Error("refused");
    const odd = spans("__proto__", "constructor", "toString");
    const { ids } = selectCandidates(parsed.policy, window, odd, alone);
    expect(ids).toEqual(["constructor", "toString"]);
  });

  it("facts that are not whole numbers keep the span, and are reported", () => {
    const parsed = parsePolicy(text({}));
    if (!parsed.ok) throw new Error("refused");
    const odd = three.map((span) => ({ ...span, reads: Number.NaN }));
    const selection = selectCandidates(parsed.policy, window, odd, alone);
    expect(selection).toMatchObject({ ids: [], problemCount: 3 });
  });

  it("the largest expression there can be is evaluated in a bounded number of steps for each span", async () => {
    const rank = `1${" + span.reads".repeat(66)}`;
    const parsed = parsePolicy(text({ rank }));
    if (!parsed.ok) throw new Error(parsed.problems.join());
    const many = spans(...Array.from({ length: 1_000 }, (_, i) => `s${i}`));
    const big = { ...window, tokens: 1_000_000 };
    const steps = await stepsOf(() => selectCandidates(parsed.policy, big, many, alone));
    expect(steps).toBeLessThan(5_000 * many.length);
  });
});
