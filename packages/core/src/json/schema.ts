import * as z from "zod/mini";
import type { Json } from "./json.ts";

/** Any JSON value; what may stand in it is checked where it enters (guard.ts). */
export const jsonSchema = z.custom<Json>((value) => value !== undefined);

// Zod has no JSON Schema for a schema that is a function; of any JSON value it is the empty one.
jsonSchema._zod.toJSONSchema = () => ({});
