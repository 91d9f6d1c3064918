import type { Rule, Rules } from "./rule.ts";
import { verbRules } from "./rules-algebra.ts";
import { contentRules } from "./rules-content.ts";
import { metadataRules } from "./rules-metadata.ts";
import { permissionRules } from "./rules-permission.ts";
import { recordRules } from "./rules-records.ts";
import { stateRules } from "./rules-state.ts";
import type { Walk } from "./walk.ts";
import { placeAt, walkOf } from "./walk.ts";

/** What is wrong with a history, and at which event. */
export interface Finding {
  readonly code: RuleCode;
  readonly revision: number;
  readonly message: string;
}

const rules = {
  ...metadataRules,
  ...recordRules,
  ...contentRules,
  ...verbRules,
  ...permissionRules,
  ...stateRules,
} as const;

export type RuleCode = keyof typeof rules | "event-form";

/** Every code that a finding can have. `event-form`: an event that nobody can read. */
export const ruleCodes = ["event-form", ...Object.keys(rules)] as readonly RuleCode[];

const allRules = Object.entries(rules as Rules) as readonly (readonly [RuleCode, Rule])[];

export interface CheckOptions {
  /** Rules that are switched off: how a test shows that each is needed. */
  readonly without?: readonly RuleCode[];
  /** Events before this revision were checked already. */
  readonly from?: number;
}

/** Checks the events of a walk, one after another, by every rule. */
export function checkWalk(walk: Walk, { without = [], from = 0 }: CheckOptions = {}): Finding[] {
  const findings: Finding[] = [];
  const active = allRules.filter(([code]) => !without.includes(code));
  for (let revision = from; revision < walk.entries.length; revision += 1) {
    const problem = walk.entries[revision]?.problem;
    if (problem !== undefined && !without.includes("event-form")) {
      findings.push({ code: "event-form", revision, message: problem });
    }
    const place = placeAt(walk, revision);
    if (place === undefined) continue;
    for (const [code, rule] of active) {
      for (const message of rule(place)) {
        findings.push({ code, revision, message });
      }
    }
  }
  return findings;
}

/** Checks a stored history, which may be anything: never throws. */
export function checkHistory(events: readonly unknown[], options?: CheckOptions): Finding[] {
  return checkWalk(walkOf(events), options);
}
