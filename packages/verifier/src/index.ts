export type { EnvelopeFinding, EnvelopeFindingCode } from "./envelope.ts";
export { checkEnvelope } from "./envelope.ts";
