import { expect, it } from "vitest";
import { LruCache } from "./lru-cache.ts";

/** A cache of texts, those that left it in order, and which of some keys it has. */
function cacheOfTexts(limits: { mostEntries?: number; mostWeight?: number }) {
  const gone: string[] = [];
  const cache = new LruCache<string, string>({
    ...limits,
    weigh: (text) => text.length,
    left: (text) => gone.push(text),
  });
  const has = (...keys: string[]) => keys.filter((key) => cache.peek(key) !== undefined);
  return { cache, gone, has };
}

it("lets the entry go that was used least recently", () => {
  const { cache, gone, has } = cacheOfTexts({ mostEntries: 2 });
  cache.set("a", "one");
  cache.set("b", "two");
  expect(cache.get("a")).toBe("one");
  cache.set("c", "three");
  expect(has("a", "b", "c")).toEqual(["a", "c"]);
  expect(gone).toEqual(["two"]);
});

it("does not count a peek as a use", () => {
  const { cache, has } = cacheOfTexts({ mostEntries: 2 });
  cache.set("a", "one");
  cache.set("b", "two");
  expect(cache.peek("a")).toBe("one");
  cache.set("c", "three");
  expect(has("a", "b", "c")).toEqual(["b", "c"]);
});

it("lets as many go as the weight asks for", () => {
  const { cache, gone, has } = cacheOfTexts({ mostWeight: 10 });
  for (const key of ["a", "b", "c"]) cache.set(key, "xyz");
  cache.set("d", "seven..");
  expect(has("a", "b", "c", "d")).toEqual(["c", "d"]);
  expect(gone).toEqual(["xyz", "xyz"]);
});

it("weighs a value anew that is set again, which is not to leave", () => {
  const { cache, gone, has } = cacheOfTexts({ mostWeight: 10 });
  cache.set("a", "12345678");
  cache.set("a", "1");
  cache.set("b", "123456789");
  expect([has("a", "b"), gone]).toEqual([["a", "b"], []]);
  cache.set("a", "12");
  expect([has("a", "b"), gone]).toEqual([["a"], ["123456789"]]);
});

it("keeps the entry that was set last, however heavy it is", () => {
  const { cache, has } = cacheOfTexts({ mostEntries: 5, mostWeight: 3 });
  cache.set("a", "one");
  cache.set("b", "far too long");
  expect(has("a", "b")).toEqual(["b"]);
  cache.set("c", "two");
  expect(has("b", "c")).toEqual(["c"]);
});

it("keeps everything without limits, and null as a value", () => {
  const cache = new LruCache<number, null>({});
  for (let key = 0; key < 100; key += 1) cache.set(key, null);
  expect(cache.get(0)).toBeNull();
  expect(cache.get(100)).toBeUndefined();
});
