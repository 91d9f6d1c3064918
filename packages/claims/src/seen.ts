import { sha256Hex } from "#platform";
import { editOf } from "./file-edits.ts";
import type { Overtaken } from "./overtaken-statements.ts";
import { changedStatement, editedStatement } from "./overtaken-statements.ts";
import { isPath, pathsIn, stringsIn } from "./paths.ts";
import type { ClaimExtractor, Extraction, ExtractSpan } from "./extraction.ts";
import { NOTHING_EXTRACTED } from "./extraction.ts";
import { isExtraction } from "./extraction-shape.ts";
import { marksIn } from "./used-lines.ts";
import type { CommandOf } from "../../core/src/commands/schema.ts";
import { contentText } from "../../core/src/json/digest.ts";
import type { Json } from "../../core/src/json/json.ts";
import { ABSENT, markOf } from "../../core/src/state/marks.ts";
import { readContent } from "../../core/src/host/contents.ts";
import type { FileRead } from "./file-reads.ts";
import { argumentFields, argumentsIn, asStored, FileReads, filesIn, isRead } from "./file-reads.ts";
import { contentRef } from "../../core/src/decide/outcome.ts";
import type { Shell } from "../../core/src/host/shell.ts";
import type { Span } from "../../core/src/state/state.ts";
import { spanAt } from "../../core/src/state/state.ts";
import type { Step } from "../../core/src/decide/step.ts";

/** Whose words are worth a claim: not the model's own, nor what the host wrote about it. */
const SPEAKERS = new Set(["user", "system", "tool"]);

type Admission = CommandOf<"admitSpan">;

/** The steps of an append, with what an extractor found in them and what they overtake. */
export async function withExtractions(
  shell: Shell,
  {
    steps,
    extractor,
  }: { readonly steps: readonly Step[]; readonly extractor?: ClaimExtractor | undefined },
): Promise<readonly Step[]> {
  if (extractor === undefined) return steps;
  const looker = new Looker(shell);
  const seen: Promise<Step>[] = [];
  for (const step of steps) {
    const { command } = step;
    if (command.command === "observeSource") {
      const overtaken = await changedSource(shell, command);
      seen.push(Promise.resolve(overtaken === undefined ? step : { ...step, overtaken }));
    } else if (command.command === "admitSpan") {
      const overtaken = await looker.editBy(command);
      const span = looker.look(command);
      const more = overtaken === undefined ? {} : { overtaken };
      seen.push(extracted(extractor, span, { ...step, ...more }));
    } else seen.push(Promise.resolve(step));
  }
  return Promise.all(seen);
}

async function extracted(
  extractor: ClaimExtractor,
  span: ExtractSpan | undefined,
  step: Step,
): Promise<Step> {
  if (span === undefined) return step;
  const extraction = await found(extractor, span);
  // The call said what it edited: that its result says so too is nothing more to go by.
  const edited = step.overtaken?.later.statement;
  const isSaid = extraction.claims.some(({ statement }) => statement === edited);
  return { ...step, span, extraction: isSaid ? NOTHING_EXTRACTED : extraction };
}

/** An extractor is a convenience: when it fails, what it was asked about is admitted anyway. */
async function found(extractor: ClaimExtractor, span: ExtractSpan): Promise<Extraction> {
  try {
    const extraction: unknown = await extractor.extract(span);
    return isExtraction(extraction) ? extraction : NOTHING_EXTRACTED;
  } catch {
    return NOTHING_EXTRACTED;
  }
}

/** Spans of one source that an observation puts in doubt. */
const MAX_CHANGED = 5;

/** What was read of a source before it was found to hold something else. */
async function changedSource(
  shell: Shell,
  { uri, digest }: CommandOf<"observeSource">,
): Promise<Overtaken | undefined> {
  const { state } = shell;
  if (state.sources.get(uri) === digest) return undefined;
  const spans = (state.spansOf.get(uri) ?? [])
    .map((index) => spanAt(state, index))
    .filter(
      (span) =>
        span.recallIndex === undefined &&
        span.source?.digest !== digest &&
        markOf(state, span.index) !== ABSENT,
    )
    .slice(-MAX_CHANGED)
    .reverse();
  if (spans.length === 0) return undefined;
  const ids = spans.map(({ id }) => id);
  return {
    scope: uri,
    note: "read before the source changed",
    later: {
      statement: changedStatement(uri, ids, digest === null),
      ...(digest !== null && { because: [{ uri, digest }] }),
    },
    earlier: ids.map((spanId) => ({ spanId })),
    used: await usedSince(shell, Math.min(...spans.map(({ index }) => index))),
  };
}

/** Texts of the model after a read that are looked at for what it used. */
const MAX_TEXTS = 40;
const MAX_TEXT = 4_000;

