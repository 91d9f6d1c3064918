#!/usr/bin/env node
/*
 * Plain JavaScript that any Node can read: it finds out whether this Node can run the rest.
 * Below 22.13 some of its imports do not resolve, and better-sqlite3 13 ends the process.
 */
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { constants } from "node:os";
import { fileURLToPath } from "node:url";

const program = fileURLToPath(import.meta.url);
// In a clone of the repository: the Node that its set-up installed.
const repositoryNode = fileURLToPath(
  new URL("../../../node_modules/node24/bin/node", import.meta.url),
);
const main = new URL("../dist/main.js", import.meta.url);

const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);

if (major > 22 || (major === 22 && minor >= 13)) {
  if (existsSync(main)) await import(main.href);
  else refuse("palimpsest is not built yet; in a clone of the repository, run `npm start` once");
} else if (existsSync(repositoryNode)) {
  runOn(repositoryNode);
} else {
  refuse(`palimpsest needs Node 22.13 or newer; this is ${process.versions.node}`);
}

/** @param {string} message */
function refuse(message) {
  process.stderr.write(`${message}\n`);
  process.exitCode = 2;
}

/** @param {string} node */
function runOn(node) {
  const child = spawn(node, [program, ...process.argv.slice(2)], { stdio: "inherit" });
  for (const signal of /** @type {const} */ (["SIGINT", "SIGTERM", "SIGHUP"])) {
    // Ctrl-C on a terminal reaches the child by itself.
    process.on(signal, () => (signal === "SIGINT" && process.stdin.isTTY) || child.kill(signal));
  }
  child.on("error", (error) => refuse(`${node} does not start: ${error.message}`));
  child.on("close", (code, signal) => {
    process.exitCode = code ?? 128 + constants.signals[signal ?? "SIGTERM"];
  });
}
