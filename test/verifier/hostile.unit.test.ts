import type { EventLog, Json, StoredEvent } from "@palimpsest/core";
import { createMemoryLog, eventId, openWindow } from "@palimpsest/core";
import type { IssuedVerdict } from "@palimpsest/verifier";
import { startVerifier } from "@palimpsest/verifier";
import { expect, it } from "vitest";
import { sha256 } from "../support/sha256.ts";
import { claimStore, KEY, PRINCIPALS, user } from "../support/verifier/bases.ts";
import { measured } from "../support/verifier/damage.ts";
import type { TestStore } from "../support/verifier/store.ts";
import { verified } from "../support/verifier/store.ts";

/* Made to be too much: too deep, too long a chain, too many lines. An answer comes anyway. */

type Forged = readonly [type: string, data: Json];

const by = "host/h";
const OPENED: Forged = ["WindowOpened", { window: "w", tokenizer: "utf8-bytes/4" }];

/** One append for each list of events, well formed to the last field. */
function storeOf(...appends: readonly (readonly Forged[])[]): TestStore {
  const window: StoredEvent[] = [];
  for (const [at, events] of appends.entries()) {
    const commandId = `c${at}`;
    for (const [index, [type, data]] of events.entries()) {
      const place = { index, count: events.length, at: "2026-01-01T00:00:00.000Z" };
      const command = { commandId, commandDigest: sha256(commandId), schemaVersion: 1 };
      const id = eventId("w", by, commandId, index);
      const metadata = { by, ...command, ...place };
      window.push({ stream: "window-w", revision: window.length, id, type, data, metadata });
    }
  }
  return { window, verdicts: [] };
}

function admitted(spanId: string, content: Json, measures = measured("")): Forged {
  return ["SpanAdmitted", { spanId, origin: "user", kind: "text", content, ...measures }];
}

it.each([64, 500, 1_000, 2_000, 3_000, 4_000, 6_000, 10_000, 50_000])(
  "a content nested %d deep, shown, quoted and taken",
  async (depth) => {
    const deep = JSON.parse(`${"[".repeat(depth)}${"]".repeat(depth)}`) as Json;
    const digest = sha256("");
    const claim = { claimId: "c", kind: "fact", statement: "it is deep", carrier: "s" };
    const store = storeOf(
      [OPENED],
      [admitted("s", deep)],
      [["ClaimAsserted", { ...claim, quote: "[", because: [{ span: "s", quote: "[" }] }]],
      [["ClaimAsserted", { ...claim, claimId: "d", key: "k", value: deep, because: [] }]],
      [
        [
          "WindowRendered",
          {
            at: 3,
            renderer: "palimpsest/1",
            digest,
            tokens: 0,
            ledgerTokens: 0,
            firstChanged: 1,
          },
        ],
      ],
      [
        [
          "RecoveryRecorded",
          { editId: "e", ordinal: 1, consumed: [{ spanId: "s", revision: 1, digest }] },
        ],
        ["WindowEdited", { editId: "e", ordinal: 1, verb: "evict" }],
      ],
    );
    expect(await verified(store)).toMatchObject({ status: "violated" });
  },
);

it("a chain of merges longer than any stack", { timeout: 60_000 }, async () => {
  const appends: Forged[][] = [[OPENED], [admitted("p0", "text", measured("text"))]];
  const rewrite = (number: number, from: string, mergeOf: string): Forged[] => {
    const content = `text ${number}`;
    const creates = { spanId: `p${number}`, kind: "text", origin: "host", content };
    const entry = { spanId: from, revision: number === 1 ? 1 : 2 * number - 1 };
    const digest = sha256(number === 1 ? "text" : `text ${number - 1}`);
    const edit = { editId: `e${number}`, ordinal: number };
    const merge = number === 1 ? {} : { mergeOf };
    return [
      ["RecoveryRecorded", { ...edit, consumed: [{ ...entry, digest }] }],
      [
        "WindowEdited",
        { ...edit, verb: "rewrite", ...merge, creates: { ...creates, ...measured(content) } },
      ],
    ];
  };
  const length = 20_000;
  for (let i = 1; i <= length; i += 1) appends.push(rewrite(i, `p${i - 1}`, `e${i - 1}`));
  appends.push(rewrite(length + 1, `p${length}`, "e1"));
  const { edits, findings } = await verified(storeOf(...appends));
  expect(edits).toBe(length + 1);
  expect(new Set(findings.map(({ code }) => code))).toEqual(new Set(["merge-of"]));
});

