/*
 * For `node --import`: writes the URL of every module that the process loads, one on each line, to
 * the file that PALIMPSEST_LOADED names.
 */
import { writeFileSync } from "node:fs";
import { registerHooks } from "node:module";

const urls: string[] = [];

registerHooks({
  load(url, context, nextLoad) {
    urls.push(url);
    return nextLoad(url, context);
  },
});

process.on("exit", () => {
  const file = process.env.PALIMPSEST_LOADED;
  if (file !== undefined) writeFileSync(file, urls.join("\n"));
});
