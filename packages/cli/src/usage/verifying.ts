import type { Command } from "commander";
import { partOf, wholeNumber } from "../arguments.ts";
import type { AuditorFlags } from "../calls/auditor.ts";
import type { Calls } from "../calls/calls.ts";
import type { LiveFlags } from "../calls/verifier.ts";
import type { VerifyFlags } from "../calls/verify.ts";

/** The calls that check a store, and those that follow whoever checks it. */
export function addVerifyingCalls(calls: Calls): void {
  addVerify(calls);
  addVerifier(calls);
  addAuditor(calls);
}

function addVerify({ add, finish }: Calls): void {
  withVerifierOptions(add("verify", "check the whole store, or one window, once"))
    .option("--rendered <file>", "check that these bytes are what the window shows")
    .option("--at <revision>", "the revision that the bytes should be of", wholeNumber)
    .option("--rules", "say what is checked, and check nothing")
    .action((options: VerifyFlags, command: Command) =>
      finish(async (o) => (await import("../calls/verify.ts")).verify(o, command), options),
    );
}

function addVerifier({ add, finish }: Calls): void {
  withVerifierOptions(add("verifier", "follow the store and publish signed verdicts"))
    .option("--key-file <file>", "the verifier's own key, default: key.json in the state folder")
    .option("--every <events>", "publish a verdict at least every so many events", wholeNumber)
    .option("--quiet <ms>", "publish one on a window without events for so long", wholeNumber)
    .option("--rate <spans>", "consumed spans to probe in a second; 0 probes none", wholeNumber)
    .option("--prefix <start>", "only windows whose id begins like this; the store picks them out")
    .option("--partition <k/n>", "only the k-th of n parts of all windows", partOf)
    .option("--once", "end when there is nothing left to say")
    .option("--rotate", "sign with a new key from now on")
    .option("--print-key", "print the keys for auditors, the one that signs first, and end")
    .option("--acknowledge", "say for --as that the last verdict on --window was seen, and end")
    .action((options: LiveFlags, command: Command) =>
      finish(async (o) => (await import("../calls/verifier.ts")).verifier(o, command), options),
    );
}

function addAuditor({ add, finish }: Calls): void {
  withVerifierOptions(add("auditor", "follow verdicts and check their signatures"))
    .option("--once", "end after the verdicts that are stored now")
    .action((options: AuditorFlags, command: Command) =>
      finish(async (o) => (await import("../calls/auditor.ts")).audit(o, command), options),
    );
}

/** What `verify`, `verifier` and `auditor` take beside the options of every call. */
function withVerifierOptions(command: Command): Command {
  return command
    .option("--state <folder>", "where the last heads are kept, default: the user's state folder")
    .option("--no-state", "keep and compare no head outside the store")
    .option(
      "--key <key>",
      "a verifier key to trust, name+id+base64; repeatable",
      (value: string, before: readonly string[] = []) => [...before, value],
    );
}
