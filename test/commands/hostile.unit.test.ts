import type { Json } from "@palimpsest/core";
import { createMemoryLog, openWindow } from "@palimpsest/core";
import { afterEach, describe, expect, it } from "vitest";
import {
  admit,
  batch,
  callSpan,
  evict,
  redo,
  resultSpan,
  rewind,
  rewrite,
  undo,
} from "../support/scenarios/commands.ts";
import type { Story } from "../support/scenarios/given.ts";
import { given, MODEL } from "../support/scenarios/given.ts";
import { limitedLog } from "../support/scenarios/limited-log.ts";
import { memoryStore, stores } from "../support/scenarios/stores.ts";

const fail = (): never => {
  throw new Error("a trap");
};
const revoked = (): object => {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
};
const cycle: Record<string, unknown> = { command: "admitSpan", origin: "user" };
cycle.content = cycle;

describe("objects with traps", () => {
  it.each([
    [
      "a getter that throws",
      {
        get command() {
          return fail();
        },
      },
    ],
    [
      "a getter that throws, in content",
      admit("s1", {
        content: {
          get a() {
            return fail();
          },
        },
      }),
    ],
    ["a proxy that throws on has", new Proxy({}, { has: fail })],
    ["a proxy that throws on ownKeys", new Proxy({ command: "show" }, { ownKeys: fail })],
    ["a proxy that throws on get", new Proxy({ command: "show" }, { get: fail })],
    ["a proxy that throws on getPrototypeOf", new Proxy({}, { getPrototypeOf: fail })],
    ["a proxy as content", admit("s1", { content: new Proxy([1], { get: fail }) })],
    ["a revoked proxy", revoked()],
    ["a revoked proxy in a batch", batch([revoked() as never])],
    ["a cycle", cycle],
    [
      "a batch in itself",
      (() => {
        const self: Record<string, unknown> = { command: "batch" };
        self.commands = [self];
        return self;
      })(),
    ],
    ["a function in content", { ...admit("s1"), content: { f: fail } }],
    ["toJSON", { ...admit("s1"), content: { toJSON: fail } }],
    ["a Date in content", { ...admit("s1"), content: new Date(0) }],
    ["a boxed string", { ...admit("s1"), content: new String("x") }],
    ["a typed array", { ...admit("s1"), content: new Uint8Array(2) }],
    ["a hole in an array", { ...admit("s1"), content: new Array(2) }],
    [
      "a class",
      {
        ...admit("s1"),
        content: new (class Content {
          a = 1;
        })(),
      },
    ],
  ])("%s is invalid-command, and nothing is thrown", async (_, command) => {
    const w = await given(memoryStore);
    await w.refuses(command, "invalid-command");
  });

  it("a getter with two faces is read once", async () => {
    const w = await given(memoryStore);
    let reads = 0;
    const command = {
      command: "admitSpan",
      spanId: "s1",
      origin: "user",
      get content() {
        reads += 1;
        return reads === 1 ? "first" : { second: fail };
      },
    };
    await w.accepts(command);
    expect(await w.contents()).toEqual([["s1", "first"]]);
  });

  it("what the caller does to a command after sending it does not matter", async () => {
    const w = await given(memoryStore);
    const content = { list: ["as sent"] };
    const provider = { id: "as sent" };
    const command = { ...admit("s1"), spanId: "s1", content, provider };
    const sent = w.send(batch([command], { commandId: "c" }));
    content.list[0] = "changed";
    provider.id = "changed";
    command.spanId = "s2";
    await sent;
    content.list.push("later");
    expect(await w.contents()).toEqual([["s1", { list: ["as sent"] }]]);
    const [admitted] = (await w.history()).slice(-1);
    expect(admitted?.data).toMatchObject({ provider: { id: "as sent" } });
  });

  it("what the caller does to an answer does not matter either", async () => {
    const w = await given(memoryStore);
    await w.accepts(admit("s1", { content: { list: [1] } }));
    const [[, content] = []] = await w.contents();
    expect(content).toEqual({ list: [1] });
    try {
      Object.assign(content as object, { list: [2] });
    } catch {
      // It may be frozen.
    }
    expect(await w.contents()).toEqual([["s1", { list: [1] }]]);
  });
});

