/*
 * `npm run bench`: ratios against what the machine can do.
 *
 *   npm run bench -- [--json] [--peers] [NAME...]
 *
 * NAME picks the figures whose name contains it. --json prints one JSON array on stdout and
 * everything else on stderr. --peers also measures other libraries, and installs them first.
 * A missed target is a row that says so, not a failure: timings depend on the machine.
 */
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { eventStoreDbFigures } from "./eventstoredb.ts";
import type { Figure, Result } from "./figure.ts";
import { bulkAdmission, extractingAdmission } from "./figures/admission.ts";
import { durableEdit, durableEditCold, windowEdit } from "./figures/append.ts";
import { liveEdit, liveEvent } from "./figures/live.ts";
import { PEER_FIGURES } from "./figures/peers.ts";
import { pruning, settlement } from "./figures/prune.ts";
import { rendering } from "./figures/render.ts";
import { bulkReplay, coldReplay } from "./figures/replay.ts";
import { storage } from "./figures/storage.ts";
import { PROJECTION_FIGURES } from "./projections.ts";
import { tableOf } from "./table.ts";
import { VERIFIER_FIGURES } from "./verifier.ts";

const FIGURES: readonly Figure[] = [
  durableEdit,
  durableEditCold,
  windowEdit,
  bulkAdmission,
  extractingAdmission,
  storage,
  coldReplay,
  bulkReplay,
  liveEvent,
  liveEdit,
  rendering,
  settlement,
  pruning,
  ...PROJECTION_FIGURES,
  ...eventStoreDbFigures,
  ...VERIFIER_FIGURES,
];

async function main(argv: readonly string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args: [...argv],
    options: { json: { type: "boolean" }, peers: { type: "boolean" } },
    allowPositionals: true,
  });
  const figures = values.peers ? [...FIGURES, ...PEER_FIGURES] : FIGURES;
  const chosen = figures.filter(
    ({ name }) => positionals.length === 0 || positionals.some((part) => name.includes(part)),
  );
  if (chosen.length === 0) {
    const names = figures.map(({ name }) => name).join(", ");
    process.stderr.write(`no figure has that name; the names are: ${names}\n`);
    process.exitCode = 2;
    return;
  }
  const results: Result[] = [];
  for (const figure of chosen) {
    process.stderr.write(`${figure.name} ...\n`);
    results.push(...[await inFolder((folder) => figure.measure(folder))].flat());
  }
  const rows = results.map(({ row }) => row);
  process.stdout.write(`${values.json ? JSON.stringify(rows, null, 2) : tableOf(results)}\n`);
}

/** Beside the repository and not in the system's temporary folder, which may lie in memory. */
async function inFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const cache = join(import.meta.dirname, "..", "node_modules", ".cache");
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, "palimpsest-bench-"));
  try {
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

await main(process.argv.slice(2));
