import { emptyRoot, leafHash, nodeHash } from "./hashing.ts";

/*
 * RFC 6962 §2.1 word for word, slow on purpose: what the other files of this folder are compared
 * with. `D` is the list of leaf data, as in the RFC.
 */

/** MTH(D[n]). */
export function referenceRoot(D: readonly Uint8Array[]): Uint8Array {
  const n = D.length;
  if (n === 0) return emptyRoot();
  if (n === 1) return leafHash(D[0] as Uint8Array);
  const k = largestPowerBelow(n);
  return nodeHash(referenceRoot(D.slice(0, k)), referenceRoot(D.slice(k)));
}

/** PATH(m, D[n]). */
export function referenceInclusion(m: number, D: readonly Uint8Array[]): Uint8Array[] {
  const n = D.length;
  if (n <= 1) return [];
  const k = largestPowerBelow(n);
  return m < k
    ? [...referenceInclusion(m, D.slice(0, k)), referenceRoot(D.slice(k))]
    : [...referenceInclusion(m - k, D.slice(k)), referenceRoot(D.slice(0, k))];
}

/** PROOF(m, D[n]) for 0 < m ≤ n. */
export function referenceConsistency(m: number, D: readonly Uint8Array[]): Uint8Array[] {
  return subproof(m, D, true);
}

function subproof(m: number, D: readonly Uint8Array[], whole: boolean): Uint8Array[] {
  const n = D.length;
  if (m === n) return whole ? [] : [referenceRoot(D)];
  const k = largestPowerBelow(n);
  return m <= k
    ? [...subproof(m, D.slice(0, k), whole), referenceRoot(D.slice(k))]
    : [...subproof(m - k, D.slice(k), false), referenceRoot(D.slice(0, k))];
}

function largestPowerBelow(n: number): number {
  let k = 1;
  while (k * 2 < n) k *= 2;
  return k;
}