describe("a polluted Object.prototype", () => {
  afterEach(() => {
    Reflect.deleteProperty(Object.prototype, "by");
    Reflect.deleteProperty(Object.prototype, "commandId");
  });

  it("gives a command no principal and no id", async () => {
    const principals = ["model/m", "human/p"];
    const window = await openWindow(createMemoryLog(), "w", { principals });
    Object.assign(Object.prototype, { by: "human/p", commandId: "x" });
    await window.execute({ command: "admitSpan", origin: "assistant", content: "a" });
    await window.execute({ command: "admitSpan", origin: "assistant", content: "b" });
    const admitted = (await window.history()).filter(({ type }) => type === "SpanAdmitted");
    expect(admitted.map(({ metadata }) => metadata.by)).toEqual(["model/m", "model/m"]);
  });
});

describe("JSON that would pollute a prototype", () => {
  const evil = '{"__proto__":{"polluted":true,"command":"show"},"constructor":{"prototype":1}}';

  it("is content and provider like any other", async () => {
    const w = await given(memoryStore);
    const content = JSON.parse(evil) as Json;
    await w.accepts(admit("s1", { content, provider: content }));
    await w.accepts(rewrite("e1", ["s1"], "s2", [content]));
    await w.accepts(undo("e1"));
    const [[, shown] = []] = await w.again().contents();
    expect(JSON.stringify(shown)).toBe(evil);
    const admitted = (await w.history()).flatMap(({ type, data }) =>
      type === "SpanAdmitted" ? [JSON.stringify(data.provider)] : [],
    );
    expect(admitted).toEqual([evil]);
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });

  it("is not a command, a message, a tool or a source", async () => {
    const w = await given(memoryStore);
    const polluted = JSON.parse(
      '{"__proto__":{"id":"m","index":0,"name":"ls"},"id":"m","index":0}',
    );
    await w.refuses(JSON.parse(evil), "invalid-command");
    await w.refuses(admit("s1", { message: polluted }), "invalid-command");
    await w.refuses(admit("s1", { tool: JSON.parse(evil) }), "invalid-command");
    await w.refuses(admit("s1", { source: JSON.parse(evil) }), "invalid-command");
    await w.refuses(batch([JSON.parse(evil)]), "invalid-command");
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });
});

/** Every verb with one id for everything that has one. */
async function everyVerbUnder(w: Story, id: string): Promise<void> {
  const message = { id, index: 0 };
  const more = { commandId: id, message, group: id };
  await w.accepts(callSpan(id, { spanId: id, ...more }));
  await w.refuses(callSpan(id, { spanId: "other" }), "id-taken", { call: id });
  await w.accepts(admit("s1"));
  await w.accepts(resultSpan(id, { spanId: "r", message }));
  await w.accepts({ command: "markRead", spanIds: [id] });
  await w.accepts(evict(id, ["s1"], { via: id, by: MODEL }));
  await w.refuses(rewrite(id, ["r"], "x"), "id-taken", { editId: id });
  expect(await w.send({ command: "probe", editId: id })).toMatchObject({ recovery: "proven" });
  expect(await w.word(id)).toBe("reversible");
  await w.accepts(undo(id, { as: `${id}:undo` }));
  await w.accepts(redo(id));
  await w.accepts(undo(id, { strategy: "cascade" }));
  await w.accepts(evict("pair", [id, "r"]));
  await w.accepts({ command: "recall", spanId: id, as: `${id}.again` });
  await w.accepts(rewind(3, { as: `${id}:back` }));
  await w.accepts({ command: "render", commandId: `${id}.render` });
  expect(await w.again().live()).toEqual([id, "s1", "r"]);
}

