import { VERDICT_STREAM_PREFIX } from "@palimpsest/core/events";
import { Observable } from "rxjs";
import type { Follower } from "./check/reader.ts";
import type { VerifierKey } from "./notes/key.ts";
import type { Verdict } from "./verdict/schema.ts";
import { VerdictChains } from "./verdict/verdict-chains.ts";

export interface AuditorOptions {
  /** This window only. Default: every window of the store. */
  readonly window?: string;
  /** Keys known from elsewhere. Default: the first key that signs on a window is believed. */
  readonly keys?: readonly VerifierKey[];
  /** Complete after what is stored now instead of following. Default false. */
  readonly once?: boolean;
}

/** A verdict and what is wrong with it as a verdict. */
export interface AuditedVerdict {
  /** The id of the window. */
  readonly window: string;
  /** Its revision in the verdict stream. */
  readonly revision: number;
  /** Undefined for an event that does not belong in the stream. */
  readonly verdict: Verdict | undefined;
  /** It is signed by a key that is known here and follows from the verdict before it. */
  readonly isValid: boolean;
  /** The rules that it breaks, each with a sentence for a person; empty when it is valid. */
  readonly problems: readonly { readonly code: string; readonly message: string }[];
}

/**
 * The verdicts of a store as they come, those that are stored first, each with its signature and
 * its place in the chain checked. Cold; unsubscribing frees the log's subscription; an error of
 * the log is passed on.
 */
export function auditor(log: Follower, options: AuditorOptions = {}): Observable<AuditedVerdict> {
  return new Observable((subscriber) => {
    const ending = new AbortController();
    const deliver = async (): Promise<void> => {
      for await (const audited of audit(log, options, ending.signal)) {
        if (subscriber.closed) return;
        subscriber.next(audited);
      }
    };
    deliver().then(
      () => subscriber.complete(),
      (error: unknown) => subscriber.error(error),
    );
    return () => ending.abort();
  });
}

async function* audit(
  log: Follower,
  { window, keys, once }: AuditorOptions,
  signal: AbortSignal,
): AsyncGenerator<AuditedVerdict> {
  const prefix = VERDICT_STREAM_PREFIX;
  const target = window === undefined ? { prefix } : { stream: prefix + window };
  const chains = new VerdictChains(log, keys);
  for await (const message of log.subscribe(target, { signal })) {
    if (message.kind === "caught-up") {
      if (once === true) return;
      continue;
    }
    for (const event of message.events) {
      const name = event.stream.slice(prefix.length);
      const chain = await chains.upTo(name, event.revision);
      const { verdict, problems } = chain.take(event);
      // Probes and acknowledgements are told of by the verdicts.
      if (verdict === undefined && problems.length === 0) continue;
      yield {
        window: name,
        revision: event.revision,
        verdict,
        isValid: verdict !== undefined && problems.length === 0,
        problems: problems.map(({ rule, message: said }) => ({ code: rule.code, message: said })),
      };
    }
  }
}
