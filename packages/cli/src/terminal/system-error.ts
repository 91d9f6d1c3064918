import { getSystemErrorMessage } from "node:util";

/** What the file system or the network threw: it has the number and the name of a system call. */
export interface SystemError extends NodeJS.ErrnoException {
  readonly errno: number;
  readonly code: string;
  readonly syscall: string;
}

export function isSystemError(error: unknown): error is SystemError {
  return (
    error instanceof Error &&
    "syscall" in error &&
    "errno" in error &&
    typeof error.errno === "number" &&
    "code" in error
  );
}

/** Why, in the system's words and without its codes: `no such file or directory`. */
export function whyOf(error: unknown): string {
  if (isSystemError(error)) return getSystemErrorMessage(error.errno);
  return error instanceof Error ? error.message : String(error);
}

/** What was tried and why it failed: `cannot open a.txt: no such file or directory`. */
export function systemErrorText(error: SystemError): string {
  const what = error.path === undefined ? error.syscall : `${error.syscall} ${error.path}`;
  return `cannot ${what}: ${whyOf(error)}`;
}
