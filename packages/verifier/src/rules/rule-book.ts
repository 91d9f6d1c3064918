import type { WindowEventType } from "@palimpsest/core/events";
import { algebraRules } from "./algebra.ts";
import { bondAppendRules, bondEventRules } from "./bonds.ts";
import { claimRules, retractionReason } from "./claims.ts";
import { headRules, streamRules } from "./history.ts";
import { policyEventRules } from "./policy.ts";
import { recordOrphan, recordRules } from "./records.ts";
import { retainedRules } from "./retained.ts";
import type { AppendRule, EventRule, RuleInfo } from "./rule.ts";
import { settlementAppendRules, settlementEventRules } from "./settlement.ts";
import { shownRules } from "./shown.ts";

const eventRules: readonly EventRule[] = [
  ...recordRules,
  ...algebraRules,
  ...bondEventRules,
  ...claimRules,
  ...policyEventRules,
  ...settlementEventRules,
  ...retainedRules,
];

const appendRules: readonly AppendRule[] = [...bondAppendRules, ...settlementAppendRules];

/** Every rule there is: its code, its family and what it proves. */
export const rules: readonly RuleInfo[] = [
  ...streamRules,
  ...headRules,
  ...eventRules,
  recordOrphan,
  ...appendRules,
  retractionReason,
  ...shownRules,
].map(({ code, family, proves }) => ({ code, family, proves }));

/** The rules that are asked, found by the type of event. */
export interface RuleBook {
  readonly on: Readonly<Record<WindowEventType, readonly EventRule[]>>;
  readonly appends: readonly AppendRule[];
}

/** All rules but those of the codes in `without`. */
export function ruleBook(without: ReadonlySet<string>): RuleBook {
  const asked = eventRules.filter(({ code }) => !without.has(code));
  const about = (type: WindowEventType): readonly EventRule[] =>
    asked.filter(({ on }) => on === "every" || on.includes(type));
  return {
    on: {
      WindowOpened: about("WindowOpened"),
      SpanAdmitted: about("SpanAdmitted"),
      SpansRead: about("SpansRead"),
      RecoveryRecorded: about("RecoveryRecorded"),
      WindowEdited: about("WindowEdited"),
      WindowRendered: about("WindowRendered"),
      ClaimAsserted: about("ClaimAsserted"),
      ClaimRetracted: about("ClaimRetracted"),
      ConflictNoted: about("ConflictNoted"),
      SourceObserved: about("SourceObserved"),
      PolicyAuthored: about("PolicyAuthored"),
      EpochOpened: about("EpochOpened"),
      PruningProposed: about("PruningProposed"),
      PruningSettled: about("PruningSettled"),
    },
    appends: appendRules.filter(({ code }) => !without.has(code)),
  };
}
