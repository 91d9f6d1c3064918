import { gzipSync } from "node:zlib";
import { build } from "esbuild";

/* What a web page loads of the packages that run in a browser, and what each part of it weighs. */

/** Most bytes that the three packages may weigh together in a browser, gzipped. */
export const MAX_GZIPPED = 160 * 1024;

export interface BrowserBundle {
  readonly code: string;
  readonly gzippedBytes: number;
  /** Bytes in the minified bundle by package, the heaviest first. */
  readonly packages: readonly (readonly [name: string, bytes: number])[];
  /** What a browser would have to find elsewhere. */
  readonly imports: readonly string[];
}

/** Bundles everything that these packages export, from their sources, as a script or a module. */
export async function bundlePackages(
  names: readonly string[],
  folder: string,
  format: { readonly format: "esm" } | { readonly format: "iife"; readonly globalName: string },
): Promise<BrowserBundle> {
  const { metafile, outputFiles } = await build({
    stdin: {
      contents: names.map((name) => `export * from ${JSON.stringify(name)};`).join("\n"),
      resolveDir: folder,
    },
    ...format,
    absWorkingDir: folder,
    conditions: ["@palimpsest/source"],
    bundle: true,
    platform: "browser",
    minify: true,
    metafile: true,
    write: false,
    // esbuild leaves these imports in the output, where they can be named.
    external: ["node:*"],
    logLevel: "silent",
  });
  const outputs = Object.values(metafile.outputs);
  const weights = new Map<string, number>();
  for (const [path, { bytesInOutput }] of outputs.flatMap(({ inputs }) => Object.entries(inputs))) {
    const name = packageOf(path);
    weights.set(name, (weights.get(name) ?? 0) + bytesInOutput);
  }
  const bytes = outputFiles[0]?.contents ?? new Uint8Array();
  return {
    code: new TextDecoder().decode(bytes),
    gzippedBytes: gzipSync(bytes, { level: 9 }).length,
    packages: [...weights].sort(([, one], [, two]) => two - one),
    imports: outputs.flatMap(({ imports }) => imports.map(({ path }) => path)),
  };
}

/**
 * The package with its version from pnpm's folder, so that two copies of a package are two lines.
 */
function packageOf(path: string): string {
  const installed = /\.pnpm\/([^/]+)\//.exec(path)?.[1];
  const own = /^packages\/([^/]+)\//.exec(path)?.[1];
  return installed ?? (own === undefined ? path : `@palimpsest/${own}`);
}

/** The weights as lines, for whoever has to find out what grew. */
export function weightsOf({ gzippedBytes, packages }: BrowserBundle): string {
  const lines = packages.map(([name, bytes]) => `${String(bytes).padStart(8)} ${name}`);
  return [`${gzippedBytes} bytes gzipped; minified, by package:`, ...lines].join("\n");
}