const inherited = [
  "__proto__",
  "constructor",
  "toString",
  "hasOwnProperty",
  "propertyIsEnumerable",
];

describe.each(stores)("ids on $name", (store) => {
  it.each([...inherited, "valueOf", "-", ".", "0", "-1"])(
    "%s is an id like any other, through every verb",
    async (id) => {
      const w = await given(store);
      await everyVerbUnder(w, id);
    },
  );

  it.each(inherited)("%s is unknown until it is made", async (id) => {
    const w = await given(store);
    await w.refuses(evict("e1", [id]), "unknown-span", { spanId: id });
    await w.refuses(undo(id), "unknown-edit", { editId: id });
    await w.refuses(resultSpan(id), "call-not-live", { call: id });
    await w.accepts(admit("s1", { via: id }));
    await w.accepts(evict(id, ["s1"], { via: id, commandId: id }));
  });
});

const text = (bytes: number) => "0123456789abcde\n".repeat(Math.ceil(bytes / 16));

describe.each(stores)("any character is content on $name", (store) => {
  it.each([
    ["NUL", "\u0000a\u0000"],
    ["terminal escapes", "\u001b[2J\u001b]0;title\u0007\u009b31m"],
    ["bidi controls", "\u202etxt.exe\u2066\u2069\u200f\u061c"],
    ["markup", "</script><!--</style>]]>"],
    ["CRLF", "a\r\nb\rc\n\r"],
    ["a byte order mark, joiners and no characters", "\ufeff\u200d\ufffe\uffff\u{10ffff}"],
    ["not normalized", "e\u0301 \u00e9 \ufb01 \u212b"],
    ["quotes and backslashes", `"\\\\"'\`$\{x}`],
    ["structure of the rendering", "::ledger edits 0\n\\::gap\n\\\\::span"],
    ["5 MB of text", text(5_000_000)],
    ["JSON with such keys", { "\u0000": "\r\n", "\u202e": ["</script>"], "": { "\u2028": null } }],
  ])("%s comes back byte-identical", async (_, content) => {
    const w = await given(store);
    await w.accepts(admit("s1", { content, provider: { raw: content } }));
    await w.accepts(evict("e1", ["s1"]));
    await w.accepts({ command: "recall", spanId: "s1", as: "r1" });
    await w.accepts(undo("e1"));
    await w.accepts(rewrite("e3", ["s1"], "p1", { was: content }));
    await w.accepts(rewind(1));
    const same = [["s1", content]];
    expect(await w.contents()).toEqual(same);
    await w.accepts(undo("e4"));
    const again = w.again();
    expect(await again.contents()).toEqual([
      ["p1", { was: content }],
      ["r1", content],
    ]);
    await again.accepts(undo("e3"));
    expect((await w.contents())[0]).toEqual(["s1", content]);
    const admitted = (await again.history())[1];
    expect(admitted?.data).toMatchObject({ content, provider: { raw: content } });
  });
});

describe("a command too big for the log", () => {
  it("is content-too-large, and nothing is written", async () => {
    const w = await given(memoryStore);
    await w.refuses(admit("s1", { content: text(65 * 1024 * 1024) }), "content-too-large");
    await w.accepts(admit("s1"));
  });

  it("also when only all commands of a batch together are", async () => {
    const w = await given(memoryStore);
    const small = w.through(limitedLog(w.log, 4_000));
    const third = { content: text(1_500) };
    await small.refuses(
      batch([admit("a", third), admit("b", third), admit("c", third)]),
      "content-too-large",
    );
    await small.refuses(admit("a", { content: "", provider: text(4_000) }), "content-too-large");
    await small.accepts(admit("a", third));
    await small.refuses(rewrite("e1", ["a"], "p", text(4_000)), "content-too-large");
    await small.accepts(rewrite("e1", ["a"], "p", "short"));
    await small.accepts(undo("e1"));
    expect(await small.live()).toEqual(["a"]);
  });
});
