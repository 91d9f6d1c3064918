import { describe, expect, it } from "vitest";
import { formatCheckpoint, parseCheckpoint } from "./checkpoint.ts";

describe("a checkpoint", () => {
  const root = new Uint8Array(32).fill(9);

  it("is read as it is written", () => {
    const head = { origin: "log", size: 2n ** 63n, root, extensions: ["verdict x"] };
    expect(parseCheckpoint(formatCheckpoint(head))).toEqual(head);
  });

  it.each(["", "log\n", "log\n01\nAAAA\n", "log\n1\nAAAA\n", `log\n${2n ** 64n}\n`])(
    "is not %j",
    (one) => {
      expect(parseCheckpoint(one)).toBeUndefined();
    },
  );
});
