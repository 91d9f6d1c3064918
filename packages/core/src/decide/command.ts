import { windowNotOpen } from "../commands/refusals.ts";
import type { WindowState } from "../state/state.ts";
import { decideAssert, decideConflict, decideObserve, decideRetract } from "./claims.ts";
import { decideEvict, decideRewrite } from "./edits.ts";
import type { Act, Outcome } from "./outcome.ts";
import { refused } from "./outcome.ts";
import { forbidden } from "./permissions.ts";
import { decideAuthor, decideOpenEpoch, decidePropose } from "./policies.ts";
import { decideRewind } from "./rewind.ts";
import { decideSettle } from "./settle.ts";
import { decideAdmit, decideMarkRead, decideOpen, decideRecall } from "./spans.ts";
import type { DecidedCommand } from "./step.ts";
import { decideRedo, decideUndo } from "./undo.ts";

/** What one command comes to on a state. */
export function decideCommand(state: WindowState, command: DecidedCommand, act: Act): Outcome {
  const denied = forbidden(command, act.by);
  if (denied !== undefined) return refused(denied);
  if (command.command === "openWindow") return decideOpen(state, command, act);
  if (state.revision < 0) return refused(windowNotOpen());
  switch (command.command) {
    case "admitSpan":
      return decideAdmit(state, command, act);
    case "assertClaim":
      return decideAssert(state, command, act);
    case "retractClaim":
      return decideRetract(state, command, act);
    case "noteConflict":
      return decideConflict(state, command, act);
    case "observeSource":
      return decideObserve(state, command);
    case "authorPolicy":
      return decideAuthor(state, command, act);
    case "openEpoch":
      return decideOpenEpoch(state, command, act);
    case "proposePruning":
      return decidePropose(state, command, act);
    case "settlePruning":
      return decideSettle(state, command, act);
    case "markRead":
      return decideMarkRead(state, command);
    case "recall":
      return decideRecall(state, command, act);
    case "rewrite":
      return decideRewrite(state, command, act);
    case "evict":
      return decideEvict(state, command, act);
    case "undo":
      return decideUndo(state, command, act);
    case "redo":
      return decideRedo(state, command, act);
    case "rewind":
      return decideRewind(state, command, act);
  }
}
