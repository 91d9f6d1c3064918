/** How often each command and each refusal code came out how, over all runs of a test file. */
export class Counts {
  readonly #outcomes = new Map<string, Map<string, number>>();
  readonly #codes = new Map<string, number>();

  note(command: string, outcome: string, codes: readonly string[] = []): void {
    const row = this.#outcomes.get(command) ?? new Map<string, number>();
    this.#outcomes.set(command, row);
    row.set(outcome, (row.get(outcome) ?? 0) + 1);
    for (const code of codes) this.#codes.set(code, (this.#codes.get(code) ?? 0) + 1);
  }

  of(command: string, outcome: string): number {
    return this.#outcomes.get(command)?.get(outcome) ?? 0;
  }

  ofCode(code: string): number {
    return this.#codes.get(code) ?? 0;
  }

  toString(): string {
    const rows = [...this.#outcomes].map(
      ([command, row]) => `${command}: ${[...row].map((one) => one.join(" ")).join(", ")}`,
    );
    const codes = [...this.#codes].sort().map((one) => one.join(" "));
    return [...rows.sort(), `codes: ${codes.join(", ")}`].join("\n");
  }
}
