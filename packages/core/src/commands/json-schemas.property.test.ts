import Ajv from "ajv/dist/2020.js";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type * as z from "zod/mini";
import type { Json, JsonObject } from "../json/json.ts";
import type { CommandName } from "./json-schemas.ts";
import { commandJsonSchemas } from "./json-schemas.ts";
import { isRefusal, parseBatchItem, parseCommand } from "./parse.ts";
import { batchSchema, readCommandSchemas, writeCommandSchemas } from "./schema.ts";

const zodSchemas = { ...writeCommandSchemas, batch: batchSchema, ...readCommandSchemas };
const names = Object.keys(zodSchemas) as CommandName[];
const schemas = commandJsonSchemas();

const ajv = new Ajv.default({ strict: true, allErrors: true });
const compiled = new Map(names.map((name) => [name, ajv.compile(schemas[name])]));

/** Whether the command's own schema takes it, and whether the parser does, to the last step. */
function verdicts(command: JsonObject): { schema: boolean; parser: boolean } {
  const check = compiled.get(command.command as CommandName);
  return { schema: check?.(command) === true, parser: isParsed(command) };
}

function isParsed(command: JsonObject): boolean {
  if (isRefusal(parseCommand(command))) return false;
  const { commands } = command;
  if (command.command !== "batch" || !Array.isArray(commands)) return true;
  return commands.every((item: Json, i) => !isRefusal(parseBatchItem(item, i)));
}

const digest = "0".repeat(64);

/** Values that some field takes, and values that few take. */
const pool: readonly Json[] = [
  ...["s1", "e-1", "host/agent", "a b", "", " ", "x".repeat(161), "no-stream", "any", digest],
  ...["system", "assistant", "text", "tool-result", "revert", "merge", "fact", "commit", "refuse"],
  ...["carry", "x".repeat(2001), "x".repeat(20_001), "x".repeat(4097), "s1\n", "é"],
  ...[0, 1, -1, 7, 1.5, 1e9, true, false, null],
  ...[[], ["s1"], ["s1", "s2"], ["s1", "s1"], ["a b"], [1], [null]],
  ...[{}, { id: "m", index: 0 }, { id: "m", index: -1 }, { id: "m", index: 0, more: 1 }],
  ...[{ name: "t" }, { name: "t", status: "ok" }, { name: "t", status: "fine" }],
  ...[
    { uri: "u", digest },
    { uri: "", digest },
    { uri: "u", digest: "0" },
  ],
  [{ span: "s1", quote: "" }, { claim: "c1" }, { uri: "u", digest }],
  [{ span: "s1" }],
  new Array<Json>(65).fill({ claim: "c1" }),
  ["raw", { consumes: ["a b"], content: { x: [1] } }],
  [{ consumes: [], content: 1, more: 1 }],
];

function sortOf(value: Json): string {
  return Array.isArray(value) ? "array" : typeof value;
}

/** What a field takes, as a rule; else, as a rule, what is at least of a sort that it takes. */
function fieldArb(schema: z.ZodMiniType): fc.Arbitrary<Json> {
  const taken = pool.filter((value) => schema.safeParse(value).success);
  const sorts = new Set(taken.map(sortOf));
  const near = pool.filter((value) => !taken.includes(value) && sorts.has(sortOf(value)));
  return fc.oneof(
    { weight: 30, arbitrary: fc.constantFrom(...taken) },
    { weight: 2, arbitrary: fc.constantFrom(...(near.length > 0 ? near : pool)) },
    { weight: 1, arbitrary: fc.constantFrom(...pool) },
  );
}

/** A command with all that it must have, most of what it may, and now and then something wrong. */
function commandArb(name: Exclude<CommandName, "batch">): fc.Arbitrary<JsonObject> {
  const parts = Object.entries<z.ZodMiniType>(zodSchemas[name].shape).map(([field, schema]) => {
    if (field === "command") return fc.constant([[field, name] as const]);
    const percent = schema.safeParse(undefined).success ? 60 : 98;
    return fc
      .tuple(fc.nat(99), fieldArb(schema))
      .map(([n, value]) => (n < percent ? [[field, value] as const] : []));
  });
  const unknown = fc.nat(19).map((n) => (n === 0 ? [["unknown", 1] as const] : []));
  return fc.tuple(...parts, unknown).map((fields) => Object.fromEntries(fields.flat()));
}

const single = names.flatMap((name) => (name === "batch" ? [] : [commandArb(name)]));

