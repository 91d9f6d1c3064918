import { execFile } from "node:child_process";
import { accessSync, constants } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";

/*
 * A browser without a window: a Chromium of this machine, which the tests do not install. Where
 * there is none, the tests that need it say so in their titles. `PALIMPSEST_BROWSER` names one.
 */

const NAMES = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

export const browser: string | undefined = process.env.PALIMPSEST_BROWSER ?? found();

/** What a title ends with when there is no browser. */
export const browserNote: string = browser === undefined ? " (skipped: no Chromium in PATH)" : "";

/** Runs a script in a page of its own; what it leaves in the page's title, as JSON. */
export async function inBrowser(script: string): Promise<unknown> {
  if (browser === undefined) throw new Error("there is no browser");
  const folder = await mkdtemp(join(tmpdir(), "palimpsest-browser-"));
  try {
    const page = join(folder, "page.html");
    await writeFile(join(folder, "script.js"), script);
    const body = '<meta charset="utf-8"><title>nothing</title><script src="script.js"></script>';
    await writeFile(page, `<!doctype html>${body}`);
    const flags = ["--headless", "--no-sandbox", "--disable-gpu", "--dump-dom"];
    const own = [`--user-data-dir=${join(folder, "profile")}`, "--virtual-time-budget=60000"];
    const { stdout } = await promisify(execFile)(
      browser,
      [...flags, ...own, pathToFileURL(page).href],
      { maxBuffer: 64 * 1024 * 1024, timeout: 100_000 },
    );
    const title = /<title>([^<]*)<\/title>/.exec(stdout)?.[1] ?? "";
    return JSON.parse(Buffer.from(title, "base64").toString("utf8"));
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

function found(): string | undefined {
  for (const folder of (process.env.PATH ?? "").split(delimiter)) {
    const path = NAMES.map((name) => join(folder, name)).find(isExecutable);
    if (path !== undefined) return path;
  }
  return undefined;
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
