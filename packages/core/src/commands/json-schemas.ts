/*
 * `@palimpsest/core/schemas`: the commands as JSON Schemas (draft 2020-12), for whoever offers them
 * to a model or checks them in another language. An entry of its own, for zod's generator weighs
 * more in a browser than all the schemas.
 */
import * as z from "zod/mini";
import type { JsonObject } from "../json/json.ts";
import { isJsonObject } from "../json/json.ts";
import type { CommandName } from "./by-name.ts";
import { APPEND_FIELDS, BATCHABLE } from "./parse.ts";
import { batchSchema, readCommandSchemas, spanIdsSchema, writeCommandSchemas } from "./schema.ts";

export type { CommandName } from "./by-name.ts";
/** A JSON Schema of draft 2020-12: a JSON object. */
export type JsonSchema = JsonObject;

/**
 * The JSON Schema of every command, by name. The parser accepts nothing that its schema refuses,
 * and refuses beyond it what JSON Schema has no words for: fields nested more than 64 levels deep,
 * and in content whole numbers beyond 2^53 and lone surrogates. A new copy with each call.
 */
export function commandJsonSchemas(): Record<CommandName, JsonSchema> {
  const writes = mapped(writeCommandSchemas);
  const batch = generated(batchSchema);
  const items = Object.entries(writes).flatMap(([name, schema]) =>
    BATCHABLE.has(name) ? [itemOf(schema)] : [],
  );
  const commands = { type: "array", items: { anyOf: items } };
  return {
    ...writes,
    batch: { ...batch, properties: { ...fieldsOf(batch), commands } },
    ...mapped(readCommandSchemas),
  };
}

function mapped<N extends string>(schemas: Readonly<Record<N, z.ZodMiniType>>) {
  const names = Object.keys(schemas) as N[];
  const entries = names.map((name) => [name, generated(schemas[name])] as const);
  return Object.fromEntries(entries) as Record<N, JsonSchema>;
}

/** As plain JSON: what zod returns has methods of its own besides. */
function generated(schema: z.ZodMiniType): JsonSchema {
  const made = z.toJSONSchema(schema, {
    io: "input",
    override({ zodSchema, jsonSchema }) {
      // A refinement says nothing to JSON Schema; this says the same.
      if (zodSchema === spanIdsSchema) jsonSchema.uniqueItems = true;
    },
  });
  return JSON.parse(JSON.stringify(made));
}

/** A command as it may stand in a batch. */
function itemOf({ $schema: _, ...schema }: JsonSchema): JsonSchema {
  const kept = Object.entries(fieldsOf(schema)).filter(([name]) => !isAppendField(name));
  return { ...schema, properties: Object.fromEntries(kept) };
}

function fieldsOf({ properties = {} }: JsonSchema): JsonObject {
  return isJsonObject(properties) ? properties : {};
}

function isAppendField(name: string): boolean {
  return APPEND_FIELDS.some((field) => field === name);
}
