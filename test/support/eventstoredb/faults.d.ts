/** The calls that can be made to go wrong. */
export type Method = "read" | "subscribe" | "append" | "batchAppend" | "features" | "users";
/** When: before the call did anything, or after it took effect but before its answer. */
export interface Fault {
  readonly method: Method;
  readonly when: "before" | "after";
  /**
   * `unavailable`: the status UNAVAILABLE. `silence`: no answer, ever. `cut`: the connection is
   * lost. `half-close`: a stream ends without an error. `cancelled`: the server ends the call.
   */
  readonly how: "unavailable" | "silence" | "cut" | "half-close" | "cancelled";
  /** How many calls of the method go well before. Default 0. */
  readonly skip?: number;
  /** How many calls it hits. Default 1. */
  readonly times?: number;
}
/** Faults on demand. */
export declare class Faults {
  #private;
  plan(...faults: readonly Fault[]): void;
  clear(): void;
  /** The fault that this call meets, which is used up by it. */
  take(method: Method, when: Fault["when"]): Fault["how"] | undefined;
}
//# sourceMappingURL=faults.d.ts.map
