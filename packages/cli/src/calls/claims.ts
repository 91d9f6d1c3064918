import type { ClaimStatus, PolicyStatus } from "@palimpsest/core";
import { wholeNumber } from "../arguments.ts";
import type { GlobalOptions } from "../options.ts";
import { withWindow } from "../options.ts";
import { EXIT, print, printJson } from "../terminal/output.ts";
import { safeText } from "../terminal/safe.ts";
import { table } from "../terminal/table.ts";
import type { Calls } from "./calls.ts";

export function addClaimCalls({ add, finish }: Calls): void {
  add("claims", "every claim, whether it stands, and on what")
    .option("--at <revision>", "as it was after that event", wholeNumber)
    .action((options) => finish(claims, options));
  add("policies", "every policy, what changed in it, and the epochs that ran on it").action(
    (options) => finish(policies, options),
  );
}

function claims(options: GlobalOptions & { readonly at?: number }): Promise<number> {
  return withWindow(options, "look", async (window) => {
    const all = await window.claims(options.at);
    await (options.json ? printJson(all) : print(claimTable(all)));
    return EXIT.done;
  });
}

function claimTable(claims: readonly ClaimStatus[]): string {
  if (claims.length === 0) return "0 claims: nothing is protected\n";
  return table(
    ["claim", "kind", "standing", "by", "protected", "contested by", "statement"],
    claims.map((claim) => [
      claim.claimId,
      claim.kind,
      claim.standing,
      claim.by,
      claim.protected ? "yes" : "",
      claim.conflicts.join(" "),
      claim.statement,
    ]),
  );
}

function policies(options: GlobalOptions): Promise<number> {
  return withWindow(options, "look", async (window) => {
    const all = await window.policies();
    await (options.json ? printJson(all) : print(all.map(policyText).join("\n") || "no policy\n"));
    return EXIT.done;
  });
}

function policyText({ policyId, by, at, epoch, epochs, active, diff }: PolicyStatus): string {
  const ran = epochs.length === 0 ? "never active" : `epochs ${epochs.join(", ")}`;
  const now = active ? ", active now" : "";
  return safeText(`${policyId}, by ${by} in epoch ${epoch} (${at}): ${ran}${now}\n${diff}`);
}
