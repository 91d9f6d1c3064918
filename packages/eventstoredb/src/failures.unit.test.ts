import { LogError } from "@palimpsest/core/log";
import { describe, expect, it } from "vitest";
import { appendErrorOf, currentOf, isUnknown, kindOf, logErrorOf } from "./failures.ts";

/** An error as gRPC gives it: a status, and the words by which the server tells errors apart. */
function status(code: number, exception?: string): Error {
  const get = (key: string) => (key === "exception" && exception !== undefined ? [exception] : []);
  return Object.assign(new Error("words"), { code, metadata: { get } });
}

/** An error as the client makes it of one. */
function ofClient(type: string, more: object = {}): Error {
  return Object.assign(new Error("words"), { type, ...more });
}

describe("an error of the server is", () => {
  it.each([
    ["access-denied", status(7, "access-denied"), "access-denied"],
    ["access-denied without a word", status(7), "access-denied"],
    ["a wrong password", status(16), "access-denied"],
    [
      "a wrong password, which the client calls access denied",
      ofClient("access-denied", { _raw: { code: 16 } }),
      "access-denied",
    ],
    ["another revision", ofClient("wrong-expected-version"), "wrong-expected-revision"],
    ["a large append", status(3, "maximum-append-size-exceeded"), "append-too-large"],
    ["a deleted stream", status(9, "stream-deleted"), "store-damaged"],
    ["no leader", status(5, "not-leader"), "store-unavailable"],
    ["a bad certificate", new Error("certificate has expired"), "store-unavailable"],
    ["no connection", status(14), "store-unavailable"],
    ["too late", status(4), "store-unavailable"],
    ["no error at all", undefined, "store-unavailable"],
    ["a text", "words", "store-unavailable"],
  ])("%s", (_, error, code) => {
    expect(logErrorOf(error, "read s")).toMatchObject({ code, cause: error });
  });

  it.each([
    status(14),
    status(4),
    status(1),
    status(13),
    status(2),
    new Error("no answer in time"),
  ])("an unknown outcome for an append, unless the server refused it: %o", (error) => {
    expect(isUnknown(error)).toBe(true);
    expect(appendErrorOf(error, "s")).toMatchObject({ code: "outcome-unknown" });
  });

  it.each(["access-denied", "maximum-append-size-exceeded", "stream-deleted", "not-leader"])(
    "a refusal of an append that surely was not stored: %s",
    (exception) => {
      const error = status(3, exception);
      expect(isUnknown(error)).toBe(false);
      expect(appendErrorOf(error, "s").code).not.toBe("outcome-unknown");
    },
  );
});

it("an error that was told already stays as it is", () => {
  const told = new LogError("log-closed", "closed");
  expect([logErrorOf(told, "read"), appendErrorOf(told, "s")]).toEqual([told, told]);
});

it("the revision that the server says is a number, and none of an empty stream", () => {
  const wrong = (actualVersion: unknown) => ofClient("wrong-expected-version", { actualVersion });
  expect(currentOf(wrong(7n))).toBe(7);
  expect(currentOf(wrong("no_stream"))).toBeUndefined();
  expect(kindOf(wrong(7n))).toBe("wrong-revision");
});
