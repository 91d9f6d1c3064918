import { dirname } from "node:path";
import { createContext, Script } from "node:vm";
import { beforeAll, describe, expect, it } from "vitest";
import type { BrowserBundle } from "../../scripts/browser-bundle.ts";
import { bundlePackages, MAX_GZIPPED, weightsOf } from "../../scripts/browser-bundle.ts";

const root = dirname(dirname(import.meta.dirname));
const names = ["@palimpsest/core", "@palimpsest/projections", "@palimpsest/verifier"];

/** What a page's script finds beyond JavaScript itself; no `process`, `Buffer` or `require`. */
const webGlobals = () => ({
  ...{ crypto, TextEncoder, TextDecoder, AbortController, structuredClone, queueMicrotask },
  ...{ setTimeout, clearTimeout, performance, atob, btoa },
});

/** Uses all three packages in one window, and reports as JSON. */
const session = `(async () => {
  const log = palimpsest.createMemoryLog();
  const window = await palimpsest.openWindow(log, "main");
  await window.admit({ spanId: "s", origin: "user", content: "remember this" });
  await window.evict(["s"], { editId: "e" });
  const away = (await window.show()).rendered;
  await window.undo("e");
  const back = (await window.show()).rendered;
  const refused = await window.execute({ command: "evict", consumes: "s" });
  const report = await palimpsest.verifyWindow(log, "main");
  const secretKey = palimpsest.newSecretKey();
  const key = palimpsest.signerKey("page", secretKey);
  const verifier = palimpsest.startVerifier(log, { key, heads: palimpsest.memoryHeads() });
  await verifier.idle();
  await verifier.stop();
  const verdicts = await new Promise((resolve, reject) => {
    const seen = [];
    palimpsest.auditor(log, { keys: [key], once: true }).subscribe({
      next: ({ verdict, isValid }) => seen.push([verdict?.status, isValid]),
      complete: () => resolve(seen),
      error: reject,
    });
  });
  const { status, size, findings } = report;
  return JSON.stringify({ tries, away, back, refused, status, size, findings, verdicts });
})()`;

/** Counts who makes code from text, as the report of a strict page would. */
const counting = `globalThis.tries = 0;
  globalThis.Function = new Proxy(Function, {
    construct(target, texts) {
      tries += 1;
      return Reflect.construct(target, texts);
    },
  });`;

/** Runs the script in a realm of its own that forbids code from text, as strict pages do. */
async function runInPage(code: string): Promise<unknown> {
  const page = createContext(webGlobals(), { codeGeneration: { strings: false, wasm: false } });
  for (const part of [counting, code]) new Script(part).runInContext(page);
  return JSON.parse(await new Script(session).runInContext(page));
}

describe("core, projections and verifier in a browser", () => {
  let bundle: BrowserBundle;
  let script: BrowserBundle;
  beforeAll(async () => {
    bundle = await bundlePackages(names, root, { format: "esm" });
    script = await bundlePackages(names, root, { format: "iife", globalName: "palimpsest" });
  });

  it(`weigh at most ${MAX_GZIPPED} bytes gzipped`, () => {
    expect(bundle.gzippedBytes, weightsOf(bundle)).toBeLessThanOrEqual(MAX_GZIPPED);
  });

  it("need nothing of Node", () => {
    expect(bundle.imports).toEqual([]);
  });

  it("hold one copy of each dependency", () => {
    const plain = bundle.packages.map(([name]) => name.replace(/(?<=.)@[^@]*$/, ""));
    expect(plain.length).toBeGreaterThan(5);
    expect(plain, weightsOf(bundle)).toEqual([...new Set(plain)]);
  });

  it("admit, evict, undo, verify and sign with web globals alone, and try no code from text", async () => {
    const done = await runInPage(script.code);
    expect(done).toMatchObject({
      tries: 0,
      back: expect.stringContaining("remember this"),
      status: "holds",
      findings: [],
      verdicts: [["holds", true]],
    });
    expect(done).toMatchObject({ away: expect.not.stringContaining("remember this") });
    expect(done).toMatchObject({
      refused: {
        outcome: "refused",
        refusals: [{ code: "invalid-command", message: expect.stringContaining("expected array") }],
      },
    });
  });

  it("are told from what makes code from text", async () => {
    const trying = "try { new Function(''); } catch {}";
    expect(await runInPage(script.code + trying)).toMatchObject({ tries: 1 });
  });
});

describe("the weights of a bundle", () => {
  it("name each package, the heaviest first", () => {
    const bundle: BrowserBundle = {
      code: "",
      gzippedBytes: 7,
      packages: [
        ["zod@4.0.0", 1200],
        ["@palimpsest/core", 30],
      ],
      imports: [],
    };
    expect(weightsOf(bundle)).toBe(
      "7 bytes gzipped; minified, by package:\n    1200 zod@4.0.0\n      30 @palimpsest/core",
    );
  });
});
