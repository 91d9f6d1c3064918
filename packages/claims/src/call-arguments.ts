import type { Json } from "@palimpsest/core";
import { contentText } from "@palimpsest/core";
import { isPath, pathsIn, stringsIn } from "./paths.ts";

/* What a call asks for, whatever shape the host gives its arguments. */

/** A call as it was made. */
export interface Call {
  readonly spanId: string | undefined;
  readonly content: Json;
  /** The strings among its arguments. */
  readonly strings: readonly string[];
}

/** Most files that one call is taken to be about. */
const MAX_FILES = 8;

/** The files that a call with these arguments is taken to be about. */
export function filesIn(strings: readonly string[]): string[] {
  return pathsIn(strings).slice(0, MAX_FILES);
}

/** The arguments of a call, whatever shape the host gives it. */
function argumentsOf(content: Json | undefined): Json | undefined {
  const fields = parsed(content);
  const inner = isRecord(fields) ? (fields.arguments ?? fields.input ?? fields.args) : undefined;
  return parsed(inner) ?? fields;
}

/** The strings among them. */
export function argumentsIn(content: Json | undefined): string[] {
  return stringsIn(argumentsOf(content) ?? null);
}

/** Those that have names. */
export function argumentFields(
  content: Json | undefined,
): Readonly<Record<string, Json>> | undefined {
  const found = argumentsOf(content);
  return isRecord(found) ? found : undefined;
}

/** JSON that came as a string, or as it is. */
function parsed(value: Json | undefined): Json | undefined {
  if (typeof value !== "string" || !/^\s*[{[]/.test(value)) return value;
  try {
    return JSON.parse(value) as Json;
  } catch {
    return value;
  }
}

function isRecord(value: Json | undefined): value is Readonly<Record<string, Json>> & Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Words in the form in which they stand in a content: as they are, or as a string of its JSON. */
export function asStored(content: Json, words: string): string | undefined {
  const text = contentText(content);
  const once = JSON.stringify(words).slice(1, -1);
  const twice = JSON.stringify(once).slice(1, -1);
  return [words, once, twice].find((one) => one.trim() !== "" && text.includes(one));
}

/** Arguments by which tools name the one thing they look at. */
const PATH_ARGUMENTS = ["file_path", "path", "filename", "file", "uri", "url"];
/** Commands that print one file as it is. */
const PRINTS = /^\s*(?:cat|head|tail|less|more|nl|bat|type|sed -n)\b[^|;&<>]*$/;

/** The one file that a call asked for, by the name of an argument or by its looks. */
export function fileIn(content: Json | undefined, strings: readonly string[]): string | undefined {
  const fields = argumentFields(content);
  const name = PATH_ARGUMENTS.find((one) => typeof fields?.[one] === "string");
  if (name !== undefined) return String(fields?.[name]);
  const paths = strings.filter(isPath);
  if (paths.length === 1) return paths[0];
  const command = strings.find((one) => PRINTS.test(one));
  const printed = command === undefined ? [] : pathsIn([command]);
  return printed.length === 1 ? printed[0] : undefined;
}

/** Arguments in which tools take what they run. */
const COMMAND =
  /^(?:cmd|commands?|command_?line|script|shell|bash|exec|run|argv?s?|code|input|task|target|query)$/i;
/** Longest argument that is taken for part of a command. */
const MAX_ARGUMENT = 400;

/** What a call runs: the argument that says so, or all the short ones. */
export function commandIn({ content, strings }: Call): string {
  const fields = argumentFields(content);
  const named = Object.keys(fields ?? {}).find((name) => COMMAND.test(name));
  const told = named === undefined ? strings : stringsIn(fields?.[named]);
  // Beside a file's name, the other arguments are what is looked for in it, or written to it.
  if (named === undefined && strings.some(isPath)) return "";
  const short = told.filter((one) => one.length <= MAX_ARGUMENT && !isPath(one));
  return (named === undefined ? short.slice(0, 4) : told.slice(0, 8)).join(" ").slice(0, 2_000);
}
