import type { Answer, ReadAnswer } from "@palimpsest/core";

/** The answer to a command that was sent as JSON and writes; any other makes the test fail. */
export function written(answer: Answer | ReadAnswer): Answer {
  if (!("outcome" in answer) || "recovery" in answer) {
    throw new Error(`not the answer of a command that writes: ${JSON.stringify(answer)}`);
  }
  return answer;
}
