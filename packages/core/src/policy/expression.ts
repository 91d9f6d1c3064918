import type { ASTNode, ParseResult } from "@marcbachmann/cel-js";
import { Environment } from "@marcbachmann/cel-js";
import type { SpanFacts, WindowFacts } from "./facts.ts";

/*
 * Expressions of a policy: a subset of the Common Expression Language without comprehensions,
 * regular expressions, maps, time and dynamic types, so that every evaluation ends after at most
 * as many steps as the expression has nodes (docs/decisions/policy-expressions.md).
 */

/** Longest expression, in characters; all of them ASCII. */
export const MAX_EXPRESSION = 2000;
const MAX_NODES = 200;
const MAX_NESTING = 24;
const MAX_LIST = 64;

class CelWindow {
  readonly tokens: bigint;
  readonly budget: bigint;
  readonly epoch: bigint;

  constructor({ tokens, budget, epoch }: WindowFacts) {
    this.tokens = BigInt(tokens);
    this.budget = BigInt(budget);
    this.epoch = BigInt(epoch);
  }
}

class CelSpan {
  readonly id: string;
  readonly kind: string;
  readonly origin: string;
  readonly tokens: bigint;
  readonly age: bigint;
  readonly idle: bigint;
  readonly reads: bigint;
  readonly claims: bigint;
  readonly contested: boolean;
  readonly pinned: boolean;
  readonly edited: boolean;
  readonly status: string;

  constructor(facts: SpanFacts) {
    this.id = facts.id;
    this.kind = facts.kind;
    this.origin = facts.origin;
    this.tokens = BigInt(facts.tokens);
    this.age = BigInt(facts.age);
    this.idle = BigInt(facts.idle);
    this.reads = BigInt(facts.reads);
    this.claims = BigInt(facts.claims);
    this.contested = facts.contested;
    this.pinned = facts.pinned;
    this.edited = facts.edited;
    this.status = facts.status ?? "";
  }
}

const environment = new Environment({
  limits: {
    maxAstNodes: MAX_NODES,
    maxDepth: MAX_NESTING,
    maxListElements: MAX_LIST,
    maxMapEntries: 0,
    maxCallArguments: 2,
  },
})
  .registerType("Span", {
    ctor: CelSpan,
    fields: {
      id: "string",
      kind: "string",
      origin: "string",
      tokens: "int",
      age: "int",
      idle: "int",
      reads: "int",
      claims: "int",
      contested: "bool",
      pinned: "bool",
      edited: "bool",
      status: "string",
    },
  })
  .registerType("Window", {
    ctor: CelWindow,
    fields: { tokens: "int", budget: "int", epoch: "int" },
  })
  .registerVariable("span", "Span")
  .registerVariable("window", "Window");

/** What an expression is evaluated on. */
export interface CelFacts {
  readonly span: CelSpan;
  readonly window: CelWindow;
}

/** Facts as CEL knows them, one window for many spans. */
export function celFacts(window: WindowFacts): (span: SpanFacts) => CelFacts {
  const own = new CelWindow(window);
  return (span) => ({ span: new CelSpan(span), window: own });
}

export type ExpressionType = "bool" | "number";

const TYPES: Readonly<Record<ExpressionType, readonly string[]>> = {
  bool: ["bool"],
  number: ["int", "double"],
};

export type Compiled =
  | { readonly ok: true; readonly evaluate: (facts: CelFacts) => unknown }
  | { readonly ok: false; readonly problem: string };

/** Parses and checks an expression; what comes back may still throw when it is evaluated. */
export function compileExpression(text: string, type: ExpressionType): Compiled {
  if (text.length > MAX_EXPRESSION) return no(`is longer than ${MAX_EXPRESSION} characters`);
  const strange = /[^\t\n\r\x20-\x7e]/.exec(text);
  if (strange !== null) {
    const code = text.codePointAt(strange.index)?.toString(16).toUpperCase().padStart(4, "0");
    return no(`holds U+${code} at ${strange.index}: expressions are plain ASCII`);
  }
  try {
    const parsed = environment.parse(text);
    return forbidden(parsed.ast) ?? checked(parsed, type);
  } catch (error) {
    return no(summary(error));
  }
}

function checked(parsed: ParseResult, type: ExpressionType): Compiled {
  const { valid, type: found = "nothing", error } = parsed.check();
  if (!valid) return no(summary(error));
  if (!TYPES[type].includes(found)) return no(`must be a ${type}, not ${found}`);
  return { ok: true, evaluate: (facts) => parsed(facts) };
}

/** Functions and methods whose cost does not depend on anything but their arguments' length. */
const FUNCTIONS = new Set(["double", "int", "size"]);
const METHODS = new Set(["startsWith", "endsWith", "contains"]);
const OPERATORS = new Set(
  "id . ?: || && !_ -_ == != in + - * / % < <= > >= list value call rcall".split(" "),
);

/** The first part of the tree that is outside the subset. */
function forbidden({ op, args }: ASTNode): Compiled | undefined {
  if (!OPERATORS.has(op)) return no(`must not use ${op === "[]" ? "an index" : op}`);
  if (op === "call" && !FUNCTIONS.has(args[0])) return noFunction(args[0]);
  if (op === "rcall" && !METHODS.has(args[0])) return noFunction(args[0]);
  if (op === "value") return forbiddenValue(args);
  for (const part of nodesIn(args)) {
    const found = forbidden(part);
    if (found !== undefined) return found;
  }
  return undefined;
}

function forbiddenValue(value: unknown): Compiled | undefined {
  if (typeof value === "object") return no("must not use null, bytes or unsigned numbers");
  if (typeof value !== "bigint" || value === BigInt.asIntN(64, value)) return undefined;
  return no("must not use whole numbers of more than 64 bits");
}

/** The nodes among the arguments of a node, which are nodes, names, values, and lists of nodes. */
function nodesIn(args: unknown): ASTNode[] {
  if (Array.isArray(args)) return args.flatMap(nodesIn);
  const isNode = typeof args === "object" && args !== null && "op" in args;
  return isNode ? [args as ASTNode] : [];
}

function noFunction(name: string): Compiled {
  const known = [...FUNCTIONS, ...METHODS].join(", ");
  return no(`must not use ${name.slice(0, 40)}(): there are ${known}`);
}

function no(problem: string): Compiled {
  return { ok: false, problem };
}

/** What went wrong, in one short line; where, when the library says so. */
export function summary(error: unknown): string {
  if (!(error instanceof Error)) return "cannot be evaluated";
  const { summary: line = error.message, range } = error as Error & {
    summary?: string;
    range?: { start: number };
  };
  const place = range === undefined ? "" : ` (at ${range.start})`;
  return `${line.split("\n")[0]?.slice(0, 160)}${place}${hint(line)}`;
}

/** CEL never mixes whole numbers with others by itself, which everybody trips over once. */
function hint(line: string): string {
  const mixed = /int [-+*/] double|double [-+*/] int|'int' and 'double'|'double' and 'int'/;
  return mixed.test(line) ? ": write double(…) around the whole number" : "";
}