describe("the JSON Schemas of the commands", () => {
  it("are there for every command, each for itself", () => {
    expect(Object.keys(schemas).sort()).toEqual([...names].sort());
    for (const name of names) {
      expect(schemas[name]).toMatchObject({
        $schema: "https://json-schema.org/draft/2020-12/schema",
        properties: { command: { const: name } },
        additionalProperties: false,
      });
    }
  });

  it("are plain JSON, a new copy with each call", () => {
    expect(structuredClone(schemas)).toEqual(schemas);
    expect(commandJsonSchemas()).toEqual(schemas);
    expect(commandJsonSchemas().evict).not.toBe(schemas.evict);
  });

  it.each([
    ["a command", { command: "evict", consumes: ["s1", "s2"], by: "model/x" }, true],
    ["an id twice", { command: "evict", consumes: ["s1", "s1"] }, false],
    ["no id", { command: "evict", consumes: [] }, false],
    ["a field too many", { command: "evict", consumes: ["s1"], force: true }, false],
    ["a field too few", { command: "admitSpan", origin: "user" }, false],
    ["null as content", { command: "admitSpan", origin: "user", content: null }, true],
    ["deep content", { command: "admitSpan", origin: "user", content: [{ a: [[1]] }] }, true],
    ["a revision", { command: "render", expectedRevision: 3 }, true],
    ["a negative one", { command: "render", expectedRevision: -1 }, false],
    ["a word for one", { command: "render", expectedRevision: "no-stream" }, true],
    ["a source that is gone", { command: "observeSource", uri: "u", digest: null }, true],
    ["a blank reason", { command: "retractClaim", claimId: "c", reason: "  " }, false],
    ["a reason", { command: "retractClaim", claimId: "c", reason: " so " }, true],
    ["a policy as an object", { command: "authorPolicy", document: { name: "p" } }, true],
    ["the name of another command", { command: "undo", consumes: ["s1"] }, false],
    ["an empty batch", { command: "batch", commands: [] }, true],
    [
      "a batch whose command speaks for itself",
      { command: "batch", commands: [{ command: "evict", consumes: ["s1"], by: "model/x" }] },
      true,
    ],
    [
      "a batch whose command has an id of its own",
      { command: "batch", commands: [{ command: "evict", consumes: ["s1"], commandId: "c" }] },
      false,
    ],
    ["a batch that renders", { command: "batch", commands: [{ command: "render" }] }, false],
    [
      "a batch in a batch",
      { command: "batch", commands: [{ command: "batch", commands: [] }] },
      false,
    ],
  ])("agree with the parser on %s", (_, command, isGood) => {
    expect(verdicts(command)).toEqual({ schema: isGood, parser: isGood });
  });

  it("agree with the parser on generated commands, good and bad", () => {
    const seen = { good: 0, bad: 0 };
    fc.assert(
      fc.property(fc.oneof(...single), (command) => {
        const { schema, parser } = verdicts(command);
        expect(schema).toBe(parser);
        seen[parser ? "good" : "bad"] += 1;
      }),
      { numRuns: 4_000 },
    );
    expect(seen.good).toBeGreaterThan(400);
    expect(seen.bad).toBeGreaterThan(400);
  });

  it("agree with the parser on generated batches", () => {
    const seen = { good: 0, bad: 0 };
    const item = fc
      .oneof(...single)
      .map(({ commandId, expectedRevision, ...rest }) =>
        commandId === "e-1"
          ? { ...rest, commandId, expectedRevision: expectedRevision ?? 0 }
          : rest,
      );
    const batches = fc.record({
      command: fc.constant("batch"),
      commands: fc.array(item, { maxLength: 2 }),
    });
    fc.assert(
      fc.property(batches, (batch) => {
        const { schema, parser } = verdicts(batch);
        expect(schema).toBe(parser);
        seen[parser ? "good" : "bad"] += 1;
      }),
      { numRuns: 600 },
    );
    expect(seen.good).toBeGreaterThan(60);
    expect(seen.bad).toBeGreaterThan(60);
  });

  it("count the characters of a text as the parser does: code points", () => {
    const statement = "\u{1f600}".repeat(2_000);
    expect(verdicts({ command: "assertClaim", statement })).toEqual({ schema: true, parser: true });
    const longer = { command: "assertClaim", statement: `${statement}x` };
    expect(verdicts(longer)).toEqual({ schema: false, parser: false });
  });

  it.each([
    ["content that is nested too deep", JSON.parse(`${"[".repeat(65)}${"]".repeat(65)}`)],
    ["a whole number beyond 2^53", [2 ** 53]],
    ["a lone surrogate", ["\ud800"]],
  ])("have no words for %s, which the parser refuses", (_, content) => {
    const command = { command: "admitSpan", origin: "user", content };
    expect(verdicts(command)).toEqual({ schema: true, parser: false });
  });
});
