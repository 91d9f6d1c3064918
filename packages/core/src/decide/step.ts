import type { Principal } from "../commands/principals.ts";
import type { WriteCommand } from "../commands/schema.ts";

/** `render` is decided by the host, which alone has the content that is rendered. */
export type DecidedCommand = Exclude<WriteCommand, { command: "render" }>;

/** One command of an append and who sent it. */
export interface Step {
  readonly command: DecidedCommand;
  readonly by: Principal;
  /** The tool call that asked. */
  readonly via?: string;
  /** The library itself sends it: a host's own function may stand as a policy. Default: false. */
  readonly trusted?: boolean;
  /**
   * Nobody asked for it: it is dropped where it would be refused, and what it asserts is marked as
   * extracted. Default: false.
   */
  readonly optional?: boolean;
}
