import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { chmod, mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { contentDigest } from "../json/digest.ts";
import { isSourceError, observe, observeFile, observeHttp } from "./index.ts";

let folder = "";

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "palimpsest-sources-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function file(name: string, content: string | Uint8Array): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, content);
  return path;
}

describe("observeFile", () => {
  it("gives the digest that a span with the file's text has", async () => {
    const text = "retry_budget = 3\n# naïve €\n";
    const path = await file("a b#.toml", text);
    const observation = { uri: pathToFileURL(path).href, digest: contentDigest(text) };
    expect(await observeFile(path)).toEqual(observation);
    expect(await observeFile(observation.uri)).toEqual(observation);
    expect(await observeFile(new URL(observation.uri))).toEqual(observation);
  });

  it("gives the digest of the bytes of a file that is not text, whatever its length", async () => {
    const bytes = new Uint8Array(300_000).map((_, i) => (i * 7) % 256);
    const { digest } = await observeFile(await file("bytes", bytes));
    expect(digest).toBe(createHash("sha256").update(bytes).digest("hex"));
    expect((await observeFile(await file("empty", ""))).digest).toBe(contentDigest(""));
  });

  it("follows links", async () => {
    await symlink(await file("target", "x"), join(folder, "link"));
    expect((await observeFile(join(folder, "link"))).digest).toBe(contentDigest("x"));
  });

  it.each([
    ["is not there", "missing"],
    ["is under something that is not a folder", "plain/below"],
    ["is a link to nothing", "dangling"],
  ])("has no digest when the file %s", async (_, name) => {
    await file("plain", "x");
    if (name === "dangling") await symlink(join(folder, "nowhere"), join(folder, name));
    expect((await observeFile(join(folder, name))).digest).toBeNull();
  });

  it("fails on a folder", async () => {
    await expect(observeFile(folder)).rejects.toMatchObject({
      name: "SourceError",
      code: "not-a-file",
      uri: pathToFileURL(folder).href,
    });
  });

  it.skipIf(process.platform === "win32")(
    "does not wait for a pipe that nobody writes",
    async () => {
      const pipe = join(folder, "pipe");
      execFileSync("mkfifo", [pipe]);
      await expect(observeFile(pipe)).rejects.toMatchObject({ code: "not-a-file" });
    },
  );

  it.skipIf(process.getuid?.() === 0)("fails on a file that may not be read", async () => {
    const path = await file("secret", "x");
    await chmod(path, 0o000);
    await expect(observeFile(path)).rejects.toMatchObject({ code: "unreadable" });
  });

  it("fails on an address of another machine", async () => {
    await expect(observeFile("file://elsewhere/a")).rejects.toSatisfy(isSourceError);
  });
});

