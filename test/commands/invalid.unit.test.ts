import type { Json } from "@palimpsest/core";
import {
  batchSchema,
  createMemoryLog,
  readCommandSchemas,
  Window,
  writeCommandSchemas,
} from "@palimpsest/core";
import { describe, expect, it } from "vitest";
import type { Sent } from "../support/scenarios/commands.ts";
import { admit, batch, batchOf, evict, fact, rewrite } from "../support/scenarios/commands.ts";
import { given } from "../support/scenarios/given.ts";
import { junk } from "../support/scenarios/junk.ts";
import { memoryStore } from "../support/scenarios/stores.ts";

const schemas = { ...writeCommandSchemas, batch: batchSchema, ...readCommandSchemas };
const names = Object.keys(schemas) as (keyof typeof schemas)[];

/** One command of each name that is a command, with the fields that it cannot do without. */
const valid: Readonly<Record<keyof typeof schemas, Sent>> = {
  openWindow: { command: "openWindow" },
  batch: { command: "batch", commands: [] },
  admitSpan: { command: "admitSpan", origin: "user", content: "x" },
  markRead: { command: "markRead", spanIds: ["s1"] },
  rewrite: { command: "rewrite", consumes: ["s1"], content: "x" },
  evict: { command: "evict", consumes: ["s1"] },
  undo: { command: "undo", editId: "e1" },
  redo: { command: "redo", editId: "e1" },
  rewind: { command: "rewind", to: 0 },
  recall: { command: "recall", spanId: "s1" },
  render: { command: "render" },
  assertClaim: { command: "assertClaim", statement: "x" },
  retractClaim: { command: "retractClaim", claimId: "c1", reason: "x" },
  noteConflict: { command: "noteConflict", a: "c1", b: "c2" },
  observeSource: { command: "observeSource", uri: "u", digest: null },
  authorPolicy: { command: "authorPolicy", document: { name: "p", targetTokens: 0, rank: "1" } },
  openEpoch: { command: "openEpoch" },
  proposePruning: { command: "proposePruning" },
  settlePruning: { command: "settlePruning", proposalId: "q1" },
  claims: { command: "claims" },
  policies: { command: "policies" },
  probe: { command: "probe", editId: "e1" },
  show: { command: "show" },
  status: { command: "status" },
  history: { command: "history" },
};

const INVALID = {
  outcome: "refused",
  refusals: [{ code: "invalid-command", message: expect.stringMatching(/\S/) }],
};

/** Sends everything to one window; each is invalid, and nothing is written. */
async function allInvalid(commands: readonly unknown[]): Promise<void> {
  const w = await given(memoryStore);
  const accepted: unknown[] = [];
  for (const command of commands) {
    const answer = await w.send(command);
    if (!isInvalid(answer)) accepted.push([command, answer]);
  }
  expect(accepted).toEqual([]);
  expect(await w.head()).toBe(0);
}

function isInvalid(answer: unknown): boolean {
  try {
    expect(answer).toEqual(INVALID);
    return true;
  } catch {
    return false;
  }
}

const fieldsOf = (name: keyof typeof schemas) => Object.keys(schemas[name].shape);

describe.each(names)("%s is invalid-command", (name) => {
  it("not as it should be", async () => {
    const w = await given(memoryStore);
    const answer = await w.send(valid[name]);
    expect(isInvalid(answer)).toBe(false);
  });

  it("with a value of the wrong type in any of its fields", async () => {
    const commands = fieldsOf(name).flatMap((field) => {
      const values = junk[`${name}.${field}`] ?? junk[field];
      if (values === undefined) throw new Error(`no junk for the field ${field}`);
      return values.map((value) => ({ ...valid[name], [field]: value }));
    });
    await allInvalid(commands);
  });

  it("without a field that it needs", async () => {
    const fields = Object.keys(valid[name]);
    await allInvalid(
      fields.map((field) =>
        Object.fromEntries(Object.entries(valid[name]).filter(([key]) => key !== field)),
      ),
    );
  });

  it("with a key that it does not have", async () => {
    const keys = ["more", "Command", "", "force", "constructor", "toString", "hasOwnProperty"];
    const polluted = JSON.parse(
      `{"__proto__":{"command":"show"},${JSON.stringify(valid[name]).slice(1)}`,
    );
    await allInvalid([...keys.map((key) => ({ ...valid[name], [key]: 1 })), polluted]);
  });

  it("as one of a batch, or as a batch of one", async () => {
    await allInvalid([
      batchOf([{ ...valid[name], more: 1 }]),
      batchOf([{ ...valid[name], commandId: "mine" }]),
      batchOf([{ ...valid[name], expectedRevision: "any" }]),
      batchOf([admit("s1"), { ...valid[name], via: "" }]),
    ]);
  });
});

it("no window is opened with a tokenizer that nobody knows", async () => {
  const window = new Window(createMemoryLog(), "w");
  const open = { command: "openWindow", tokenizer: "nobody/knows" };
  expect(await window.executeJson(open)).toEqual(INVALID);
  expect(await window.executeJson({ command: "batch", commands: [open] })).toEqual(INVALID);
});

