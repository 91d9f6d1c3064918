import { LogError } from "@palimpsest/core/log";
import { describe, expect, it } from "vitest";
import { connect } from "./connection.ts";
import { settingsOf } from "./settings.ts";

describe("a connection string", () => {
  it("tells what the client keeps to itself", () => {
    expect(settingsOf("esdb://me:se%40cret@host:2113?tlsCAFile=ca.crt")).toMatchObject({
      secure: true,
      credentials: { username: "me", password: "se@cret" },
      deadline: 10_000,
      maxAppendSize: 1024 * 1024,
    });
    expect(settingsOf("esdb://host:2113?tls=false").secure).toBe(false);
    expect(settingsOf("esdb+discover://a:b@c1,c2,c3:2113").secure).toBe(true);
  });

  it("may name the deadline; an option of the program goes before it", () => {
    const url = "esdb://host:2113?tls=false&defaultDeadline=700";
    expect(settingsOf(url).deadline).toBe(700);
    expect(settingsOf(url, { deadline: 5 }).deadline).toBe(5);
  });

  it("takes options in any writing that the client takes", () => {
    expect(settingsOf("esdb://host:2113?TLS=False").secure).toBe(false);
    expect(() => settingsOf("esdb://host:2113?TLS-verify_cert=false")).toThrow("tlsCAFile");
  });

  const secret = "hunter2";
  it.each([
    ["another scheme", `kurrentdb://me:${secret}@host:2113`],
    ["no host", "esdb://"],
    ["a password with @ in it", `esdb://me:${secret}@x@host:2113`],
    ["a password with % in it", `esdb://me:${secret}%zz@host:2113`],
    ["an option that nobody knows", `esdb://me:${secret}@host:2113?tlsCertFile=x`],
    ["a port that is not a number", `esdb://me:${secret}@host:port`],
    ["a value that an option does not take", `esdb://me:${secret}@host:2113?tls=perhaps`],
    ["a file that is not there", `esdb://me:${secret}@host:2113?tlsCAFile=nowhere.crt`],
    ["no user on a secured server", "esdb://host:2113"],
  ])("is refused without a word of the password: %s", (_, url) => {
    let refused: unknown;
    try {
      connect(settingsOf(url));
    } catch (error) {
      refused = error;
    }
    expect(refused).toBeInstanceOf(LogError);
    expect(refused).toMatchObject({ code: "store-unavailable" });
    const { message, cause } = refused as LogError;
    expect(`${message}${JSON.stringify(cause)}`).not.toContain(secret);
  });
});
