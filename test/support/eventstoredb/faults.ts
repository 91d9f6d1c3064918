/** The calls that can be made to go wrong. */
export type Method = "read" | "subscribe" | "append" | "batchAppend" | "features" | "users";

/** When: before the call did anything, or after it took effect but before its answer. */
export interface Fault {
  readonly method: Method;
  readonly when: "before" | "after";
  /**
   * `unavailable`: the status UNAVAILABLE. `silence`: no answer, ever. `cut`: the connection is
   * lost. `half-close`: a stream ends without an error. `cancelled`: the server ends the call.
   * `fall-behind`: a subscription is told that it is no longer live, and goes on.
   */
  readonly how: "unavailable" | "silence" | "cut" | "half-close" | "cancelled" | "fall-behind";
  /** How many calls of the method go well before. Default 0. */
  readonly skip?: number;
  /** How many calls it hits. Default 1. */
  readonly times?: number;
}

/** Faults on demand. */
export class Faults {
  #planned: { fault: Fault; skip: number; times: number }[] = [];

  plan(...faults: readonly Fault[]): void {
    const planned = faults.map((fault) => {
      return { fault, skip: fault.skip ?? 0, times: fault.times ?? 1 };
    });
    this.#planned.push(...planned);
  }

  clear(): void {
    this.#planned = [];
  }

  /** The fault that this call meets, which is used up by it. */
  take(method: Method, when: Fault["when"]): Fault["how"] | undefined {
    for (const plan of this.#planned) {
      if (plan.fault.method !== method || plan.fault.when !== when) continue;
      if (plan.skip > 0) {
        plan.skip -= 1;
        continue;
      }
      plan.times -= 1;
      if (plan.times === 0) this.#planned = this.#planned.filter((other) => other !== plan);
      return plan.fault.how;
    }
    return undefined;
  }
}
