import { principalSchema } from "../events/ids.ts";

/** What kind of principal it is. */
export type Party = "host" | "model" | "human" | "verifier";

/** Whoever acts: `party/name` (design §2). */
export interface Principal {
  /** The part before the slash. */
  readonly party: Party;
  /** The whole `party/name`. */
  readonly id: string;
}

/** Reads `party/name`; a bare name belongs to `model`. Undefined: neither. */
export function parsePrincipal(text: string): Principal | undefined {
  const id = text.includes("/") ? text : `model/${text}`;
  if (!principalSchema.safeParse(id).success) return undefined;
  return { id, party: id.slice(0, id.indexOf("/")) as Party };
}

/** Whether a principal, `party/name`, is of the model's party. */
export function isModel(by: string): boolean {
  return by.startsWith("model/");
}
