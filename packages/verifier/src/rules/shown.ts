import type { RuleInfo } from "./rule.ts";

/* Design §9: what the model was given. These rules are asked with the verifier's own rendering. */

const family = "shown";

export const shownAt: RuleInfo = {
  code: "shown-at",
  family,
  proves: "A rendering is of the window as it was then, not of an earlier one.",
};

export const shownRenderer: RuleInfo = {
  code: "shown-renderer",
  family,
  proves: "Every rendering is in a byte format that this verifier knows.",
};

export const shownDigest: RuleInfo = {
  code: "shown-digest",
  family,
  proves:
    "The bytes handed to the model are those of the verifier's own rendering, so every protected " +
    "claim was among them.",
};

export const shownTokens: RuleInfo = {
  code: "shown-tokens",
  family,
  proves: "The token counts of a rendering are those of its live spans and claim lines.",
};

export const shownFirstChanged: RuleInfo = {
  code: "shown-first-changed",
  family,
  proves: "A rendering says from where on it differs from the one before.",
};

export const shownOutside: RuleInfo = {
  code: "shown-outside",
  family,
  proves: "Bytes from outside the store are a rendering of this window.",
};

export const shownRules: readonly RuleInfo[] = [
  shownOutside,
  shownAt,
  shownRenderer,
  shownDigest,
  shownTokens,
  shownFirstChanged,
];
