import { fromBase64, toBase64 } from "../json/bytes.ts";

/** The head of a tree as C2SP tlog-checkpoint writes it: the text of a signed note. */
export interface TreeHead {
  /** Names the log; of a window `palimpsest/window/ID`. */
  readonly origin: string;
  /** Number of leaves. */
  readonly size: bigint;
  /** Root of the tree, 32 bytes. */
  readonly root: Uint8Array;
  /** The lines after the third one; a reader ignores those that it does not know. */
  readonly extensions: readonly string[];
}

/** The text of a note about the head. */
export function formatCheckpoint({ origin, size, root, extensions }: TreeHead): string {
  return [origin, String(size), toBase64(root), ...extensions, ""].join("\n");
}

/** Undefined for text that is not a checkpoint. */
export function parseCheckpoint(text: string): TreeHead | undefined {
  if (!text.endsWith("\n")) return undefined;
  const [origin = "", size = "", root = "", ...extensions] = text.slice(0, -1).split("\n");
  const bytes = fromBase64(root);
  if (origin === "" || !/^(0|[1-9]\d{0,19})$/.test(size) || bytes?.length !== 32) return undefined;
  if (BigInt(size) >= 1n << 64n || extensions.includes("")) return undefined;
  return { origin, size: BigInt(size), root: bytes, extensions };
}
