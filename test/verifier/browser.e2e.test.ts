import { join, resolve } from "node:path";
import type { StoredEvent } from "@palimpsest/core";
import { createMemoryLog, openWindow } from "@palimpsest/core";
import { memoryHeads, verifySignature, verifyWindow } from "@palimpsest/verifier";
import { build } from "esbuild";
import { describe, expect, it } from "vitest";
import { browser, browserNote, inBrowser } from "../support/browser.ts";
import { KEY, PRINCIPALS, user, verdictOn } from "../support/verifier/bases.ts";
import { eventsIn } from "../support/verifier/store.ts";
import { hasVectors, hexBytes, vectorsNote, vectorText } from "../support/verifier/vectors.ts";

/*
 * The verifier as a bundler gives it to a browser: without Node's digests and without its Ed25519.
 * The same bundle runs here, which shows the portable code, and in a browser.
 */

const root = resolve(import.meta.dirname, "../..");

interface EdgeCase {
  readonly key: string;
  readonly sig: string;
  readonly msg: string;
}

/** Signatures checked, a window verified, and a note signed; the given values are JSON. */
const SCRIPT = `
  import { noteDigest, parseVerifierKey, signerKey, signNote, verifySignature, verifyWindow }
    from "@palimpsest/verifier";
  const bytes = (hex) => Uint8Array.from(hex.match(/../g) ?? [], (two) => parseInt(two, 16));
  const encode = (text) => new TextEncoder().encode(text);
  const reader = (streams) => ({
    guarantees: { appendOnly: "process", writersSeparated: "process" },
    async *read(stream, { from = 0, to = Infinity } = {}) {
      const events = streams[stream] ?? [];
      yield events.filter(({ revision }) => revision >= from && revision <= to);
    },
    head: async (stream) => streams[stream]?.at(-1)?.revision,
  });
  globalThis.answer = async ({ cases, streams, window, keys, secret }) => {
    const accepted = cases.map(({ key, sig, msg }) =>
      verifySignature(bytes(sig), encode(msg), bytes(key)));
    const report = await verifyWindow(reader(streams), window, {
      keys: keys.map((text) => parseVerifierKey(text)),
    });
    const note = signNote("a line\\n", [signerKey("browser", bytes(secret))]);
    return { accepted, report, digest: noteDigest({ note }), isNode: typeof process !== "undefined" };
  };
`;

async function bundled(format: "iife" | "esm"): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents: SCRIPT, resolveDir: root },
    bundle: true,
    write: false,
    format,
    platform: "browser",
    conditions: ["@palimpsest/source", "browser"],
    tsconfig: join(root, "tsconfig.base.json"),
  });
  return outputFiles[0]?.text ?? "";
}

/** A window with an edit, and what a verifier said about it. */
async function given(cases: readonly EdgeCase[]) {
  const log = createMemoryLog();
  const window = await openWindow(log, "w", { principals: PRINCIPALS });
  await window.execute(user("s", { content: "words é 日本 \u{1f600}" }));
  await window.evict(["s"], { editId: "e" });
  await window.execute({ command: "render" });
  await verdictOn(log, memoryHeads());
  const streams: Record<string, readonly StoredEvent[]> = {
    "window-w": await eventsIn(log, "window-w"),
    "verdict-w": await eventsIn(log, "verdict-w"),
  };
  const { formatVerifierKey } = await import("@palimpsest/verifier");
  const keys = [formatVerifierKey(KEY)];
  const input = { cases, streams, window: "w", keys, secret: "07".repeat(32) };
  const report = await verifyWindow(log, "w", { keys: [KEY] });
  const accepted = cases.map(({ key, sig, msg }) =>
    verifySignature(hexBytes(sig), Buffer.from(msg), hexBytes(key)),
  );
  return { input, here: { accepted, report } };
}

const edges = (): EdgeCase[] =>
  hasVectors ? JSON.parse(vectorText("ed25519/ed25519vectors.json")) : [];

describe("the verifier without Node", () => {
  it(`answers as it does in Node, the 914 signatures at the edges included${vectorsNote}`, async () => {
    const { input, here } = await given(edges());
    const source = Buffer.from(await bundled("esm")).toString("base64");
    await import(`data:text/javascript;base64,${source}`);
    const answer = await (globalThis as unknown as { answer(of: object): Promise<object> }).answer(
      input,
    );
    expect(answer).toMatchObject(here);
  });

  it.skipIf(browser === undefined)(
    `answers so in a browser, too${browserNote}${vectorsNote}`,
    async () => {
      const { input, here } = await given(edges());
      // Base64 of UTF-8: a title passes nothing else on unchanged.
      const run =
        `answer(${JSON.stringify(input)}).catch((error) => ({ error: String(error) }))` +
        ".then((value) => { const text = unescape(encodeURIComponent(JSON.stringify(value)));" +
        " document.title = btoa(text); });";
      const answer = await inBrowser(`${await bundled("iife")}\n${run}`);
      expect(answer).toMatchObject({ ...here, isNode: false });
    },
  );
});
