import type { ClaimStatus, PolicyStatus } from "@palimpsest/core";
import type { AtOptions, GlobalOptions } from "../options.ts";
import { withWindow } from "../options.ts";
import { EXIT, print, printJson } from "../terminal/output.ts";
import { safeText } from "../terminal/safe-text.ts";
import { table } from "../terminal/table.ts";

/** Every claim, as it is now or was after an event. */
export function claims(options: AtOptions): Promise<number> {
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

/** Every policy, with what changed in it. */
export function policies(options: GlobalOptions): Promise<number> {
  return withWindow(options, "look", async (window) => {
    const all = await window.policies();
    await (options.json
      ? printJson(all)
      : print(all.map(policyText).join("\n") || "no policies\n"));
    return EXIT.done;
  });
}

function policyText({ policyId, by, at, epoch, epochs, active, diff }: PolicyStatus): string {
  const ran = epochs.length === 0 ? "never active" : `epochs ${epochs.join(", ")}`;
  const now = active ? ", active now" : "";
  return safeText(`${policyId}, by ${by} in epoch ${epoch} (${at}): ${ran}${now}\n${diff}`);
}
