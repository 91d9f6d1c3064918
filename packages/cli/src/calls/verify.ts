import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import type { EventLog } from "@palimpsest/core";
import type { VerifyOptions, WindowReport } from "@palimpsest/verifier";
import { rules, verifyStore, verifyWindow } from "@palimpsest/verifier";
import type { Command } from "commander";
import { EXIT, print, printJson, UsageError } from "../terminal/output.ts";
import { safeLine } from "../terminal/safe.ts";
import { safeJson } from "../terminal/safe-text.ts";
import { whyOf } from "../terminal/system-error.ts";
import { windowNotOpen } from "../windows.ts";
import { keepMemorySmall } from "./verifier-memory.ts";
import type { VerifierFlags } from "./verifier-options.ts";
import { keysOf, oneWindow, storeState, withStore } from "./verifier-options.ts";

export interface VerifyFlags extends VerifierFlags {
  readonly rendered?: string;
  readonly at?: number;
  readonly rules?: boolean;
}

/** Checks once, and tells what was found. */
export async function verify(flags: VerifyFlags, command: Command): Promise<number> {
  if (flags.rules === true) {
    await (flags.json ? printJson(rules) : print(rules.map(ruleText).join("")));
    return EXIT.done;
  }
  keepMemorySmall();
  const options = await checkOptions(flags);
  const window = oneWindow(command) ?? (flags.rendered === undefined ? undefined : flags.window);
  return withStore(flags, "look", async (log) => {
    let count = 0;
    let code: number = EXIT.done;
    for await (const report of reportsOf(log, window, options)) {
      // One document, but written as it comes: a store may have a million windows.
      if (flags.json) await print(`${count === 0 ? "[" : ","}${safeJson(report)}`);
      else await print(reportText(report));
      count += 1;
      if (report.status === "violated") code = EXIT.refused;
    }
    if (flags.json) await print(count === 0 ? "[]\n" : "]\n");
    else if (count === 0) await print("there is no window in this store\n");
    return code;
  });
}

async function* reportsOf(
  log: EventLog,
  window: string | undefined,
  options: VerifyOptions,
): AsyncGenerator<WindowReport> {
  if (window === undefined) {
    yield* verifyStore(log, options);
    return;
  }
  const report = await verifyWindow(log, window, options);
  if (report.size === 0 && report.findingCount === 0) {
    throw await windowNotOpen(log, window);
  }
  yield report;
}

async function checkOptions(flags: VerifyFlags): Promise<VerifyOptions> {
  const keys = keysOf(flags);
  const heads = storeState(flags)?.heads;
  const bytes = flags.rendered === undefined ? undefined : await bytesOf(flags.rendered);
  if (flags.at !== undefined && bytes === undefined) throw new UsageError("--at needs --rendered");
  const digest = bytes && createHash("sha256").update(bytes).digest("hex");
  return {
    ...(keys.length > 0 && { keys }),
    ...(heads !== undefined && { heads }),
    ...(digest !== undefined && {
      rendered: { digest, ...(flags.at !== undefined && { at: flags.at }) },
    }),
  };
}

async function bytesOf(file: string): Promise<Uint8Array> {
  try {
    return await readFile(file);
  } catch (error) {
    throw new UsageError(`--rendered ${JSON.stringify(file)} cannot be read: ${whyOf(error)}`);
  }
}

const PROVES = new Map(rules.map(({ code, proves }) => [code, proves]));

/** What was found, for a person: the verdict first, then each reason with its place. */
export function reportText(report: WindowReport): string {
  const { window, status, size, root, edits, records, distinct, retracted, findingCount } = report;
  const lines = [
    `${window}: ${status}`,
    `  ${size} events, root ${root}`,
    `  ${edits} edits, ${records} records; ${distinct} claims, ${retracted} retracted`,
    `  edits made directly ${report.counts.direct}; settlements ${report.counts.settled}, ` +
      `refused ${report.counts.refused}, by the only principal ${report.counts.selfCommitted}`,
  ];
  if (report.shown === "unchecked") lines.push("  shown: unchecked (not every rendering recorded)");
  if (report.rollback === "unchecked") lines.push("  rollback: unchecked (no head kept outside)");
  for (const { revision, claims } of report.retractedTogether) {
    lines.push(`  retracted together at revision ${revision}: ${claims.join(" ")}`);
  }
  for (const { code, revision, id, message, stream } of report.findings) {
    const where = revision < 0 ? "" : ` at revision ${revision}${stream ? " of the verdicts" : ""}`;
    lines.push(`  ✗ ${code}${where}${id === "" ? "" : ` (event ${id})`}: ${message}`);
    lines.push(`    broken: ${PROVES.get(code) ?? "an unknown rule"}`);
  }
  const more = findingCount - report.findings.length;
  if (more > 0) lines.push(`  and ${more} more`);
  return lines.map((line) => `${safeLine(line, 400)}\n`).join("");
}

function ruleText({ code, family, proves }: (typeof rules)[number]): string {
  return `${family} ${code}: ${proves}\n`;
}