describe("observeHttp", () => {
  let server: Server | undefined;
  afterEach(async () => {
    server?.closeAllConnections();
    await new Promise((done) => (server === undefined ? done(null) : server.close(done)));
    server = undefined;
  });

  async function serve(
    answer: (request: IncomingMessage, response: ServerResponse) => void,
  ): Promise<string> {
    const started = createServer(answer);
    server = started;
    await new Promise<void>((done) => started.listen(0, "127.0.0.1", done));
    return `http://127.0.0.1:${(started.address() as AddressInfo).port}/page`;
  }

  it("gives the digest of the body", async () => {
    const url = await serve((_, response) => response.end("limit: 20\n"));
    expect(await observeHttp(url)).toEqual({ uri: url, digest: contentDigest("limit: 20\n") });
  });

  it("gives the digest of the body as it was before it was compressed", async () => {
    const url = await serve((_, response) => {
      response.setHeader("content-encoding", "gzip").end(gzipSync("limit: 20\n"));
    });
    expect((await observeHttp(url)).digest).toBe(contentDigest("limit: 20\n"));
  });

  it("follows redirects, and names the address that was asked for", async () => {
    const url = await serve((request, response) => {
      if (request.url === "/new") response.end("moved");
      else response.writeHead(302, { location: "/new" }).end();
    });
    expect(await observeHttp(url)).toEqual({ uri: url, digest: contentDigest("moved") });
  });

  it.each([404, 410])("has no digest after status %d", async (status) => {
    const url = await serve((_, response) => response.writeHead(status).end("not here"));
    expect(await observeHttp(url)).toEqual({ uri: url, digest: null });
  });

  it.each([401, 403, 429, 500, 503])(
    "fails after status %d: it may well be there",
    async (status) => {
      const url = await serve((_, response) => response.writeHead(status).end());
      await expect(observeHttp(url)).rejects.toMatchObject({
        code: "http-status",
        uri: url,
        message: expect.stringContaining(`${status}`),
      });
    },
  );

  it("fails on a body beyond the limit, compressed or not", async () => {
    const plain = await serve((_, response) => response.end("x".repeat(2_000)));
    await expect(observeHttp(plain, { maxBytes: 1_999 })).rejects.toMatchObject({
      code: "too-large",
    });
    expect((await observeHttp(plain, { maxBytes: 2_000 })).digest).not.toBeNull();
    server?.close();
    const bomb = await serve((_, response) => {
      response.setHeader("content-encoding", "gzip").end(gzipSync("x".repeat(2_000)));
    });
    await expect(observeHttp(bomb, { maxBytes: 1_999 })).rejects.toMatchObject({
      code: "too-large",
    });
  });

  it("fails after a while on a server that does not answer, or not to the end", async () => {
    const silent = await serve(() => {});
    await expect(observeHttp(silent, { timeoutMs: 50 })).rejects.toMatchObject({ code: "timeout" });
    server?.closeAllConnections();
    const slow = await serve((_, response) => void response.write("half"));
    await expect(observeHttp(slow, { timeoutMs: 50 })).rejects.toMatchObject({ code: "timeout" });
  });

  it("fails on a connection that breaks or that nobody takes", async () => {
    const url = await serve((_, response) => {
      response.writeHead(200, { "content-length": "100" });
      response.write("half", () => response.destroy());
    });
    await expect(observeHttp(url)).rejects.toMatchObject({ code: "unreadable" });
    server?.close();
    server?.closeAllConnections();
    await expect(observeHttp(url)).rejects.toMatchObject({ code: "unreadable" });
  });

  it("can be stopped, with the reason that was given", async () => {
    const url = await serve(() => {});
    const reason = new Error("enough");
    const stop = new AbortController();
    const looking = observeHttp(url, { signal: stop.signal });
    stop.abort(reason);
    await expect(looking).rejects.toBe(reason);
  });

  it.each([
    "ftp://example.org/a",
    "file:///etc/hosts",
    "data:text/plain,x",
    "javascript:1",
    "x",
    "",
  ])("never asks for %j", async (url) => {
    await expect(observeHttp(url)).rejects.toMatchObject({ code: "unsupported-scheme" });
  });

  it("keeps a password in an address out of its messages", async () => {
    const looking = observeHttp("http://me:secret@127.0.0.1:1/a");
    await expect(looking).rejects.toMatchObject({ code: "unreadable" });
    await expect(looking).rejects.not.toMatchObject({ message: expect.stringContaining("secret") });
  });
});

describe("observe", () => {
  it("keeps the address as it was given, whatever the scheme", async () => {
    await mkdir(join(folder, "config"), { recursive: true });
    const path = await file("config/app.toml", "a = 1\n");
    const digest = contentDigest("a = 1\n");
    const url = pathToFileURL(path).href.replace("file:///", "FILE:///");
    expect(await observe("./config/app.toml", { root: folder })).toEqual({
      uri: "./config/app.toml",
      digest,
    });
    expect(await observe(path)).toEqual({ uri: path, digest });
    expect(await observe(url)).toEqual({ uri: url, digest });
  });

  it.each(["ticket:4711", "s3://bucket/key", "git+ssh://host/a"])(
    "says that nothing looks at %s",
    async (uri) => {
      await expect(observe(uri)).rejects.toMatchObject({ code: "unsupported-scheme", uri });
    },
  );
});
