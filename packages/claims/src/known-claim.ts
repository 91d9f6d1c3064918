import type { Json } from "@palimpsest/core";

/** What is looked at of a claim that the window has. */
export interface KnownClaim {
  readonly id: string;
  readonly kind?: "fact" | "decision";
  readonly scope?: string;
  readonly key?: string;
  readonly value?: Json;
  readonly statement: string;
}
