/** Faults on demand. */
export class Faults {
  #planned = [];
  plan(...faults) {
    const planned = faults.map((fault) => {
      return { fault, skip: fault.skip ?? 0, times: fault.times ?? 1 };
    });
    this.#planned.push(...planned);
  }
  clear() {
    this.#planned = [];
  }
  /** The fault that this call meets, which is used up by it. */
  take(method, when) {
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
//# sourceMappingURL=faults.js.map
