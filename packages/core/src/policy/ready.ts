/** Policies that can be used as they are, or as a start for others (docs/policies.md). */
const rules = {
  "recency-frequency": {
    name: "recency × frequency with pinned spans",
    keep: 'span.pinned || span.origin == "system" || span.age < 10',
    rank: "double(span.reads + 1) / double(span.idle + 1)",
  },
  "oldest-tool-output": {
    name: "oldest tool output first",
    keep: 'span.pinned || span.origin in ["system", "user"] || span.age < 10',
    rank: 'span.kind == "tool-result" ? -span.age : 1000000000 - span.age',
  },
  "largest-first": {
    name: "largest first",
    keep: 'span.pinned || span.origin in ["system", "user"] || span.age < 10',
    rank: "-span.tokens",
  },
  "keep-errors": {
    name: "oldest tool output first, errors kept",
    keep:
      'span.pinned || span.origin in ["system", "user"] || span.age < 10 || ' +
      'span.status in ["error", "denied", "interrupted"]',
    rank: 'span.kind == "tool-result" ? -span.age : 1000000000 - span.age',
  },
} as const;

/** Name of a policy that can be used as it is. */
export type ReadyPolicy = keyof typeof rules;

/** The names of all of them. */
export const READY_POLICIES = Object.freeze(Object.keys(rules) as ReadyPolicy[]);

/** The document of a ready policy that prunes to at most `targetTokens`. */
export function readyPolicy(ready: ReadyPolicy, targetTokens: number): string {
  const { name, keep, rank } = rules[ready];
  return JSON.stringify({ name, targetTokens, keep, rank }, null, 2);
}
