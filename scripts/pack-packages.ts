/* Builds and packs every package; the tarballs in `tarballs/` can be installed with any client. */
import { readdirSync } from "node:fs";
import { rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { buildPackages, packAll } from "./packed.ts";

const folder = join(dirname(import.meta.dirname), "tarballs");

const code = await buildPackages();
if (code === 0) {
  // A tarball of an earlier version would be installed with the others.
  await rm(folder, { recursive: true, force: true });
  await packAll(folder);
  for (const name of readdirSync(folder).sort()) console.log(join("tarballs", name));
}
process.exitCode = code;
