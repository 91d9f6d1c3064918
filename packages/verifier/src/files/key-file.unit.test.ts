import { chmod, mkdtemp, readdir, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { KeyFileError, loadKeys, rotateKey } from "./key-file.ts";
import { headsFolder } from "./state.ts";

let folder = "";
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "palimpsest-keys-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const file = (): string => join(folder, "state", "key.json");

it("makes a key on first use, for its owner's eyes only, and keeps it", async () => {
  const first = await loadKeys(file());
  expect((await stat(file())).mode & 0o777).toBe(0o600);
  expect((await stat(join(folder, "state"))).mode & 0o077).toBe(0);
  expect(await loadKeys(file())).toEqual(first);
});

it("makes one key when several verifiers come first", async () => {
  const rings = await Promise.all([1, 2, 3, 4].map(() => loadKeys(file())));
  expect(new Set(rings.map(({ key }) => key.id)).size).toBe(1);
  expect(await readdir(join(folder, "state"))).toEqual(["key.json"]);
});

it("keeps every retired key beside the new one", async () => {
  const { key } = await loadKeys(file());
  const { key: second } = await rotateKey(file());
  const ring = await rotateKey(file());
  expect(new Set([key.id, second.id, ring.key.id]).size).toBe(3);
  expect(ring.retired).toEqual([key, second]);
  expect(await loadKeys(file())).toEqual(ring);
});

it("refuses a key that others can read", async () => {
  await loadKeys(file());
  await chmod(file(), 0o644);
  await expect(loadKeys(file())).rejects.toThrow(KeyFileError);
});

it.each([
  "",
  "{}",
  '{"version":1,"keys":[]}',
  '{"version":1,"keys":[{"name":"a b","secretKey":""}]}',
])("refuses %j", async (text) => {
  await loadKeys(file());
  await writeFile(file(), text);
  await expect(loadKeys(file())).rejects.toThrow(KeyFileError);
});

it("keeps the last head of each window, whatever its name", async () => {
  const heads = headsFolder(folder, "store");
  await heads.put("a", { note: "one", key: "k" });
  await heads.put("a", { note: "two", key: "k" });
  await heads.put("..:b", { note: "three", key: "k" });
  expect(await heads.get("a")).toMatchObject({ note: "two" });
  expect(await headsFolder(folder, "other store").get("a")).toBeUndefined();
  const windows: string[] = [];
  for await (const window of heads.windows()) windows.push(window);
  expect(windows.sort()).toEqual(["..:b", "a"]);
});
