/*
 * `@palimpsest/import`: recorded sessions of agents as commands for a window. Detects the format,
 * reads a session step by step in bounded memory, and imports it. It does not look for claims:
 * whoever makes the window's handle says who does.
 */
export type { ImportErrorCode, ImportProblem } from "./errors.ts";
export { ImportError, isImportError } from "./errors.ts";
export type { ImportIntoOptions, ImportProgress, ImportResult } from "./import-into.ts";
export { importInto } from "./import-into.ts";
export type { Line } from "./lines.ts";
export { linesIn, MAX_LINE_BYTES } from "./lines.ts";
export type { Counted, ImportReport, SessionFormat } from "./report.ts";
export { sessionFormats } from "./report.ts";
export type { OpenSessionOptions, RecordedSession } from "./session.ts";
export { detectFormat, openSession } from "./session.ts";
export type { ImportNote, ImportStep } from "./step.ts";
