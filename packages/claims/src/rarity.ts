/* Which of many lines of one text say something of their own: those with words that others lack. */

/** For each set of words, how much of it is in few of the others: 0 to 1. */
export function rarityOf(sets: readonly ReadonlySet<string>[]): number[] {
  const count = new Map<string, number>();
  for (const set of sets) for (const word of set) count.set(word, (count.get(word) ?? 0) + 1);
  return sets.map((set) => {
    let sum = 0;
    for (const word of set) sum += 1 / (count.get(word) ?? 1);
    return set.size === 0 ? 0 : sum / set.size;
  });
}

/** The heaviest of them, at most so many, in the order in which they came. */
export function heaviest<T>(
  items: readonly T[],
  weights: readonly number[],
  most: number,
): readonly T[] {
  if (items.length <= most) return items;
  const order = items.map((_, i) => i).sort((a, b) => (weights[b] ?? 0) - (weights[a] ?? 0));
  const kept = new Set(order.slice(0, most));
  return items.filter((_, i) => kept.has(i));
}
