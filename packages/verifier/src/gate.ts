import { VERDICT_STREAM_PREFIX } from "@palimpsest/core/events";
import type { Reader } from "./check/reader.ts";
import type { VerifierKey } from "./notes/key.ts";
import { VerdictChain } from "./verdict/chain.ts";
import type { Verdict } from "./verdict/schema.ts";

/** What a violated verdict stops until somebody has seen it (DESIGN §9). */
const STOPPED: readonly unknown[] = ["undo", "settlePruning"];

export interface GateOptions {
  /** Keys known from elsewhere; without any, the first that signs on a window is believed. */
  readonly keys?: readonly VerifierKey[];
}

/** A host that requires verdicts asks this before it lets a command through. */
export interface VerdictGate {
  /** The verdict that stops the command, if one does. */
  stops(window: string, command: unknown): Promise<Verdict | undefined>;
  /**
   * A person or the host has seen what the last verdict says. Holds until a verdict says more.
   * Throws for any other principal.
   */
  acknowledge(window: string, by: string): Promise<void>;
}

export function verdictGate(log: Reader, options: GateOptions = {}): VerdictGate {
  const chains = new Map<string, VerdictChain>();
  const seen = new Map<string, string>();

  const lastVerdict = async (window: string): Promise<Verdict | undefined> => {
    const chain = chains.get(window) ?? new VerdictChain(window, options.keys);
    chains.set(window, chain);
    const from = chain.head + 1;
    for await (const page of log.read(VERDICT_STREAM_PREFIX + window, { from })) {
      for (const event of page) chain.take(event);
    }
    return chain.last;
  };

  return {
    async stops(window, command) {
      if (!isStopped(command)) return undefined;
      const verdict = await lastVerdict(window);
      if (verdict?.status !== "violated") return undefined;
      return seen.get(window) === whatItSays(verdict) ? undefined : verdict;
    },
    async acknowledge(window, by) {
      if (!/^(host|human)\/./.test(by)) {
        throw new TypeError(`${JSON.stringify(by)} may not acknowledge a verdict`);
      }
      const verdict = await lastVerdict(window);
      if (verdict !== undefined) seen.set(window, whatItSays(verdict));
    },
  };
}

function isStopped(command: unknown): boolean {
  if (typeof command !== "object" || command === null) return false;
  const { command: name, commands } = command as { command?: unknown; commands?: unknown };
  if (name === "batch" && Array.isArray(commands)) return commands.some(isStopped);
  return STOPPED.includes(name);
}

/** The same findings again need no new acknowledgement. */
function whatItSays({ findings, findingCount }: Verdict): string {
  return JSON.stringify([findingCount, findings.map(({ code, revision }) => [code, revision])]);
}