it("a policy of more lines than a call has arguments", async () => {
  const lines = Array.from({ length: 300_000 }, (_, i) => `${i}`);
  const text = `${lines.join("\n")}\n`;
  const added = `@@ -0,0 +1,300000 @@\n${lines.map((line) => `+${line}\n`).join("")}`;
  const policy = (policyId: string, more: { readonly [key: string]: Json }): Forged => {
    return [
      "PolicyAuthored",
      { policyId, text, digest: sha256(text), epoch: 1, diff: added, ...more },
    ];
  };
  const longer = `${text}more\n`;
  const diff = "@@ -300000,0 +300001 @@\n+more\n";
  const next = { text: longer, digest: sha256(longer), previous: "one", diff };
  const store = storeOf([OPENED], [policy("one", {})], [policy("two", next)]);
  const { status, findings } = await verified(store);
  expect({ status, findings }).toEqual({ status: "holds", findings: [] });
});

it("a forged head of no events hides no other head", async () => {
  const { window } = await claimStore();
  const verdict = { size: 0, window: "w", root: sha256("") };
  const data = (size: number, root: string): Json => ({
    ...verdict,
    size,
    root,
    distinct: 0,
    retracted: 0,
    edits: 0,
    records: 0,
    probed: 0,
    status: "holds",
    findings: [],
    findingCount: 0,
    counts: { direct: 0, settled: 0, selfCommitted: 0, refused: 0 },
    shown: "unchecked",
    rollback: "unchecked",
    guarantees: { appendOnly: "none", writersSeparated: "none" },
    previous: null,
    key: "nobody",
    note: "none",
  });
  const metadata = { by: "verifier/v", at: "2026-01-01T00:00:00.000Z", schemaVersion: 1 };
  const verdicts = [data(0, sha256("")), data(1, "0".repeat(64))].map((said, revision) => {
    const id = eventId("w", "verifier/v", "forged", revision);
    return { stream: "verdict-w", revision, id, type: "VerdictIssued", data: said, metadata };
  });
  const { findings } = await verified({ window, verdicts });
  expect(findings.map(({ code }) => code)).toContain("head-root");
});

it("a content that is changed into one too deep between the check and the probe", async () => {
  const log = createMemoryLog();
  const window = await openWindow(log, "w", { principals: PRINCIPALS });
  await window.execute(user("s", { content: [1] }));
  await window.evict(["s"], { editId: "e" });
  const deep = JSON.parse(`${"[".repeat(50_000)}${"]".repeat(50_000)}`) as Json;
  let reads = 0;
  const changing: EventLog = {
    ...log,
    async *read(stream, options) {
      for await (const page of log.read(stream, options)) {
        const isProbe = stream === "window-w" && options?.to === 1;
        if (isProbe) reads += 1;
        yield isProbe ? page.map((one) => ({ ...one, data: { content: deep } })) : page;
      }
    },
  };
  const issued: IssuedVerdict[] = [];
  const onVerdict = (one: IssuedVerdict) => issued.push(one);
  const running = startVerifier(changing, { key: KEY, quietMs: 0, onVerdict });
  await running.idle();
  await running.stop();
  expect(reads).toBeGreaterThan(0);
  expect(issued.at(-1)?.verdict).toMatchObject({ findings: [{ code: "probe-lost" }] });
});
