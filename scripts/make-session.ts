/* Writes fixtures/session.jsonl, the recorded session that ships with the repository. */
import { writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { pathToFileURL } from "node:url";
import { budget } from "./make-session/chapter-budget.ts";
import { compaction } from "./make-session/chapter-compaction.ts";
import { gateway } from "./make-session/chapter-gateway.ts";
import { incident, lostPosition } from "./make-session/chapter-incident.ts";
import { loggingBegins, loggingGoesOn } from "./make-session/chapter-logging.ts";
import { question } from "./make-session/chapter-question.ts";
import { rateLimit } from "./make-session/chapter-rate.ts";
import { requeue, tornLine } from "./make-session/chapter-requeue.ts";
import { zoneTests } from "./make-session/chapter-zones.ts";
import type { Chapter } from "./make-session/story.ts";
import { beginStory } from "./make-session/story.ts";

const fixtures = `${dirname(import.meta.dirname)}/fixtures`;

const chapters: readonly Chapter[] = [
  incident,
  lostPosition,
  gateway,
  budget,
  loggingBegins,
  compaction,
  loggingGoesOn,
  requeue,
  zoneTests,
  tornLine,
  rateLimit,
  question,
];

/** The whole session; the same text on every run. Its project starts as fixtures/hopper. */
export function makeSession(): string {
  const story = beginStory(`${fixtures}/hopper`);
  for (const chapter of chapters) chapter(story);
  return `${story.session.lines.join("\n")}\n`;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  writeFileSync(`${fixtures}/session.jsonl`, makeSession());
}
