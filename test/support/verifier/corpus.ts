import type { VerifyOptions } from "@palimpsest/verifier";
import { describe, expect, it } from "vitest";
import type { TestStore } from "./store.ts";
import { verified } from "./store.ts";

/** One kind of damage: what was done, and the rule that names it at which revision. */
export interface Damage {
  readonly says: string;
  readonly rule: string;
  readonly at: (damaged: TestStore) => number;
  readonly damage: (store: TestStore) => TestStore;
  readonly options?: VerifyOptions;
}

/**
 * For every damage: it is found by its rule at its place and by no other rule, and a verifier
 * without that rule says that the store holds.
 */
export function describeDamages(
  title: string,
  base: () => Promise<TestStore>,
  damages: readonly Damage[],
): void {
  describe(title, () => {
    it("holds before it is damaged", async () => {
      const { status, findings } = await verified(await base());
      expect({ status, findings }).toEqual({ status: "holds", findings: [] });
    });

    it.each(damages)("$says: found by $rule, missed without it", async (one) => {
      const damaged = one.damage(await base());
      const { findings } = await verified(damaged, one.options);
      const places = findings.map(({ code, revision }) => ({ code, revision }));
      expect(places).toEqual([{ code: one.rule, revision: one.at(damaged) }]);
      const blind = await verified(damaged, { ...one.options, without: [one.rule] });
      expect(blind.findings).toEqual([]);
    });
  });
}

/** The last event of the damaged store. */
export function atEnd({ window }: TestStore): number {
  return window.at(-1)?.revision ?? -1;
}

/** Damage to the window's events alone. */
export function inWindow(
  damage: (events: TestStore["window"]) => TestStore["window"],
): (store: TestStore) => TestStore {
  return (store) => ({ ...store, window: damage(store.window) });
}
