import type { Accepted, Answer, RefusedSettlement } from "../commands/answers.ts";
import { refusal } from "../commands/refusals.ts";
import { windowStream } from "../events/ids.ts";
import type { RecordedWindowEvent } from "../events/schema.ts";
import { upcast } from "../events/upcast.ts";
import type { WindowState } from "../state/state.ts";
import { answerOf } from "../view/answer.ts";
import { renderWindow } from "../view/render.ts";
import { replayWithContents } from "./contents.ts";
import type { Shell } from "./shell.ts";
import { refusedWith, tokenizerOf } from "./shell.ts";

/** Adds to a render's answer the rendering itself, which is nowhere in the events. */
export async function complete(
  shell: Shell,
  answer: Accepted | RefusedSettlement,
  events: readonly RecordedWindowEvent[],
  after: WindowState,
): Promise<Accepted | RefusedSettlement> {
  const [event] = events;
  if (event?.type !== "WindowRendered" || answer.outcome === "refused") return answer;
  const lookup = await shell.contents.lookup(shell.log, after);
  return { ...answer, digest: event.data.digest, rendered: renderWindow(after, lookup) };
}

/** The first answer to a command that is in the log already; a refusal when it was another one. */
export async function knownAnswer(
  shell: Shell,
  commandId: string,
  digest: string,
): Promise<Answer | undefined> {
  const { state, log } = shell;
  const first = state.commands.get(commandId);
  if (first === undefined) return undefined;
  const events: RecordedWindowEvent[] = [];
  for await (const page of log.read(windowStream(state.window), { from: first })) {
    for (const event of page.map(upcast)) {
      if (events.length < (events[0]?.metadata.count ?? 1)) events.push(event);
    }
    if (events.length === events[0]?.metadata.count) break;
  }
  if (events[0]?.metadata.commandDigest !== digest) {
    return refusedWith(
      refusal(
        "command-id-reused",
        `commandId ${commandId} was used for another command: choose a new one`,
      ),
    );
  }
  const then = await replayWithContents(log, state.window, first + events.length - 1);
  const answer = answerOf(then.state, events, tokenizerOf(shell));
  return complete({ ...shell, ...then }, answer, events, then.state);
}
