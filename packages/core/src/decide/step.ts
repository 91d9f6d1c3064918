import type { Overtaken } from "../../../claims/src/overtaken-statements.ts";
import type { Extraction, ExtractSpan } from "../../../claims/src/extraction.ts";
import type { Principal } from "../commands/principals.ts";
import type { WriteCommand } from "../commands/schema.ts";

/** `render` is decided by the shell, which alone has the content that is rendered. */
export type DecidedCommand = Exclude<WriteCommand, { command: "render" }>;

/** One command of an append and who sent it. */
export interface Step {
  readonly command: DecidedCommand;
  readonly by: Principal;
  readonly via?: string;
  /** Sent by the library itself: a host's own function may stand as a policy. */
  readonly trusted?: boolean;
  /** The span that the command admits, as an extractor sees it, and what it found there. */
  readonly span?: ExtractSpan;
  readonly extraction?: Extraction;
  /** What was read before and may no longer hold, by what the command brings. */
  readonly overtaken?: Overtaken;
}
