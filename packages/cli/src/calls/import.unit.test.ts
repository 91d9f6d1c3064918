import type { ImportResult } from "@palimpsest/import";
import { expect, it } from "vitest";
import { importText } from "./import.ts";

const result = (fields: Partial<ImportResult>): ImportResult => ({
  format: "openai-chat",
  lines: 0,
  chats: 0,
  messages: 0,
  spans: 0,
  calls: 0,
  results: 0,
  compactions: 0,
  clearedResults: 0,
  rollbacks: 0,
  renamedCalls: 0,
  renamedMessages: 0,
  interruptedCalls: 0,
  orphanResults: 0,
  splitMessages: 0,
  altered: 0,
  ignored: [],
  unplaced: [],
  window: "main",
  revision: 0,
  added: 1,
  tokensAdmitted: 0,
  tokens: 0,
  edits: 0,
  claims: 0,
  contested: 0,
  leftOut: { claims: 0, conflicts: 0, dropped: 0, failures: 0 },
  notes: [],
  ...fields,
});

it("leaves out what is zero", () => {
  expect(importText(result({}))).toBe(
    "imported 0 messages as 0 spans (openai-chat)\n" +
      "  0 tokens admitted, 0 in view now\n" +
      "  0 claims: nothing is protected\n",
  );
});

it.each([
  [10, 10, "imported already, nothing was added: 0 messages"],
  [10, 6, "went on with an import that was cut short: 0 messages"],
  [10, -1, "imported 0 messages"],
])("of a window at revision %i that was at %i says: %s", (revision, before, says) => {
  const text = importText(result({ revision, added: revision - before }));
  expect(text.startsWith(says)).toBe(true);
});

it("counts one thing as one and several as several, chats first", () => {
  const counted = { chats: 2, messages: 3, spans: 4, calls: 1, results: 2, interruptedCalls: 1 };
  const edits = { compactions: 1, rollbacks: 2, edits: 3, claims: 1, renamedCalls: 1 };
  const more = {
    leftOut: { claims: 1, conflicts: 2, dropped: 0, failures: 0 },
    tokensAdmitted: 9,
    tokens: 1,
  };
  expect(importText(result({ ...counted, ...edits, ...more }))).toBe(
    "imported 2 chats as one window: 3 messages as 4 spans (openai-chat)\n" +
      "  1 tool call, 2 results, 1 call closed as interrupted\n" +
      "  1 compaction, 2 rollbacks, as 3 edits that can be undone\n" +
      "  9 tokens admitted, 1 in view now\n" +
      "  1 claim found, 0 of them contested\n" +
      "  left out, since one source brings only so many: 1 claim, 2 conflicts\n" +
      "  1 call renamed\n",
  );
});

it("gives a recording's own words as safe text on one line", () => {
  const ignored = [{ what: "system a\u009b31m\u202e\nb\u007f", count: 1, firstAt: 2 }];
  expect(importText(result({ ignored }))).toContain(
    "\n  lines without conversation: 1 × system a\\x9b31m\\u202e⏎b\\x7f (first at 2)\n",
  );
});
