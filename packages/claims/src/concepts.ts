import { stemOf } from "./words.ts";

/* Words for the same thing: a message rarely spells a setting as its file does. */

const ALIKE: readonly string[] = [
  "limit cap ceiling maximum max quota bound",
  "minimum min floor",
  "timeout deadline expiry",
  "retry attempt tries retries reattempt",
  "interval period frequency cadence",
  "ttl lifetime lifespan",
  "worker thread concurrency parallelism",
  "budget allowance",
  "backoff delay pause",
  "batch chunk",
  "memory heap ram",
  "replica instance copies copy",
  "log logging logs",
  "level verbosity",
  "host hostname address endpoint",
  "dir directory folder",
  "db database",
  "conn connection connections",
  "auth authentication login",
  "request req call",
  "threshold cutoff",
  "sampling sample",
  "retention keep kept",
  "queue backlog",
  "depth length",
  "upload uploads attachment",
  "session sessions",
  "cache caching cached",
  "percent pct percentage share",
  "feature flag toggle switch",
];

const CONCEPTS = new Map<string, string>(
  ALIKE.flatMap((line) => {
    const [first = "", ...others] = line.split(" ").map(stemOf);
    return [first, ...others].map((word) => [word, first] as const);
  }),
);

/** One stem for the words of one thing. */
export function conceptOf(stem: string): string {
  return CONCEPTS.get(stem) ?? stem;
}

const UNITS = new Set(
  (
    "ms s sec secs second seconds min mins minute minutes hour hours day days kb mb gb bytes byte " +
    "percent pct count num number value size total per"
  )
    .split(" ")
    .flatMap((word) => [word, stemOf(word), conceptOf(stemOf(word))]),
);

/** A part of a name that says in what it is counted. */
export function isUnit(part: string): boolean {
  return UNITS.has(part);
}
