/*
 * What the passages of a task say. Written from how operators, test runners, handbooks and tools
 * talk, without a look at what the extractor matches; when it misses one, that is a result. The
 * common hedges (raised to, pending, deprecated, …) were known, and the main list
 * uses several of them.
 *
 * `{key}` is the setting as written, `{label}` in words, `{a}` the first value, `{b}` the later
 * one, `{name}` what it belongs to. A passage is one line, so that it can be looked for as it is.
 */

export interface Wordings {
  /** A setting in a file. */
  readonly setting: readonly string[];
  /** What an operator says about it. */
  readonly operator: readonly string[];
  /** The last line of a test run that went well. */
  readonly passed: readonly string[];
  /** What a later run, or somebody who looked at it, says. */
  readonly failed: readonly string[];
  /** A rule in a document. */
  readonly document: readonly string[];
  /** The rule that came later. */
  readonly rule: readonly string[];
  /** How a tool says that it changed a line of a file; `{old}` and `{new}` are the lines. */
  readonly edit: readonly string[];
}

export const WORDINGS: Wordings = {
  setting: [
    "{key} = {a}",
    "{key}: {a}",
    '  "{key}": {a},',
    "{KEY}={a}",
    "{key} = {a}  # see the runbook of {name}",
  ],
  operator: [
    "{key} was raised to {b} for {name}, the file has not caught up yet",
    "please do not go by {key} {a} any more, {name} runs with {b}",
    "we moved {key} of {name} to {b} after the outage; rollout of the file is pending",
    "note for {name}: {key} is {b} in production, {a} is what we had before the move",
    "{key}={b} is what {name} is meant to use from now on, see the ticket",
    "the {a} for {key} is wrong, it has been {b} on {name} since Tuesday",
    "changed {key} from {a} to {b} on {name} by hand",
    "{name}: {key} {a} is deprecated, use {b}",
  ],
  passed: [
    "Tests: {a} passed, {a} total ({name})",
    "{name}: {a} passed, 0 failed",
    "===== {a} passed in 41.22s ({name}) =====",
    "ok {name} {a} tests, all green",
    "test result: ok. {a} passed; 0 failed; 0 ignored ({name})",
  ],
  failed: [
    "Tests: 1 failed, {b} passed, {a} total ({name})",
    "{name}: {b} passed, 1 failed",
    "===== 1 failed, {b} passed in 43.07s ({name}) =====",
    "not ok {name}: 1 of {a} tests failed",
    "test result: FAILED. {b} passed; 1 failed; 0 ignored ({name})",
    "the suite of {name} that was green this morning fails on the same commit now",
  ],
  document: [
    "The {label} of {name} is {a}.",
    "For {name} the {label} is limited to {a}.",
    "{name} allows a {label} of {a}.",
    "- {label} ({name}): {a}",
    "Every team that uses {name} works with a {label} of {a}.",
  ],
  rule: [
    "From this quarter on the {label} of {name} is {b}, the handbook is being revised.",
    "New rule: {label} of {name} is {b}. It replaces the {a} of the handbook.",
    "The {label} of {name} was changed to {b} by the review board.",
    "Superseded: {name} no longer has a {label} of {a}, it is {b}.",
    "- {label} ({name}): {b}",
    "Correction to the handbook: {label} of {name} must be {b}.",
  ],
  edit: [
    "The file {file} has been updated: {new}",
    "-{old}+{new}",
    "Applied 1 edit to {file}. New text: {new}",
    "replaced 1 occurrence in {file}: {old} -> {new}",
  ],
};

/** Written with other words than the common hedges, on purpose, and scored apart. */
export const HELD_OUT: Wordings = {
  setting: [
    "export const {key} = {a};",
    "ENV {KEY} {a}",
    '<property name="{key}" value="{a}"/>',
    "set {key} to {a}",
    "{key} => {a}",
  ],
  operator: [
    "heads up, {name} has had {b} for {key} since the incident, the repo lags behind",
    "fyi the number in git is not what is live: {key} on {name} is at {b}",
    "I bumped {key} on {name}; it is {b} these days",
    "on {name} we settled on {b} for {key}, whatever the file claims",
    "ignore the {a}, {key} went up to {b} for {name} overnight",
    "{b}, not {a}: that is what {name} has for {key} after yesterday's call",
    "somebody should fix the checked-in {key}, {name} is at {b}",
  ],
  passed: [
    "{name} done: all {a} specs succeeded",
    "BUILD SUCCESSFUL {name} ({a} checks)",
    "{a} examples, 0 failures, {name}",
    "PASS {name} ({a} assertions)",
  ],
  failed: [
    "{name}: one spec out of {a} broke, {b} fine",
    "BUILD FAILED {name} ({b} of {a} checks)",
    "{a} examples, 1 failure, {name}",
    "nightly went red for {name}: assertion in retry handling, {b} others fine",
    "turns out {name} only looked green because the runner skipped a shard",
  ],
  document: [
    "At {name}, people get {a} as their {label}.",
    "Handbook, {name}: nobody goes beyond {a} as {label}.",
    "{a} is what {name} grants as {label}.",
    "Our {label} at {name} stands at {a}.",
  ],
  rule: [
    "Starting Monday {name} grants {b} as {label}.",
    "Memo: at {name} we now go with {b} as {label}.",
    "Legal asked {name} to cut the {label}; {b} it is.",
    "Whoever reads the old page of {name}: {b} counts as {label} today.",
    "Our {label} at {name} stands at {b}.",
  ],
  edit: [
    "sed: {file}: wrote {new}",
    "1 file changed, 1 insertion(+), 1 deletion(-) {file} now has {new}",
    "patched {file} ({new})",
    "saved {file}; line reads {new}",
  ],
};

/** Settings: as written and in words, with a value before and a value after. */
export const SETTINGS = [
  ["retry_budget", "retry budget", "3", "7"],
  ["max_connections", "connection limit", "64", "200"],
  ["cache_ttl_seconds", "cache lifetime", "300", "45"],
  ["worker_count", "number of workers", "8", "12"],
  ["request_timeout_ms", "request timeout", "2500", "9000"],
  ["batch_size", "batch size", "500", "125"],
  ["queue_depth", "queue depth", "1024", "256"],
  ["rate_limit_per_minute", "rate limit", "600", "90"],
  ["pool_size", "pool size", "16", "40"],
  ["flush_interval", "flush interval", "15", "60"],
] as const;

/** What documents give a rule about. */
export const RULES = [
  ["refund period", "30 days", "14 days"],
  ["review quorum", "2 people", "3 people"],
  ["retention period", "90 days", "400 days"],
  ["spending limit", "500 euros", "200 euros"],
  ["notice period", "4 weeks", "6 weeks"],
  ["session length", "8 hours", "30 minutes"],
  ["baggage allowance", "2 bags", "1 bag"],
  ["answer time", "24 hours", "4 hours"],
] as const;

export const NAMES = [
  "payments",
  "checkout",
  "billing-api",
  "search-indexer",
  "mailer",
  "ledger-sync",
  "auth-gateway",
  "report-builder",
  "geo-lookup",
  "feed-worker",
  "invoice-export",
  "stock-service",
] as const;
