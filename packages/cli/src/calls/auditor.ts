import type { AuditedVerdict } from "@palimpsest/verifier";
import { auditor } from "@palimpsest/verifier";
import type { Command } from "commander";
import { EXIT, print, printJson, say } from "../terminal/output.ts";
import { safeLine } from "../terminal/safe.ts";
import type { VerifierFlags } from "./verifier-options.ts";
import { keysOf, oneWindow, withStore } from "./verifier-options.ts";

export interface AuditorFlags extends VerifierFlags {
  readonly once?: boolean;
}

/** Tells every verdict, with what is wrong with it, until a signal or the end of what is stored. */
export async function audit(flags: AuditorFlags, command: Command): Promise<number> {
  const window = oneWindow(command);
  const keys = keysOf(flags);
  if (keys.length === 0) say("no --key: the first key that signs on a window is believed");
  return withStore(flags, "look", async (log) => {
    let code: number = EXIT.done;
    let told = Promise.resolve();
    await new Promise<void>((resolve, reject) => {
      const subscription = auditor(log, {
        keys,
        once: flags.once === true,
        ...(window !== undefined && { window }),
      }).subscribe({
        next(audited) {
          const isGood = audited.isValid && audited.verdict?.status !== "violated";
          if (!isGood) code = EXIT.refused;
          const tell = () => (flags.json ? printJson(audited) : print(auditedText(audited)));
          told = told.then(tell);
        },
        error: reject,
        complete: resolve,
      });
      const stop = (): void => {
        subscription.unsubscribe();
        resolve();
      };
      process.once("SIGINT", stop).once("SIGTERM", stop);
    });
    await told;
    return code;
  });
}

function auditedText({ window, revision, verdict, isValid, problems }: AuditedVerdict): string {
  const said =
    verdict === undefined
      ? "no verdict"
      : `${verdict.status}, ${verdict.size} events, ${verdict.probed} of ${verdict.edits} probed`;
  const lines = [
    `${window} ${revision}: ${said}; ${isValid ? "signature good" : "NOT VALID"}`,
    ...problems.map(({ code, message }) => `  ✗ ${code}: ${message}`),
    ...(verdict?.findings ?? []).map(
      ({ code, revision: at, message }) => `  ✗ ${code} at revision ${at}: ${message}`,
    ),
  ];
  return lines.map((line) => `${safeLine(line, 400)}\n`).join("");
}
