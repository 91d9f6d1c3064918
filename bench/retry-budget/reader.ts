import { parseRendering } from "@palimpsest/core";
import type { Task } from "./task.ts";

/** What somebody takes from the rendered bytes who has nothing else. */
export interface Reading {
  /** The first value is in view, in its own words or in the decision's. */
  readonly finds: boolean;
  /** Something in view says that it is contested or no longer so. */
  readonly warned: boolean;
  /** It finds the value and nothing warns it. */
  readonly wrongConfident: boolean;
  /** A decision is in view, and one of the passages that it rests on is not. */
  readonly unreasoned: boolean;
}

/**
 * The reader knows the words to look for and nothing of the window. A sign is the later passage
 * itself, in a span or in a ledger line, or a ledger line about the first one or about the decision
 * that is not verified any more. It is not a sign that something else contests the first passage.
 */
export function readTask(task: Task, rendered: string): Reading {
  const { spans, claims } = parseRendering(rendered);
  const inSpans = (words: string) => {
    const escaped = JSON.stringify(words).slice(1, -1);
    return spans.some(({ text, json }) => text.includes(json ? escaped : words));
  };
  const about = (words: string) =>
    claims.filter(({ quote = "", statement }) => `${quote}\n${statement}`.includes(words));
  const shown = (words: string) => inSpans(words) || about(words).length > 0;
  const { first, second, decision } = task;
  const decided = shown(decision.statement);
  const finds = shown(first.line) || decided;
  const doubted = [...about(first.line), ...about(decision.statement)].some(
    ({ standing }) => standing !== "verified",
  );
  const warned = doubted || (second !== undefined && shown(second.line));
  const reasons = [first, ...(second !== undefined && decision.knowsBoth ? [second] : [])];
  return {
    finds,
    warned,
    wrongConfident: finds && !warned,
    unreasoned: decided && !reasons.every(({ line }) => shown(line)),
  };
}
