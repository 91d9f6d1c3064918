import type { EventLog } from "@palimpsest/core";
import type { IssuedVerdict, VerifierOptions } from "@palimpsest/verifier";
import { startVerifier } from "@palimpsest/verifier";
import { onTestFinished } from "vitest";
import { KEY } from "./bases.ts";

/** A live verifier that speaks at once and probes nothing; it ends with the test. */
export function start(log: EventLog, more: Partial<VerifierOptions> = {}) {
  const issued: IssuedVerdict[] = [];
  const running = startVerifier(log, {
    key: KEY,
    quietMs: 0,
    probesPerSecond: 0,
    onVerdict: (one) => issued.push(one),
    ...more,
  });
  onTestFinished(() => running.stop().catch(() => undefined));
  return { running, issued };
}
