import type { Finding } from "../rules/rule.ts";

/** Most findings that are kept; all are counted. */
const KEPT = 200;

/** What was found, without the rules that are switched off. */
export class Findings {
  readonly #without: ReadonlySet<string>;
  readonly #kept: Finding[] = [];
  #count = 0;

  constructor(without: ReadonlySet<string>) {
    this.#without = without;
  }

  /** The first ones, in order. */
  get list(): readonly Finding[] {
    return this.#kept;
  }

  get count(): number {
    return this.#count;
  }

  add(
    { code }: { readonly code: string },
    event: { readonly revision: number; readonly id: string } | undefined,
    message: string,
    stream?: "verdict",
  ): void {
    if (this.#without.has(code)) return;
    this.#count += 1;
    if (this.#kept.length >= KEPT) return;
    const { revision, id } = event ?? { revision: -1, id: "" };
    this.#kept.push({ code, revision, id, message, ...(stream !== undefined && { stream }) });
  }
}
