import type { FinderWindow } from "@palimpsest/core";
import type { Span } from "@palimpsest/core/state";
import { spanAt } from "@palimpsest/core/state";
import { argumentsIn, filesIn } from "./call-arguments.ts";
import { fileOf, isSameFile } from "./paths.ts";
import { isEditing } from "./results.ts";

/** A result that shows a file, or what a command printed of it. */
export interface FileRead {
  readonly spanId: string;
  readonly path: string;
  /** Of a span that is in the log. */
  readonly span?: Span;
  /** Of one that is about to be appended. */
  readonly text?: string;
}

/** Reads of one name that are remembered. */
const MAX_READS = 16;

/** Which results were about which file, by the arguments of their calls; grows with the window. */
export class FileReads {
  readonly #byName = new Map<string, FileRead[]>();
  #spans = 0;

  /** What is in the log, spans added since the last time included. */
  upTo(window: FinderWindow): this {
    const { state } = window;
    for (; this.#spans < state.spans.size; this.#spans += 1) {
      const span = spanAt(state, this.#spans);
      if (span.origin !== "tool" || span.kind !== "tool-result") continue;
      if (span.recallIndex !== undefined || span.createdBy !== undefined) continue;
      if (!isRead(span.tool)) continue;
      for (const path of pathsOf(window, span)) this.add({ spanId: span.id, path, span });
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

function pathsOf({ state, peek }: FinderWindow, span: Span): string[] {
  if (span.source !== undefined) return [span.source.uri];
  const call = span.call === undefined ? undefined : state.spans.call(span.call)?.calls[0];
  const content = call === undefined ? undefined : peek(call);
  return content === undefined ? [] : filesIn(argumentsIn(content));
}
