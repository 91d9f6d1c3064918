/* Preloaded with `--import`: when the process ends, writes the address of each module it loaded. */
import { writeFileSync } from "node:fs";
import { registerHooks } from "node:module";

/** @type {string[]} */
const loaded = [];
registerHooks({
  load(url, context, next) {
    loaded.push(url);
    return next(url, context);
  },
});
process.on("exit", () => writeFileSync(String(process.env.PALIMPSEST_LOADED), loaded.join("\n")));
