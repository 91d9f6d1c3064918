import { readdirSync, readFileSync } from "node:fs";
import { rules } from "@palimpsest/verifier";
import { expect, it } from "vitest";

it("has damage for every rule", () => {
  const text = readdirSync(import.meta.dirname)
    .filter((name) => name.startsWith("damage-"))
    .map((name) => readFileSync(`${import.meta.dirname}/${name}`, "utf8"))
    .join("\n");
  const bare = rules.filter(({ code }) => !text.includes(`"${code}"`));
  expect(bare).toEqual([]);
});
