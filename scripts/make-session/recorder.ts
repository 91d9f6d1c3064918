import { digest, Random, token, uuid } from "./random.ts";

export interface ToolCall {
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly output: string;
  readonly isError?: boolean;
}

type Block = Readonly<Record<string, unknown>>;

const START = Date.UTC(2031, 2, 12, 7, 41, 9);
const SESSION = uuid("hopper session");

/** Writes a session down the way Claude Code does: one block a line, linked by uuids. */
export class Recorder {
  readonly lines: string[] = [];
  readonly #random = new Random(20_310_312);
  #now = START;
  #count = 0;
  #parent: string | null = null;

  /** A prompt of the user. */
  prompt(text: string): void {
    this.#pass(20, 240);
    this.#snapshot();
    this.#line({ type: "user", message: { role: "user", content: text } });
  }

  /** Text that the program puts in, not the user. */
  meta(text: string): void {
    this.#line({ type: "user", isMeta: true, message: { role: "user", content: text } });
  }

  /** One answer of the model: reasoning, text, calls that run side by side, and their results. */
  answer(thinking: string, text: string, calls: readonly ToolCall[] = []): void {
    const pending = this.#speak(thinking, text, calls);
    for (const { call, id, parent } of pending) this.#result(call, id, parent);
    if (calls.length === 0) this.#turnEnd();
  }

  /** The user stops the model while a call runs: the call never gets a result. */
  interrupted(thinking: string, text: string, call: ToolCall): void {
    this.#speak(thinking, text, [call]);
    this.#pass(60, 90);
    const content = [{ type: "text", text: "[Request interrupted by user for tool use]" }];
    this.#line({ type: "user", message: { role: "user", content } });
  }

  /** The program ran out of room: what came before is replaced by a summary. */
  compact(preTokens: number, summary: string): void {
    this.#pass(40, 70);
    const logicalParentUuid = this.#parent;
    this.#parent = null;
    this.#line({
      logicalParentUuid,
      type: "system",
      subtype: "compact_boundary",
      content: "Conversation compacted",
      level: "info",
      compactMetadata: { trigger: "auto", preTokens },
    });
    this.#line({
      type: "user",
      isVisibleInTranscriptOnly: true,
      isCompactSummary: true,
      message: { role: "user", content: summary },
    });
  }

  #speak(thinking: string, text: string, calls: readonly ToolCall[]) {
    this.#pass(2, 9);
    const message = `msg_01${token(`message ${this.#count}`, 22)}`;
    const requestId = `req_011${token(`request ${this.#count}`, 21)}`;
    const speak = (block: Block): string => this.#assistant(message, requestId, block);
    if (thinking !== "") {
      speak({ type: "thinking", thinking, signature: signature(`${this.#count} ${thinking}`) });
    }
    if (text !== "") speak({ type: "text", text });
    return calls.map((call) => {
      const id = `toolu_01${token(`call ${this.#count}`, 22)}`;
      const parent = speak({ type: "tool_use", id, name: call.name, input: call.input });
      return { call, id, parent };
    });
  }

  #assistant(id: string, requestId: string, block: Block): string {
    this.#pass(1, 4);
    return this.#line({
      requestId,
      type: "assistant",
      message: {
        model: "example-model-4",
        id,
        type: "message",
        role: "assistant",
        content: [block],
        stop_reason: null,
        stop_sequence: null,
      },
    });
  }

  #result(call: ToolCall, id: string, parent: string): void {
    this.#pass(1, call.name === "Bash" ? 30 : 2);
    if (call.name === "Bash") this.#progress(id);
    const content = [
      {
        tool_use_id: id,
        type: "tool_result",
        content: call.output,
        is_error: call.isError ?? false,
      },
    ];
    this.#parent = parent;
    this.#line({
      type: "user",
      message: { role: "user", content },
      sourceToolAssistantUUID: parent,
    });
  }

  #progress(toolUseID: string): void {
    const data = { type: "bash_progress", output: "", elapsedTimeSeconds: 2, totalLines: 0 };
    this.#line({ type: "progress", data, toolUseID, parentToolUseID: toolUseID });
  }

  #snapshot(): void {
    const messageId = uuid(`snapshot ${this.#count}`);
    const snapshot = { messageId, trackedFileBackups: {}, timestamp: this.#time() };
    this.#write({ type: "file-history-snapshot", messageId, snapshot, isSnapshotUpdate: false });
  }

  #turnEnd(): void {
    const durationMs = this.#random.int(20_000, 400_000);
    this.#line({ type: "system", subtype: "turn_duration", durationMs, isMeta: false });
  }

  #line(fields: Block): string {
    const id = uuid(`line ${this.#count}`);
    this.#write({
      parentUuid: this.#parent,
      isSidechain: false,
      userType: "external",
      cwd: "/home/dev/hopper",
      sessionId: SESSION,
      version: "2.1.7",
      gitBranch: "main",
      ...fields,
      uuid: id,
      timestamp: this.#time(),
    });
    this.#parent = id;
    return id;
  }

  #write(value: Block): void {
    this.#count += 1;
    this.lines.push(JSON.stringify(value));
  }

  #pass(low: number, high: number): void {
    this.#now += this.#random.int(low * 1000, high * 1000);
  }

  #time(): string {
    return new Date(this.#now).toISOString();
  }
}

/** Real ones are a few hundred opaque characters; so are these. */
function signature(text: string): string {
  const parts = [0, 1, 2, 3, 4].map((n) => digest(`${n} ${text}`));
  return Buffer.concat(parts).toString("base64");
}
