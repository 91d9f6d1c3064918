import type { Answer, Refused, WriteAnswerOf } from "../commands/answers.ts";
import type { CommandInputs, ReadName, WriteName } from "../commands/by-name.ts";
import { refusedError } from "./errors.ts";
import type { ReadAnswer, ReadAnswers } from "./read.ts";

/** What a command of this name answers; of several names, the answer of one of them. */
export type AnswerOf<N extends keyof CommandInputs> =
  | WriteAnswerOf<Extract<N, WriteName | "batch">>
  | ReadAnswerOf<Extract<N, ReadName>>;

type ReadAnswerOf<N extends ReadName> = N extends ReadName ? ReadAnswers[N] | Refused : never;

/** An answer whose ids are fields of its own instead of standing under `ids`. */
export type WithIds<A> = A extends { readonly ids: infer Ids } ? Omit<A, "ids"> & Ids : A;

/** What a method of `Window` resolves to: a refusal is thrown, and the ids are at hand. */
export type Done<N extends WriteName | "batch"> = WithIds<
  Exclude<WriteAnswerOf<N>, { readonly outcome: "refused" }>
>;

/*
 * The rules that decide, and the reads, give an `Answer` or a `ReadAnswer`: which of them belongs
 * to which command is not in their types. It is in the tables of commands/answers.ts and of
 * host/read.ts, and these three functions are the one place that goes by the tables. A test runs
 * every command and holds what it answers against them.
 */

/** The answer of the command that was sent, refusals included. */
export function answerTo<N extends keyof CommandInputs>(answer: Answer | ReadAnswer): AnswerOf<N> {
  return answer as AnswerOf<N>;
}

/** The answer of a command that writes, with its ids at hand; throws what was refused. */
export function doneOf<N extends WriteName | "batch">(answer: Answer | ReadAnswer): Done<N> {
  if (isRefusedAnswer(answer)) throw refusedError(answer.refusals);
  if (!("ids" in answer)) return answer as Done<N>;
  const { ids, ...fields } = answer;
  return { ...fields, ...ids } as Done<N>;
}

/** What a command that reads gives; throws what was refused. */
export function readOf<N extends ReadName>(answer: Answer | ReadAnswer): ReadAnswers[N] {
  if (isRefusedAnswer(answer)) throw refusedError(answer.refusals);
  return answer as ReadAnswers[N];
}

export function isRefusedAnswer(answer: object): answer is Refused {
  return "outcome" in answer && answer.outcome === "refused";
}
