import { spawn } from "node:child_process";

/**
 * Runs a command on this process's terminal and resolves with its exit code; signals that reach
 * this process are passed on, and death by a signal becomes 128 + its number, as in a shell.
 *
 * @param {string} command
 * @param {readonly string[]} args
 * @param {import("node:child_process").SpawnOptions} options
 * @returns {Promise<number>}
 */
export function run(command, args, options = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: "inherit", ...options });
    const handlers = [...signalNumbers.keys()].map((signal) => {
      const handler = () => {
        if (!sentToAll(signal)) child.kill(signal);
      };
      process.on(signal, handler);
      return { signal, handler };
    });
    const settle = () => {
      for (const { signal, handler } of handlers) process.off(signal, handler);
    };
    child.on("error", (error) => {
      settle();
      reject(error);
    });
    child.on("close", (code, signal) => {
      settle();
      resolve(code ?? 128 + (signalNumbers.get(signal ?? "SIGTERM") ?? 15));
    });
  });
}

/**
 * Ctrl-C on a terminal reaches the command by itself; twice would mean "at once" to some.
 *
 * @param {NodeJS.Signals} signal
 */
function sentToAll(signal) {
  return signal === "SIGINT" && process.stdin.isTTY;
}

/** @type {ReadonlyMap<NodeJS.Signals, number>} */
const signalNumbers = new Map([
  ["SIGHUP", 1],
  ["SIGINT", 2],
  ["SIGTERM", 15],
]);
