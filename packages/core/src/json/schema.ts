import { en } from "zod/locales";
import * as z from "zod/mini";
import { quicken } from "#platform";
import type { Json } from "./json.ts";

/*
 * The schemas are those of `zod/mini`, a third of the weight in a browser, which has no messages of
 * its own. Zod's other entry sets English as the default too; a language that is set stays.
 */
if (z.config().localeError === undefined) z.config(en());

/** Any JSON value; what may stand in it is checked where it enters (guard.ts). */
export const jsonSchema = z.custom<Json>((value) => value !== undefined);

// Zod has no JSON Schema for a schema that is a function; the one of any JSON value is the empty
// schema.
jsonSchema._zod.toJSONSchema = () => ({});

/** An object with these fields and no others. */
export function strictObject<S extends z.core.$ZodLooseShape>(shape: S) {
  const schema = z.strictObject(shape);
  quicken(schema);
  return schema;
}
