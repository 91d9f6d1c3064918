import type { Command } from "commander";
import type { GlobalOptions } from "../options.ts";

/** What a file under calls/ adds its calls with. */
export interface Calls {
  /** A call with the options that all of them take. */
  add(name: string, description: string): Command;
  /** Runs a call and passes its exit code on. */
  finish<O extends GlobalOptions>(
    action: (options: O) => Promise<number>,
    options: O,
  ): Promise<void>;
}
