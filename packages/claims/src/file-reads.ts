import { fileOf, isSameFile, pathsIn, stringsIn } from "./paths.ts";
import { isEditing } from "./results.ts";
import { contentText } from "../../core/src/json/digest.ts";
import type { Json } from "../../core/src/json/json.ts";
import type { LiveContents } from "../../core/src/host/contents.ts";
import type { Span, WindowState } from "../../core/src/state/state.ts";
import { spanAt } from "../../core/src/state/state.ts";

/** A result that shows a file, or what a command printed of it. */
export interface FileRead {
  readonly spanId: string;
  readonly path: string;
  /** Of a span that is in the log. */
  readonly span?: Span;
  /** Of one that is about to be appended. */
  readonly text?: string;
}

/** Most files that one call is taken to be about. */
const MAX_FILES = 8;
/** Reads of one name that are remembered. */
const MAX_READS = 16;

/** Which results were about which file, by the arguments of their calls; grows with the window. */
export class FileReads {
  readonly #byName = new Map<string, FileRead[]>();
  #spans = 0;

  /** What is in the log, spans added since the last time included. */
  upTo(state: WindowState, contents: LiveContents): this {
    for (; this.#spans < state.spans.size; this.#spans += 1) {
      const span = spanAt(state, this.#spans);
      if (span.origin !== "tool" || span.kind !== "tool-result") continue;
      if (span.recallIndex !== undefined || span.createdBy !== undefined) continue;
      if (!isRead(span.tool)) continue;
      for (const path of pathsOf(state, contents, span)) this.add({ spanId: span.id, path, span });
    }
    return this;
  }

  add(read: FileRead): void {
    const name = fileOf(read.path);
    const known = this.#byName.get(name);
    if (known === undefined) this.#byName.set(name, [read]);
    else {
      known.push(read);
      if (known.length > MAX_READS) known.shift();
    }
  }

  /** The reads of a file, the newest first. */
  of(path: string): FileRead[] {
    const known = this.#byName.get(fileOf(path)) ?? [];
    return known.filter((read) => isSameFile(read.path, path)).reverse();
  }
}

/** A result that may show a file: not an error, and not what a tool that writes says. */
export function isRead(tool: Span["tool"]): boolean {
  return (tool?.status ?? "ok") === "ok" && !isEditing(tool?.name);
}

function pathsOf(state: WindowState, contents: LiveContents, span: Span): string[] {
  if (span.source !== undefined) return [span.source.uri];
  const call = span.call === undefined ? undefined : state.calls.get(span.call)?.calls[0];
  const content = call === undefined ? undefined : contents.peek(call);
  return content === undefined ? [] : filesIn(argumentsIn(content));
}

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
