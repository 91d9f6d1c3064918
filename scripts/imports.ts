export interface FoundImport {
  readonly specifier: string;
  /** From 1. */
  readonly line: number;
}

// Biome's formatter puts every import and export statement at the start of a line.
const statement = /^(?:import|export)\b(?:[^"';]*?\bfrom)?\s*"([^"]+)"/gm;
const call = /\b(?:import|require)\(\s*"([^"]+)"/g;

/** Every module a file names: static, dynamic, re-exported, and types alone. */
export function importsOf(text: string): FoundImport[] {
  return [...text.matchAll(statement), ...text.matchAll(call)].map((match) => ({
    specifier: match[1] ?? "",
    line: text.slice(0, match.index).split("\n").length,
  }));
}
