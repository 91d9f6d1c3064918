import { describe, expectTypeOf, it } from "vitest";
import type { z } from "zod";
import type { Window } from "../host/window.ts";
import type { BatchItemOf, CommandInputs, ReadName, WriteName } from "./by-name.ts";
import type { Command, readCommandSchemas, writeCommandSchemas } from "./schema.ts";

declare const window: Window;

type Schemas = typeof writeCommandSchemas & typeof readCommandSchemas;
/** What the schema of a command takes, with every list read-only. */
type Taken<N extends keyof Schemas> = Relaxed<z.input<Schemas[N]>>;
type Relaxed<T> = { readonly [K in keyof T]: Lists<T[K]> };
type Lists<T> = T extends (infer E)[] ? readonly (E extends object ? Relaxed<E> : E)[] : T;

/** The names of the commands whose interface and schema do not take the same. */
type Different = {
  [N in keyof Schemas]: [CommandInputs[N], Taken<N>] extends [Taken<N>, CommandInputs[N]]
    ? keyof CommandInputs[N] extends keyof Taken<N>
      ? keyof Taken<N> extends keyof CommandInputs[N]
        ? never
        : N
      : N
    : N;
}[keyof Schemas];

describe("the commands that a caller writes", () => {
  it("are those of the schemas, field by field", () => {
    expectTypeOf<keyof CommandInputs>().toEqualTypeOf<Command["command"]>();
    expectTypeOf<WriteName>().toEqualTypeOf<keyof typeof writeCommandSchemas>();
    expectTypeOf<ReadName>().toEqualTypeOf<keyof typeof readCommandSchemas>();
    expectTypeOf<Different>().toEqualTypeOf<never>();
  });

  it("take read-only lists, and what may be left out may be undefined", async () => {
    const ids: readonly string[] = ["s"];
    await window.execute({ command: "markRead", spanIds: ids, by: undefined });
    await window.execute({ command: "rewrite", consumes: ids, content: ids, editId: undefined });
    await window.execute({
      command: "proposePruning",
      candidates: [{ consumes: ids, content: "" }],
    });
    await window.plan({ command: "evict", consumes: ids });
    await window.evict(ids, { commandId: undefined });
    await window.openEpoch({ policyId: undefined });
  });

  it("do not compile with a field that they do not have", async () => {
    // @ts-expect-error: an evict makes no span
    await window.execute({ command: "evict", consumes: ["s"], spanId: "t" });
    // @ts-expect-error: nor does a batch take it
    await window.batch([{ command: "evict", consumes: ["s"], spanId: "t" }]);
    const undo = { command: "undo", editId: "e" } as const;
    // @ts-expect-error: nor one that is run as any command
    await window.execute({ command: "batch", commands: [{ ...undo, id: "t" }] });
    // @ts-expect-error: nor a method
    await window.evict(["s"], { spanId: "t" });
    // @ts-expect-error: the method names the command
    await window.evict(["s"], { command: "evict" });
  });

  it("do not compile without a field that they need, or with one of another type", async () => {
    // @ts-expect-error: what is evicted?
    await window.execute({ command: "evict" });
    // @ts-expect-error: where from?
    await window.admit({ content: "text" });
    // @ts-expect-error: one span is a list of one
    await window.execute({ command: "evict", consumes: "s" });
    // @ts-expect-error: there is no such origin
    await window.admit({ origin: "nobody", content: "text" });
    // @ts-expect-error: nor such a strategy
    await window.undo("e", { strategy: "force" });
  });

  it("do not compile by another name, or as just anything", async () => {
    // @ts-expect-error: nothing is deleted
    await window.execute({ command: "delete" });
    // @ts-expect-error: what comes as JSON is for executeJson
    await window.execute(JSON.parse("{}") as unknown);
  });

  it("stand in a batch without what belongs to the batch", async () => {
    expectTypeOf<Extract<keyof BatchItemOf<"evict">, "commandId">>().toEqualTypeOf<never>();
    await window.batch([{ command: "evict", consumes: ["s"], by: "human/p", via: "c" }]);
    // @ts-expect-error: the batch has the id
    await window.batch([{ command: "evict", consumes: ["s"], commandId: "c" }]);
    // @ts-expect-error: a batch renders nothing
    await window.batch([{ command: "render" }]);
    // @ts-expect-error: nor does it read
    await window.batch([{ command: "show" }]);
    // @ts-expect-error: nor does it hold another
    await window.batch([{ command: "batch", commands: [] }]);
  });
});
