import { fromBase64, toBase64 } from "../json/bytes.ts";

/** The head of a tree as C2SP tlog-checkpoint writes it: the text of a signed note. */
export interface TreeHead {
  /** Names the log. */
  readonly origin: string;
  readonly size: bigint;
  readonly root: Uint8Array;
  /** Lines after the third one; whoever does not know them ignores them. */
  readonly extensions: readonly string[];
}

export function formatCheckpoint({ origin, size, root, extensions }: TreeHead): string {
  return [origin, String(size), toBase64(root), ...extensions, ""].join("\n");
}

/** Undefined for what is no checkpoint. */
export function parseCheckpoint(text: string): TreeHead | undefined {
  if (!text.endsWith("\n")) return undefined;
  const [origin = "", size = "", root = "", ...extensions] = text.slice(0, -1).split("\n");
  const bytes = fromBase64(root);
  if (origin === "" || !/^(0|[1-9]\d{0,19})$/.test(size) || bytes?.length !== 32) return undefined;
  if (BigInt(size) >= 1n << 64n || extensions.includes("")) return undefined;
  return { origin, size: BigInt(size), root: bytes, extensions };
}
