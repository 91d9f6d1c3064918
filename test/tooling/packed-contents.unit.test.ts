import { describe, expect, it } from "vitest";
import type { Manifest, PackedFile, PackedPackage } from "../../scripts/packed-contents.ts";
import { checkContents, checkPrepack } from "../../scripts/packed-contents.ts";

const map = (source: string) => JSON.stringify({ version: 3, sources: [source], mappings: "" });

const soundManifest: Manifest = {
  name: "sample",
  version: "1.0.0",
  sideEffects: false,
  engines: { node: ">=22.13" },
  exports: {
    ".": { source: "./src/index.ts", types: "./dist/index.d.ts", default: "./dist/index.js" },
    "./package.json": "./package.json",
  },
  imports: { "#platform": { node: "./dist/node.js", default: "./dist/other.js" } },
  bin: { sample: "bin/sample.mjs" },
  dependencies: { other: "1.0.0" },
};

const soundFiles: Readonly<Record<string, string>> = {
  "package.json": "{}",
  LICENSE: "words",
  "README.md": "words",
  "bin/sample.mjs":
    '#!/usr/bin/env node\nconst main = new URL("../dist/main.js", import.meta.url);\n',
  "src/index.ts": 'import type { Shape } from "./shape.ts";\nexport const one = 1;\n',
  "src/shape.ts": "export interface Shape { readonly side: number }\n",
  "src/main.ts": "",
  "dist/index.js": "export const one = 1;\n//# sourceMappingURL=index.js.map\n",
  "dist/index.js.map": map("../src/index.ts"),
  "dist/index.d.ts": "export declare const one = 1;\n",
  "dist/index.d.ts.map": map("../src/index.ts"),
  "dist/shape.js": "export {};\n",
  "dist/shape.d.ts": "export interface Shape { readonly side: number }\n",
  "dist/main.js": "",
  "dist/node.js": "",
  "dist/other.js": "",
};

interface Change {
  readonly manifest?: Partial<Manifest>;
  /** Texts by path; `undefined` takes the file out. */
  readonly files?: Readonly<Record<string, string | undefined>>;
  readonly notExecutable?: boolean;
}

function packed({ manifest = {}, files = {}, notExecutable = false }: Change): PackedPackage {
  const texts = Object.entries({ ...soundFiles, ...files });
  return {
    manifest: { ...soundManifest, ...manifest },
    files: new Map(
      texts.flatMap(([path, text]): [string, PackedFile][] => {
        const isExecutable = path.startsWith("bin/") && !notExecutable;
        return text === undefined ? [] : [[path, { text, isExecutable }]];
      }),
    ),
  };
}

const broken: readonly (readonly [string, Change, readonly string[]])[] = [
  [
    "a range that only this repository can read",
    { manifest: { dependencies: { core: "workspace:*" } } },
    ["dependencies: core is workspace:*, which nobody else can install"],
  ],
  [
    "a peer range that only this repository can read",
    { manifest: { peerDependencies: { core: "workspace:^" } } },
    ["peerDependencies: core is workspace:^, which nobody else can install"],
  ],
  [
    "a script that runs on installation",
    { manifest: { scripts: { postinstall: "node build.js" } } },
    ["the script postinstall runs on whoever installs it"],
  ],
  ["no licence", { files: { LICENSE: undefined } }, ["LICENSE is missing"]],
  ["no README", { files: { "README.md": undefined } }, ["README.md is missing"]],
  ["no word on Node", { manifest: { engines: {} } }, ["engines does not say which Node is needed"]],
  [
    "a test",
    { files: { "src/index.unit.test.ts": 'import "vitest";' } },
    [
      "src/index.unit.test.ts does not belong in a package",
      "src/index.unit.test.ts is reached from no entry, so nobody who installs it can use it",
    ],
  ],
  [
    "what the compiler notes for itself",
    { files: { "dist/.tsbuildinfo": "" } },
    ["dist/.tsbuildinfo does not belong in a package"],
  ],
  [
    "a helper that only tests use",
    { files: { "src/testing/cases.ts": "", "dist/testing/cases.js": "" } },
    ["src/testing/cases.ts is reached from no entry, so nobody who installs it can use it"],
  ],
  [
    "an entry without its types",
    { files: { "dist/index.d.ts": undefined } },
    ["exports . types is dist/index.d.ts, which is not in the package"],
  ],
  [
    "an inner import without its file",
    { files: { "dist/other.js": undefined } },
    ["imports #platform default is dist/other.js, which is not in the package"],
  ],
  [
    "a program that is not there",
    { files: { "bin/sample.mjs": undefined, "src/main.ts": undefined, "dist/main.js": undefined } },
    ["bin sample is bin/sample.mjs, which is not in the package"],
  ],
  [
    "a program that cannot be started",
    { notExecutable: true },
    ["bin sample is bin/sample.mjs, which is not executable"],
  ],
  [
    "a program that the shell would read",
    { files: { "bin/sample.mjs": 'import "../dist/main.js";\n' }, manifest: { sideEffects: true } },
    ["bin sample is bin/sample.mjs, which does not begin with #!/usr/bin/env node"],
  ],
  [
    "a map of a source that is not there",
    { files: { "dist/index.js.map": map("../src/gone.ts") } },
    ["dist/index.js.map refers to src/gone.ts, which is not in the package"],
  ],
  [
    "no word on side effects",
    { manifest: { sideEffects: undefined } as unknown as Partial<Manifest> },
    ["package.json does not say sideEffects"],
  ],
  [
    "an effect that is denied",
    { files: { "dist/index.js": 'import "./effect.js";\n', "dist/effect.js": "" } },
    ["dist/index.js imports dist/effect.js for its effect, which sideEffects denies"],
  ],
  [
    "an effect of a file that is not there",
    { manifest: { sideEffects: ["./dist/gone.js"] } },
    ["sideEffects names dist/gone.js, which is not there"],
  ],
];

describe("the check of what is in a package", () => {
  it("finds nothing in a sound one", () => {
    expect(checkContents(packed({}))).toEqual([]);
  });

  it.each(broken)("refuses %s", (_what, change, findings) => {
    expect(checkContents(packed(change))).toEqual(findings);
  });

  it("takes an effect that is declared", () => {
    const files = { "dist/index.js": 'import "./effect.js";\n', "dist/effect.js": "" };
    const manifest = { sideEffects: ["./dist/effect.js"] };
    expect(checkContents(packed({ files, manifest }))).toEqual([]);
  });
});

describe("the check of a package in the repository", () => {
  it("wants plain npm pack to refuse", () => {
    const scripts = { prepack: "node ../../scripts/prepack.mjs" };
    expect(checkPrepack({ ...soundManifest, scripts })).toEqual([]);
    expect(checkPrepack(soundManifest)).toEqual([
      expect.stringMatching(/^plain npm pack gives a broken tarball: set the script prepack to/),
    ]);
  });
});
