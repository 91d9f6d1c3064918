import { globSync, readFileSync } from "node:fs";
import { sep } from "node:path";
import type { ToolCall } from "./recorder.ts";

const ROOT = "/home/dev/hopper";

/** The project of the session as it is at this point of the story, and the tools that touch it. */
export class Workspace {
  readonly #files = new Map<string, string>();

  constructor(folder: string) {
    const found = globSync("**/*.*", { cwd: folder, exclude: (path) => path === "node_modules" });
    for (const path of found.map((each) => each.split(sep).join("/")).sort()) {
      this.#files.set(path, readFileSync(`${folder}/${path}`, "utf8"));
    }
  }

  paths(prefix: string): string[] {
    return [...this.#files.keys()].filter((path) => path.startsWith(prefix)).sort();
  }

  text(path: string): string {
    const text = this.#files.get(path);
    if (text === undefined) throw new Error(`${path} is not in the project`);
    return text;
  }

  read(path: string, offset?: number, limit?: number): ToolCall {
    const lines = this.text(path).split("\n");
    const from = offset ?? 1;
    const shown = lines.slice(from - 1, limit === undefined ? undefined : from - 1 + limit);
    return {
      name: "Read",
      input: {
        file_path: `${ROOT}/${path}`,
        ...(offset === undefined ? {} : { offset }),
        ...(limit === undefined ? {} : { limit }),
      },
      output: numbered(shown, from),
    };
  }

  /** Replaces a text that is in the file exactly once; anything else is a fault of the story. */
  edit(path: string, before: string, after: string): ToolCall {
    const text = this.text(path);
    const at = text.indexOf(before);
    if (at < 0 || text.indexOf(before, at + 1) >= 0) {
      throw new Error(`${path} does not hold this text exactly once: ${before}`);
    }
    const changed = text.slice(0, at) + after + text.slice(at + before.length);
    this.#files.set(path, changed);
    const line = text.slice(0, at).split("\n").length;
    const from = Math.max(1, line - 4);
    const shown = changed.split("\n").slice(from - 1, line + after.split("\n").length + 4);
    const said = `The file ${ROOT}/${path} has been updated. Here's the result of running`;
    return {
      name: "Edit",
      input: { file_path: `${ROOT}/${path}`, old_string: before, new_string: after },
      output: `${said} \`cat -n\` on a snippet of the edited file:\n${numbered(shown, from)}`,
    };
  }

  write(path: string, content: string): ToolCall {
    const isNew = !this.#files.has(path);
    this.#files.set(path, content);
    const done = isNew ? "File created successfully at:" : "The file has been rewritten:";
    return {
      name: "Write",
      input: { file_path: `${ROOT}/${path}`, content },
      output: `${done} ${ROOT}/${path}`,
    };
  }

  grep(pattern: string, under = ""): ToolCall {
    const expression = new RegExp(pattern);
    const hits = [...this.#files]
      .filter(([path]) => path.startsWith(under))
      .flatMap(([path, text]) =>
        text
          .split("\n")
          .map((line, i) => ({ line, at: `${path}:${i + 1}` }))
          .filter(({ line }) => expression.test(line))
          .map(({ line, at }) => `${at}:${line}`),
      );
    return {
      name: "Grep",
      input: { pattern, path: under === "" ? ROOT : `${ROOT}/${under}`, output_mode: "content" },
      output: hits.length === 0 ? "No matches found" : hits.join("\n"),
    };
  }

  glob(pattern: string, prefix: string): ToolCall {
    return {
      name: "Glob",
      input: { pattern },
      output: this.paths(prefix)
        .map((path) => `${ROOT}/${path}`)
        .join("\n"),
    };
  }
}

export function bash(command: string, description: string, output: string): ToolCall {
  return { name: "Bash", input: { command, description }, output };
}

export function failing(command: string, description: string, output: string): ToolCall {
  return { ...bash(command, description, `Exit code 1\n${output}`), isError: true };
}

function numbered(lines: readonly string[], from: number): string {
  return lines.map((line, i) => `${String(from + i).padStart(6)}\u2192${line}`).join("\n");
}