/** What the model said next after it read something, in view or not. */
async function usedSince(shell: Shell, read: number): Promise<Set<string>> {
  const { state } = shell;
  const spans: Span[] = [];
  for (let i = read + 1; i < state.spans.size && spans.length < MAX_TEXTS; i += 1) {
    const span = spanAt(state, i);
    const speaks = span.origin === "assistant" && span.kind !== "tool-call";
    if (speaks && span.recallIndex === undefined && markOf(state, i) !== ABSENT) spans.push(span);
  }
  const used = new Set<string>();
  for (const text of (await textsOf(shell, spans)).values()) {
    for (const mark of marksIn(text.slice(0, MAX_TEXT))) used.add(mark);
  }
  return used;
}

/** What spans say, by index, in order; those are left out whose content the store lost. */
async function textsOf(
  { state, contents, log }: Shell,
  spans: readonly Span[],
): Promise<Map<number, string>> {
  const away = spans.filter(({ index }) => contents.peek(index) === undefined);
  const refs = away.map((span) => contentRef(state, span));
  const facts = await readContent(log, state.window, refs);
  const texts = new Map<number, string>();
  for (const { index, contentRevision } of spans) {
    const fact = facts.get(contentRevision);
    const stored = fact?.intact === true ? fact.content : undefined;
    const content = fact === undefined ? contents.peek(index) : stored;
    if (content !== undefined) texts.set(index, contentText(content));
  }
  return texts;
}

/** Earlier reads of one file that an edit is compared with. */
const MAX_COMPARED = 4;

interface Call {
  readonly spanId: string | undefined;
  readonly content: Json;
  readonly strings: readonly string[];
}

/** Looks at the spans of one append in turn: a result is about what its call asked for. */
class Looker {
  readonly #shell: Shell;
  readonly #calls = new Map<string, Call>();
  readonly #reads = new FileReads();

  constructor(shell: Shell) {
    this.#shell = shell;
    shell.reads.upTo(shell.state, shell.contents);
  }

  /** The span as an extractor sees it; undefined for one whose words count for nothing. */
  look(command: Admission): ExtractSpan | undefined {
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
      id: command.spanId ?? sha256Hex(text).slice(0, 16),
      origin,
      kind,
      text,
      ...(tool !== undefined && { tool: tool.name }),
      ...(tool?.status !== undefined && { status: tool.status }),
      ...(source !== undefined && { source }),
      ...(made !== undefined && { command: commandOf(made) }),
    };
  }

  /** What the call of a result did to a file that was read before. */
  async editBy({ kind, call, tool }: Admission): Promise<Overtaken | undefined> {
    if (kind !== "tool-result" || (tool?.status ?? "ok") !== "ok") return undefined;
    const made = this.#callOf(call);
    if (made?.spanId === undefined) return undefined;
    for (const path of filesIn(made.strings)) {
      const reads = [...this.#reads.of(path), ...this.#shell.reads.of(path)];
      for (const read of reads.slice(0, MAX_COMPARED)) {
        const text = await this.#textOf(read);
        const edit = text === undefined ? undefined : editOf(made.strings, read.path, text);
        if (edit === undefined) continue;
        const quote = edit.after === undefined ? undefined : asStored(made.content, edit.after);
        return {
          scope: path,
          note: "read before the file was edited",
          later: {
            statement: editedStatement(path),
            carrier: made.spanId,
            ...(quote !== undefined && { quote }),
          },
          earlier: [{ spanId: read.spanId, line: edit.before }],
        };
      }
    }
    return undefined;
  }

  #callOf(call: string | undefined): Call | undefined {
    if (call === undefined) return undefined;
    const pending = this.#calls.get(call);
    if (pending !== undefined) return pending;
    const { state, contents } = this.#shell;
    const index = state.calls.get(call)?.calls[0];
    const content = index === undefined ? undefined : contents.peek(index);
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
    if (markOf(this.#shell.state, span.index) === ABSENT) return undefined;
    return (await textsOf(this.#shell, [span])).get(span.index);
  }
}

/** Arguments by which tools name the one thing they look at. */
const PATH_ARGUMENTS = ["file_path", "path", "filename", "file", "uri", "url"];
/** Commands that print one file as it is. */
const PRINTS = /^\s*(?:cat|head|tail|less|more|nl|bat|type|sed -n)\b[^|;&<>]*$/;

/** The one file that a call asked for, by the name of an argument or by its looks. */
function fileIn(content: Json | undefined, strings: readonly string[]): string | undefined {
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
function commandOf({ content, strings }: Call): string {
  const fields = argumentFields(content);
  const named = Object.keys(fields ?? {}).find((name) => COMMAND.test(name));
  const told = named === undefined ? strings : stringsIn(fields?.[named]);
  // Beside a file's name, the other arguments are what is looked for in it, or written to it.
  if (named === undefined && strings.some(isPath)) return "";
  const short = told.filter((one) => one.length <= MAX_ARGUMENT && !isPath(one));
  return (named === undefined ? short.slice(0, 4) : told.slice(0, 8)).join(" ").slice(0, 2_000);
}
