import { eventId, VERDICT_STREAM_PREFIX, windowStream } from "@palimpsest/core/events";
import { readEvent } from "./check/read-event.ts";
import type { Reader, VerdictLog } from "./check/reader.ts";
import type { VerifierKey } from "./notes/key.ts";
import { persist } from "./service/persist.ts";
import { mayAcknowledge } from "./verdict/read-verdict-event.ts";
import type { Verdict } from "./verdict/schema.ts";
import { VERDICT_SCHEMA_VERSION } from "./verdict/schema.ts";
import { noteDigest } from "./verdict/sign.ts";
import type { VerdictChain } from "./verdict/verdict-chain.ts";
import { VerdictChains } from "./verdict/verdict-chains.ts";

/**
 * The commands that a violated verdict stops until somebody has seen it (design §9), by name. A
 * redo of an undo writes an undo, so it is stopped too.
 */
const STOPPED: readonly unknown[] = ["undo", "settlePruning"];

export interface GateOptions {
  /** Keys known from elsewhere. Default: the first key that signs on a window is believed. */
  readonly keys?: readonly VerifierKey[];
  /** The time that an acknowledgement is stored with. Default: the time of the system. */
  readonly clock?: () => Date;
}

/** What a gate reads, and where it writes an acknowledgement: the verdict stream, if it may. */
export type GateLog = Reader & Partial<Pick<VerdictLog, "append">>;

/** What a host that requires verdicts asks before it lets a command through. */
export interface VerdictGate {
  /** The verdict that stops the command; undefined when none does. */
  stops(window: string, command: unknown): Promise<Verdict | undefined>;
  /**
   * Records that a person or the host has seen what the last verdict says. `seen` is that verdict;
   * default: the last one at this moment. The acknowledgement is stored beside the verdicts, so it
   * outlives the process, and it holds until a verdict says more. Resolves to the verdict, or to
   * undefined when there is none to acknowledge.
   *
   * Throws for any other principal, for a log that cannot be written, and when a verdict that says
   * something else has come since then, for nobody has seen that one.
   */
  acknowledge(window: string, by: string, seen?: Verdict): Promise<Verdict | undefined>;
}

export function verdictGate(log: GateLog, options: GateOptions = {}): VerdictGate {
  const chains = new VerdictChains(log, options.keys);
  return {
    async stops(window, command) {
      const singles = [...singlesOf(command)];
      const isNamed = singles.some(({ command: name }) => STOPPED.includes(name));
      const redone = singles.flatMap(({ command: name, editId }) =>
        name === "redo" && typeof editId === "string" ? [editId] : [],
      );
      if (!isNamed && redone.length === 0) return undefined;
      const verdict = stopping(await chains.upTo(window));
      if (verdict === undefined || isNamed) return verdict;
      return (await someUndo(log, window, redone)) ? verdict : undefined;
    },
    async acknowledge(window, by, seen) {
      if (!mayAcknowledge(by)) {
        throw new TypeError(`${JSON.stringify(by)} may not acknowledge a verdict`);
      }
      const first = seen ?? stopping(await chains.upTo(window));
      for (let tries = 0; tries < MOST_TRIES; tries += 1) {
        const chain = await chains.upTo(window);
        const now = stopping(chain);
        if (first === undefined || now === undefined) return undefined;
        if (whatItSays(now) !== whatItSays(first)) {
          throw new Error(`a later verdict on ${window} says more: look at it first`);
        }
        if (await store(log, chain, now, by, options)) return now;
      }
      throw new Error(`verdicts on ${window} come too fast to acknowledge one`);
    },
  };
}

const MOST_TRIES = 10;

/** The last verdict that can be believed, when it is a violation that nobody has seen. */
function stopping({ lastValid, acknowledged }: VerdictChain): Verdict | undefined {
  if (lastValid?.status !== "violated") return undefined;
  const isSeen = acknowledged !== undefined && whatItSays(acknowledged) === whatItSays(lastValid);
  return isSeen ? undefined : lastValid;
}

/** False when something else came first. */
async function store(
  log: GateLog,
  { window, head }: VerdictChain,
  verdict: Verdict,
  by: string,
  { clock = () => new Date() }: GateOptions,
): Promise<boolean> {
  if (!canAppend(log)) throw new TypeError("this log cannot be written, so nothing is stored");
  const data = { verdict: noteDigest(verdict) };
  const metadata = { by, at: clock().toISOString(), schemaVersion: VERDICT_SCHEMA_VERSION };
  const id = eventId(window, by, `acknowledge-${data.verdict}-${head}`, 0);
  const event = { id, type: "VerdictAcknowledged", data, metadata };
  return persist(log, VERDICT_STREAM_PREFIX + window, [event], head);
}

function canAppend(log: GateLog): log is Reader & Pick<VerdictLog, "append"> {
  return log.append !== undefined;
}

interface Single {
  readonly command?: unknown;
  readonly editId?: unknown;
}

/** The commands of a batch, or the single command. */
function* singlesOf(command: unknown): Generator<Single> {
  if (typeof command !== "object" || command === null) return;
  const { command: name, commands } = command as { command?: unknown; commands?: unknown };
  if (name !== "batch" || !Array.isArray(commands)) yield command;
  else for (const one of commands) yield* singlesOf(one);
}

/** Whether one of these edits is an undo. Reads the window, so only a stop asks it. */
async function someUndo(log: Reader, window: string, edits: readonly string[]): Promise<boolean> {
  const stream = windowStream(window);
  for await (const page of log.read(stream)) {
    for (const stored of page) {
      if (stored.type !== "WindowEdited") continue;
      const { event } = readEvent(stored, stream);
      if (event?.type !== "WindowEdited" || event.data.verb !== "undo") continue;
      if (edits.includes(event.data.editId)) return true;
    }
  }
  return false;
}

/** The same findings again need no new acknowledgement. */
function whatItSays({ findings, findingCount }: Verdict): string {
  return JSON.stringify([findingCount, findings.map(({ code, revision }) => [code, revision])]);
}
