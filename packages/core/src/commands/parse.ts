import * as z from "zod/mini";
import { guardJson, isDeeper, MAX_DEPTH } from "../json/guard.ts";
import type { Json } from "../json/json.ts";
import { isJsonObject } from "../json/json.ts";
import type { Refusal } from "./refusals.ts";
import { refusal } from "./refusals.ts";
import type { Command, WriteCommand } from "./schema.ts";
import { batchSchema, readCommandSchemas, writeCommandSchemas } from "./schema.ts";

const commandSchema = z.discriminatedUnion("command", [
  ...Object.values(writeCommandSchemas),
  batchSchema,
  ...Object.values(readCommandSchemas),
] as [typeof batchSchema, ...z.core.$ZodTypeDiscriminable[]]);

const COMMAND_NAMES = [
  ...Object.keys(writeCommandSchemas),
  "batch",
  ...Object.keys(readCommandSchemas),
];

/** Commands that may stand in a batch: those that write, except `render`, which needs the log. */
export const BATCHABLE: ReadonlySet<string> = new Set(
  Object.keys(writeCommandSchemas).filter((name) => name !== "render"),
);

/** Fields that belong to the append as a whole, so a command inside a batch has none of its own. */
export const APPEND_FIELDS = ["commandId", "expectedRevision"] as const;

/** A command in its schema's form and the JSON it was read from, which its digest is taken of. */
export interface ParsedCommand {
  readonly command: Command;
  readonly json: Json;
}

export type BatchableCommand = Exclude<WriteCommand, { command: "render" }>;

/** Reads a command from any value. Never throws: anything else is `invalid-command`. */
export function parseCommand(value: unknown): ParsedCommand | Refusal {
  // The command itself is one level, and in a batch its commands are two more.
  const guarded = guardJson(value, MAX_DEPTH + 3);
  if (!guarded.ok) return invalid(guarded.problem);
  const parsed = parseGuarded(guarded.value);
  if (isRefusal(parsed) || parsed.command.command === "batch") return parsed;
  return isDeeper(guarded.value, MAX_DEPTH + 1)
    ? invalid(`a field is nested more than ${MAX_DEPTH} levels deep`)
    : parsed;
}

function parseGuarded(json: Json): ParsedCommand | Refusal {
  if (!isJsonObject(json)) return invalid("a command is a JSON object with a field command");
  const parsed = commandSchema.safeParse(withoutPrototype(json));
  if (parsed.success) return { command: withoutPrototype(parsed.data as Command), json };
  return invalid(describe(parsed.error));
}

/** What somebody put into Object.prototype is not a field of a command. */
function withoutPrototype<T extends object>(value: T): T {
  return Object.assign(Object.create(null), value);
}

/** Reads one command of a parsed batch; `by` and `via` are its own, the rest is the batch's. */
export function parseBatchItem(value: Json, index: number): BatchableCommand | Refusal {
  const parsed = parseGuarded(value);
  const where = `commands[${index}]`;
  if (isRefusal(parsed)) return invalid(`${where}: ${parsed.message}`);
  const { command } = parsed;
  if (!BATCHABLE.has(command.command)) {
    return invalid(`${where}: ${command.command} cannot stand in a batch`);
  }
  const field = APPEND_FIELDS.find((name) => command[name] !== undefined);
  if (field !== undefined) {
    return invalid(`${where}: ${field} belongs to the batch, not to a command in it`);
  }
  return command as BatchableCommand;
}

export function isRefusal(value: object): value is Refusal {
  return "code" in value && "message" in value;
}

function invalid(problem: string): Refusal {
  return refusal("invalid-command", problem);
}

/** At most three issues, by place; a hostile command does not get to fill the answer. */
function describe(error: z.core.$ZodError): string {
  const issues = error.issues.slice(0, 3).map(({ path, message, code }) => {
    if (path.length === 1 && path[0] === "command" && code === "invalid_union") {
      return `unknown command: the commands are ${COMMAND_NAMES.join(", ")}`;
    }
    const where = path.length === 0 ? "" : `${path.map(String).join(".").slice(0, 80)}: `;
    return where + message.slice(0, 200);
  });
  return issues.join("; ");
}
