import { Random } from "./random.ts";
import { Recorder } from "./recorder.ts";
import { Workspace } from "./workspace.ts";

/** What every chapter of the session works on. */
export interface Story {
  readonly session: Recorder;
  readonly project: Workspace;
  readonly random: Random;
}

export type Chapter = (story: Story) => void;

export function beginStory(folder: string): Story {
  return { session: new Recorder(), project: new Workspace(folder), random: new Random(41) };
}
