/*
 * Whole numbers that grow by steps, as JSON: revisions, slots and marks mostly follow one another.
 */

/** Numbers as they are, or as runs: first number, step and length of each, one after another. */
export type Numbers = readonly number[] | { readonly runs: readonly number[] };

/** Numbers of 32 bits; whichever form is shorter. */
export function encodeNumbers(numbers: ArrayLike<number>): Numbers {
  const runs: number[] = [];
  for (let from = 0; from < numbers.length; ) {
    const first = numbers[from] as number;
    const step = from + 1 < numbers.length ? (numbers[from + 1] as number) - first : 0;
    let length = 1;
    while (numbers[from + length] === first + step * length) length += 1;
    runs.push(first, step, length);
    from += length;
  }
  return runs.length < numbers.length ? { runs } : Array.from(numbers);
}

export function decodeNumbers(numbers: Numbers): readonly number[] {
  if (!("runs" in numbers)) return numbers;
  const { runs } = numbers;
  const decoded: number[] = [];
  for (let i = 0; i + 2 < runs.length; i += 3) {
    const [first, step, length] = [runs[i], runs[i + 1], runs[i + 2]] as [number, number, number];
    for (let k = 0; k < length; k += 1) decoded.push(first + step * k);
  }
  return decoded;
}
