import type { CommandOf, FinderWindow } from "@palimpsest/core";
import { contentDigest, contentText } from "@palimpsest/core";
import { ABSENT, markOf, spanAt } from "@palimpsest/core/state";
import type { Call } from "./call-arguments.ts";
import { argumentsIn, asStored, commandIn, fileIn, filesIn } from "./call-arguments.ts";
import type { ExtractSpan } from "./extraction.ts";
import { editOf } from "./file-edits.ts";
import type { FileRead } from "./file-reads.ts";
import { FileReads, isRead } from "./file-reads.ts";
import type { Overtaken } from "./overtaken-statements.ts";
import { editedStatement } from "./overtaken-statements.ts";

/** Whose words are worth a claim: not the model's own, nor what the host wrote about it. */
const SPEAKERS = new Set(["user", "system", "tool"]);

/** Earlier reads of one file that an edit is compared with. */
const MAX_COMPARED = 4;

type Admission = CommandOf<"admitSpan">;

/** The spans that one append admits, in turn: a result is about what its call asked for. */
export class Admissions {
  readonly #window: FinderWindow;
  /** Reads that are in the log. */
  readonly #logged: FileReads;
  /** Reads of this append. */
  readonly #reads = new FileReads();
  readonly #calls = new Map<string, Call>();

  constructor(window: FinderWindow, reads: FileReads) {
    this.#window = window;
    this.#logged = reads.upTo(window);
  }

  /** The span as an extractor sees it; undefined for one whose words count for nothing. */
  spanOf(command: Admission): ExtractSpan | undefined {
    const { origin, kind = "text", content, tool, call } = command;
    if (kind === "tool-call" && call !== undefined) {
      const { spanId } = command;
      this.#calls.set(call, { spanId, content, strings: argumentsIn(content) });
      return undefined;
    }
    if (!SPEAKERS.has(origin)) return undefined;
    const text = contentText(content);
    const made = this.#callOf(call);
    const strings = made?.strings ?? [];
    const source = command.source?.uri ?? fileIn(made?.content, strings);
    this.#remember(command, text, strings);
    return {
      // An id that is minted later is not known yet; what the text says tells it from others.
      id: command.spanId ?? contentDigest(text).slice(0, 16),
      origin,
      kind,
      text,
      ...(tool !== undefined && { tool: tool.name }),
      ...(tool?.status !== undefined && { status: tool.status }),
      ...(source !== undefined && { source }),
      ...(made !== undefined && { command: commandIn(made) }),
    };
  }

  /** What the call of a result did to a file that was read before. */
  async editBy({ kind, call, tool }: Admission): Promise<Overtaken | undefined> {
    if (kind !== "tool-result" || (tool?.status ?? "ok") !== "ok") return undefined;
    const made = this.#callOf(call);
    if (made?.spanId === undefined) return undefined;
    for (const path of filesIn(made.strings)) {
      const reads = [...this.#reads.of(path), ...this.#logged.of(path)];
      for (const read of reads.slice(0, MAX_COMPARED)) {
        const text = await this.#textOf(read);
        const edit = text === undefined ? undefined : editOf(made.strings, read.path, text);
        if (text === undefined || edit === undefined) continue;
        const quote = edit.after === undefined ? undefined : asStored(made.content, edit.after);
        return {
          scope: path,
          note: "read before the file was edited",
          later: {
            statement: editedStatement(path),
            carrier: made.spanId,
            ...(quote !== undefined && { quote }),
          },
          earlier: [{ spanId: read.spanId, text, line: edit.before }],
        };
      }
    }
    return undefined;
  }

  #callOf(call: string | undefined): Call | undefined {
    if (call === undefined) return undefined;
    const pending = this.#calls.get(call);
    if (pending !== undefined) return pending;
    const { state } = this.#window;
    const index = state.spans.call(call)?.calls[0];
    const content = index === undefined ? undefined : this.#window.peek(index);
    if (index === undefined || content === undefined) return undefined;
    const made = { spanId: spanAt(state, index).id, content, strings: argumentsIn(content) };
    this.#calls.set(call, made);
    return made;
  }

  #remember(
    { spanId, kind, source, tool }: Admission,
    text: string,
    strings: readonly string[],
  ): void {
    if (kind !== "tool-result" || spanId === undefined || !isRead(tool)) return;
    const paths = source === undefined ? filesIn(strings) : [source.uri];
    for (const path of paths) this.#reads.add({ spanId, path, text });
  }

  async #textOf({ span, text }: FileRead): Promise<string | undefined> {
    if (text !== undefined || span === undefined) return text;
    if (markOf(this.#window.state, span.index) === ABSENT) return undefined;
    const content = (await this.#window.read([span])).get(span.index);
    return content === undefined ? undefined : contentText(content);
  }
}
