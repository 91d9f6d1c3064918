/** A source file; `path` is relative to the root of the repository, with forward slashes. */
export interface SourceFile {
  readonly path: string;
  readonly text: string;
}

export interface Violation {
  readonly path: string;
  /** From 1. */
  readonly line: number;
  readonly rule: Rule;
  readonly message: string;
}

export type Rule =
  | "package-dependency"
  | "reaches-into-package"
  | "testing-entry"
  | "sqlite-entry"
  | "eventstoredb-client"
  | "sources-entry"
  | "node-import"
  | "events-entry"
  | "layer"
  | "folder-circle"
  | "test-name"
  | "test-subject"
  | "tier-without-tests"
  | "clock-in-test"
  | "comment-width";
