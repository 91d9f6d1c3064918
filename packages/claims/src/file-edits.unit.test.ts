import { describe, expect, it } from "vitest";
import { editOf } from "./file-edits.ts";

const path = "/repo/config/app.toml";
const read = "     1→[pool]\n     2→max_connections = 40\n     3→idle_timeout = 300\n";

describe("an edit is seen in the arguments of a call", () => {
  const now = "max_connections = 25";
  const was = "max_connections = 40";

  it.each([
    ["old and new text", [path, was, now]],
    ["in whatever order", ["replace", now, "config/app.toml", was]],
    ["several lines", [path, `[pool]\n${was}`, `[pool]\n${now}`]],
    ["a patch", [`*** Update File: ${path}\n@@\n-${was}\n+${now}\n`]],
    ["a unified diff", [`--- a/config/app.toml\n+++ b/config/app.toml\n@@\n-${was}\n+${now}\n`]],
    ["the whole file", [path, `[pool]\n${now}\nidle_timeout = 300\n`]],
    ["sed", ["sed -i 's/max_connections = 40/max_connections = 25/' config/app.toml"]],
  ])("%s", (_, strings) => {
    const edit = editOf(strings, path, read);
    expect(edit?.before).toContain(was);
    expect(edit?.after).toBe(now);
  });

  it.each([
    ["reading it", [path]],
    ["a search", [path, "max_connections", "content"]],
    ["a search for a line", [path, was]],
    ["another file", ["/repo/other.toml", was, now]],
    ["a command that prints it", ["cat config/app.toml | grep max_connections"]],
    ["the same again", [path, read.replace(/^ *\d→/gm, "")]],
  ])("not in %s", (_, strings) => {
    expect(editOf(strings, path, read)).toBeUndefined();
  });
});