describe("values that are not commands at all", () => {
  it.each([
    ["null", null],
    ["undefined", undefined],
    ["true", true],
    ["a number", 1],
    ["NaN", Number.NaN],
    ["a BigInt", 1n],
    ["a string", "evict"],
    ["the text of a command", JSON.stringify(evict("e1", ["s1"]))],
    ["an empty object", {}],
    ["an array", []],
    ["a command in an array", [{ command: "show" }]],
    ["a function", () => ({ command: "show" })],
    ["a symbol", Symbol("show")],
    ["a Date", new Date(0)],
    ["a Map", new Map([["command", "show"]])],
    ["an Error", new Error("show")],
    ["a promise", Promise.resolve({ command: "show" })],
    ["a command by its prototype", Object.create({ command: "show" })],
  ])("is invalid: %s", async (_, value) => {
    await allInvalid([value]);
  });
});

/** `inner` in this many arrays and objects. */
function nested(depth: number, inner: Json = 1): Json {
  let value = inner;
  for (let level = 0; level < depth; level += 1) value = level % 2 === 0 ? [value] : { "": value };
  return value;
}

describe("the JSON of a command", () => {
  it("may be 64 deep in content and provider, in a batch as well", async () => {
    const w = await given(memoryStore);
    const content = nested(64);
    await w.accepts(admit("s1", { content, provider: content }));
    await w.accepts(batch([admit("s2", { content }), rewrite("e1", ["s1"], "s3", nested(64, 2))]));
    expect(await w.contents()).toEqual([
      ["s3", nested(64, 2)],
      ["s2", content],
    ]);
  });

  it("may not be deeper", async () => {
    const content = nested(65);
    await allInvalid([
      admit("s1", { content }),
      admit("s1", { provider: content }),
      rewrite("e1", ["s1"], "s2", content),
      batch([admit("s1", { content })]),
      batch([admit("s1"), admit("s2", { provider: content })]),
      admit("s1", { content: nested(20_000) }),
    ]);
  });

  it("holds no lone surrogate, in values and keys, wherever it stands", async () => {
    const lone = ["\ud800", "a\udfff", "\udc00\ud800", "x\ud83d"];
    await allInvalid(
      lone.flatMap((text) => [
        admit("s1", { content: text }),
        admit("s1", { content: ["", { a: text }] }),
        admit("s1", { content: { [text]: 1 } }),
        admit("s1", { provider: { [text]: 1 } }),
        admit("s1", { tool: { name: text } }),
        admit("s1", { source: { uri: text, digest: "0".repeat(64) } }),
        admit("s1", { by: text }),
        batch([admit("s1", { content: text })]),
        { command: "show", [text]: 1 },
      ]),
    );
    const w = await given(memoryStore);
    await w.accepts(admit("s1", { content: "\ud83d\ude00" }));
  });

  it("holds no whole number beyond 2^53, and no NaN or infinity", async () => {
    const numbers = [2 ** 53, -(2 ** 53), 1e16, 1e300, -1e300, Number.MAX_VALUE];
    await allInvalid([
      ...numbers.map((content) => admit("s1", { content })),
      ...numbers.map((n) => admit("s1", { provider: { deep: [n] } })),
      JSON.parse('{"command":"admitSpan","origin":"user","content":1e400}'),
      JSON.parse('{"command":"admitSpan","origin":"user","content":9007199254740993}'),
    ]);
    const w = await given(memoryStore);
    for (const content of [Number.MAX_SAFE_INTEGER, -Number.MAX_SAFE_INTEGER, 0.1, 1.5e-300]) {
      await w.accepts({ command: "admitSpan", origin: "user", content });
    }
    expect((await w.contents()).map(([, content]) => content)).toEqual([
      Number.MAX_SAFE_INTEGER,
      -Number.MAX_SAFE_INTEGER,
      0.1,
      1.5e-300,
    ]);
  });

  it("names no span twice in consumes, and names one", async () => {
    await allInvalid([
      evict("e1", []),
      evict("e1", ["s1", "s2", "s1"]),
      rewrite("e1", [], "p"),
      rewrite("e1", ["s1", "s1"], "p"),
      batch([evict("e1", ["s1", "s1"])]),
    ]);
  });

  it("has a value of a claim that fits on a line, and both key and value or neither", async () => {
    const long = "x".repeat(2_001);
    await allInvalid([
      fact("c1", { key: "k", value: long }),
      fact("c1", { key: "k", value: [long.slice(4)] }),
      fact("c1", { key: "k" }),
      fact("c1", { value: 1 }),
      fact("c1", { quote: "without a carrier" }),
      fact("c1", { because: [{ span: "s1", quote: "x".repeat(301) }] }),
      fact("c1", { kind: "decision" }),
    ]);
    const w = await given(memoryStore);
    await w.accepts(fact("c1", { key: "k", value: long.slice(1) }));
  });

  it("has ids of 1 to 128 characters", async () => {
    const longest = "x".repeat(128);
    const w = await given(memoryStore);
    await w.accepts(admit(longest, { commandId: longest }));
    await w.accepts(evict(longest, [longest], { via: longest }));
    await allInvalid([admit(`${longest}x`), admit(""), evict("e1", [`${longest}x`])]);
  });
});
