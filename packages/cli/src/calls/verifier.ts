import { join } from "node:path";
import { writerOf } from "@palimpsest/core";
import type { IssuedVerdict, Part, Scope, VerifierOptions } from "@palimpsest/verifier";
import { formatVerifierKey, startVerifier, verdictGate } from "@palimpsest/verifier";
import type { KeyRing } from "@palimpsest/verifier/files";
import { defaultStateFolder, KeyFileError, loadKeys, rotateKey } from "@palimpsest/verifier/files";
import type { Command } from "commander";
import { checkIdPrefix } from "../options.ts";
import { EXIT, print, printJson, say, UsageError } from "../terminal/output.ts";
import { safeLine } from "../terminal/safe.ts";
import { keepMemorySmall } from "./verifier-memory.ts";
import type { StoreState, VerifierFlags } from "./verifier-options.ts";
import { keysOf, oneWindow, storeState, withStore } from "./verifier-options.ts";

export interface LiveFlags extends VerifierFlags {
  readonly keyFile?: string;
  readonly every?: number;
  readonly quiet?: number;
  readonly rate?: number;
  readonly prefix?: string;
  readonly partition?: Part;
  readonly once?: boolean;
  readonly rotate?: boolean;
  readonly printKey?: boolean;
  readonly acknowledge?: boolean;
}

/** Follows the store and publishes verdicts, until a signal or the end of what there is to say. */
export async function verifier(flags: LiveFlags, command: Command): Promise<number> {
  const window = oneWindow(command);
  if (flags.prefix !== undefined) checkIdPrefix(flags.prefix);
  const ring = await keyRing(flags);
  if (flags.printKey === true) {
    const keys = [...ring.retired, ring.key].reverse().map(formatVerifierKey);
    await (flags.json ? printJson(keys) : print(keys.map((key) => `${key}\n`).join("")));
    return EXIT.done;
  }
  if (flags.acknowledge === true) return acknowledge(flags, window, ring);
  keepMemorySmall();
  const state = storeState(flags);
  return withStore(flags, "change", async (log) => {
    const said = new Set<string>();
    const running = startVerifier(writerOf(log, "verdict-"), {
      ...liveOptions(flags, window, ring, state),
      onVerdict(issued) {
        if (issued.verdict.status === "violated") said.add(issued.verdict.window);
        return tellVerdict(issued, flags.json === true);
      },
    });
    const stop = (): void => void running.stop().catch(() => undefined);
    process.once("SIGINT", stop).once("SIGTERM", stop);
    if (flags.once === true) {
      await running.idle();
      await running.stop();
    }
    await running.done;
    const before = running.violated().filter((one) => !said.has(one));
    if (before.length > 0) say(violatedBefore(before));
    return said.size + before.length > 0 ? EXIT.refused : EXIT.done;
  });
}

/** Most windows that one line names. */
const MOST_NAMED = 20;

function violatedBefore(windows: readonly string[]): string {
  const named = windows.slice(0, MOST_NAMED).map((one) => safeLine(one, 128));
  const more = windows.length - named.length;
  return `violated, as was said before: ${named.join(" ")}${more > 0 ? ` and ${more} more` : ""}`;
}

/** For a host that requires verdicts: what was found was looked at, and work may go on. */
async function acknowledge(
  flags: LiveFlags,
  window: string | undefined,
  { key, retired }: KeyRing,
): Promise<number> {
  if (window === undefined) throw new UsageError("--acknowledge needs --window");
  const [by = ""] = flags.as;
  if (!/^(host|human)\/./.test(by)) {
    throw new UsageError(`--as ${JSON.stringify(by)}: only host/… and human/… may acknowledge`);
  }
  return withStore(flags, "change", async (log) => {
    const keys = [...keysOf(flags), ...retired, key];
    const gate = verdictGate(writerOf(log, "verdict-"), { keys });
    const seen = await gate.acknowledge(window, by);
    if (flags.json) await printJson({ window, by, acknowledged: seen ?? null });
    else if (seen === undefined) await print("no verdict waits to be acknowledged\n");
    else await print(`${by} acknowledges ${seen.findingCount} findings on ${window}\n`);
    return EXIT.done;
  });
}

function liveOptions(
  flags: LiveFlags,
  window: string | undefined,
  ring: KeyRing,
  state: StoreState | undefined,
): VerifierOptions {
  const { every, quiet, rate, prefix, partition: part } = flags;
  const scope: Scope = {
    ...(window !== undefined && { window }),
    ...(prefix !== undefined && { prefix }),
    ...(part !== undefined && { part }),
  };
  return {
    ...ring,
    ...scope,
    keys: keysOf(flags),
    ...(every !== undefined && { every: Math.max(1, every) }),
    ...(quiet !== undefined && { quietMs: Math.max(0, quiet) }),
    ...(rate !== undefined && { probesPerSecond: Math.max(0, rate) }),
    ...(state !== undefined && {
      heads: state.heads,
      checkpoints: state.checkpoints(scopeName(scope)),
    }),
  };
}

/** Each scope has a place of its own where it resumes. */
function scopeName({ window, prefix, part }: Scope): string {
  if (window !== undefined) return window;
  if (prefix === undefined && part === undefined) return "all windows";
  return JSON.stringify([prefix ?? "", part?.number ?? 1, part?.of ?? 1]);
}

async function keyRing(flags: LiveFlags): Promise<KeyRing> {
  const folder = storeState(flags)?.folder ?? defaultStateFolder();
  const file = flags.keyFile ?? join(folder, "key.json");
  try {
    const ring = await loadKeys(file);
    return flags.rotate === true ? await rotateKey(file) : ring;
  } catch (error) {
    if (error instanceof KeyFileError) throw new UsageError(error.message);
    throw error;
  }
}

async function tellVerdict({ verdict, revision }: IssuedVerdict, json: boolean): Promise<void> {
  if (json) return printJson({ revision, verdict });
  const { window, status, size, edits, probed, findings, findingCount } = verdict;
  await print(
    `${safeLine(window, 128)} ${status}: ${size} events, ${probed} of ${edits} edits probed\n`,
  );
  for (const { code, revision: at, message } of findings) {
    say(`  ✗ ${code} at revision ${at}: ${message}`);
  }
  if (findingCount > findings.length) say(`  and ${findingCount - findings.length} more`);
}
