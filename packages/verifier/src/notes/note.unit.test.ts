import { describe, expect, it } from "vitest";
import { signerKey } from "./key.ts";
import { openNote, parseNote, signNote } from "./note.ts";

const alice = signerKey("alice", new Uint8Array(32).fill(1));
const bob = signerKey("bob", new Uint8Array(32).fill(2));
const text = "a line\nanother\n";

describe("a signed note", () => {
  it("opens with the key that signed it", () => {
    const opened = openNote(signNote(text, [alice]), [alice]);
    expect(opened).toMatchObject({ ok: true, text });
  });

  it("ignores signatures of keys it does not know", () => {
    expect(openNote(signNote(text, [bob, alice]), [alice])).toMatchObject({ ok: true });
    expect(openNote(signNote(text, [bob]), [alice])).toEqual({
      ok: false,
      problem: "unknown-signer",
    });
  });

  it("is rejected when a known key's signature fails, whatever else it holds", () => {
    const [, forged] = signNote("something else\n", [bob]).split("\n\n");
    const note = signNote(text, [alice]) + forged;
    expect(openNote(note, [alice])).toMatchObject({ ok: true });
    expect(openNote(note, [alice, bob])).toEqual({ ok: false, problem: "bad-signature" });
  });

  it("counts a key once that signed twice, and refuses more than a hundred signatures", () => {
    const [, line = ""] = signNote(text, [alice]).split("\n\n");
    expect(openNote(`${text}\n${line}${line}`, [alice])).toMatchObject({ ok: true, by: [alice] });
    expect(openNote(`${text}\n${line.repeat(100)}`, [alice])).toMatchObject({ ok: true });
    expect(openNote(`${text}\n${line.repeat(101)}`, [alice])).toMatchObject({ ok: false });
  });

  it("keeps an empty line within its text", () => {
    const note = signNote("one\n\ntwo\n", [alice]);
    expect(openNote(note, [alice])).toMatchObject({ ok: true, text: "one\n\ntwo\n" });
  });

  it.each([
    "",
    "text\n",
    "text\n\n",
    "text\n\n— alice\n",
    "text\n\n- alice AAAAAAAA\n",
    "a\u0000\n\n— a AAAAAAA=\n",
    "text\n\n— a\u0085b AAAAAAA=\n",
    "text\n\n— a\u0001b AAAAAAA=\n",
    "text\n\n— a\u3000b AAAAAAA=\n",
    "text\n\n— a+b AAAAAAA=\n",
    "text\n\n— a AAAAAAA=\r\n",
    "text\n\n— a AAAAAAA=\n\n",
  ])("calls %j malformed", (note) => {
    expect(parseNote(note)).toBeUndefined();
    expect(openNote(note, [alice])).toEqual({ ok: false, problem: "malformed" });
  });

  it("signs nothing that is no text of lines", () => {
    expect(() => signNote("no end", [alice])).toThrow(TypeError);
    expect(() => signNote("a\r\n", [alice])).toThrow(TypeError);
  });
});
