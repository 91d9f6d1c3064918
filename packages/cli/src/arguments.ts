import { InvalidArgumentError } from "commander";

/** A whole number, for revisions and tokens; may be negative, the command says what is allowed. */
export function wholeNumber(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value) || text.trim() === "") {
    throw new InvalidArgumentError("it is no whole number");
  }
  return value;
}
