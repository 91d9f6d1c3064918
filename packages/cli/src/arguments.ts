import { InvalidArgumentError } from "commander";

/**
 * A whole number in decimal digits, for revisions and tokens; may be negative, the command says
 * what is allowed. What only JavaScript takes for a number (`1e3`, `0x10`) is likelier a slip.
 */
export function wholeNumber(text: string): number {
  const value = /^-?\d+$/.test(text) ? Number(text) : Number.NaN;
  if (!Number.isSafeInteger(value)) throw new InvalidArgumentError("it is not a whole number");
  return value;
}

/** A number of tokens that a window can be held to. */
export function tokenBudget(text: string): number {
  const value = wholeNumber(text);
  if (value >= 1) return value;
  throw new InvalidArgumentError("it is less than one token");
}

/** `K/N`: one part of several, counted from 1. */
export function partOf(text: string): { readonly number: number; readonly of: number } {
  const [, number = "0", of = "0"] = /^(\d{1,9})\/(\d{1,9})$/.exec(text) ?? [];
  const part = { number: Number(number), of: Number(of) };
  if (part.number >= 1 && part.number <= part.of) return part;
  throw new InvalidArgumentError("write it as 2/8: the second of eight parts");
}
