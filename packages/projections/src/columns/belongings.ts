import type { Span } from "@palimpsest/core/state";

/** What spans can have in common. */
export type Bond = "call" | "group" | "message";

const BONDS: readonly Bond[] = ["call", "group", "message"];

/** A place and a hash, before base 64. */
const PACKED_BYTES = 6;

/** Hashes of the names of the call, the group and the message that a span belongs to. */
export function hashesOf(span: Partial<Span>): number[] {
  return BONDS.flatMap((bond) => {
    const name = nameOf(span, bond);
    return name === undefined ? [] : [hashOfName(bond, name)];
  });
}

/** The name of what a span belongs to. */
export function nameOf({ call, group, message }: Partial<Span>, bond: Bond): string | undefined {
  if (bond === "message") return message?.id;
  return bond === "call" ? call : group;
}

/** A hash of a name, another one for each kind of bond. */
export function hashOfName(bond: Bond, name: string): number {
  return (hashOf(name, 0, name.length) + BONDS.indexOf(bond)) | 0;
}

/** Places in a block with the hash of a name each, as one line of text. */
export function packed(belongings: readonly (readonly [place: number, hash: number])[]): string {
  const view = new DataView(new ArrayBuffer(belongings.length * PACKED_BYTES));
  for (const [i, [place, hash]] of belongings.entries()) {
    view.setUint16(i * PACKED_BYTES, place);
    view.setInt32(i * PACKED_BYTES + 2, hash);
  }
  return btoa(String.fromCharCode(...new Uint8Array(view.buffer)));
}

/** Visits each place and hash in a line that `packed` made: there are very many of them. */
export function unpack(line: string, visit: (place: number, hash: number) => void): void {
  const bytes = atob(line);
  for (let at = 0; at < bytes.length; at += PACKED_BYTES) {
    const place = (bytes.charCodeAt(at) << 8) | bytes.charCodeAt(at + 1);
    const high = (bytes.charCodeAt(at + 2) << 8) | bytes.charCodeAt(at + 3);
    visit(place, (high << 16) | (bytes.charCodeAt(at + 4) << 8) | bytes.charCodeAt(at + 5));
  }
}

/** FNV-1a (Fowler, Noll, Vo) of a part of a text, 32 bits. */
export function hashOf(text: string, from: number, to: number): number {
  let hash = 0x811c9dc5;
  for (let i = from; i < to; i += 1) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return hash >>> 0;
}
