/*
 * `@palimpsest/verifier`: checks a log from its stored events alone and signs what it found. Runs
 * in Node and in a browser; what is kept in files has an entry of its own, ./files.
 */
export type { AuditedVerdict, AuditorOptions } from "./auditor.ts";
export { auditor } from "./auditor.ts";
export type {
  Follower,
  GuaranteeLevel,
  Guarantees,
  LogMessage,
  Reader,
  VerdictLog,
} from "./check/reader.ts";
export type { TokenCounter } from "./check/tokens.ts";
export type { CheckOptions, RetractedTogether } from "./check/window-check.ts";
export type { GateLog, GateOptions, VerdictGate } from "./gate.ts";
export { verdictGate } from "./gate.ts";
export { canonicalJson } from "./json/canonical.ts";
export { leafHash } from "./merkle/hashing.ts";
export type { EventLeaf } from "./merkle/leaf.ts";
export { eventLeaf } from "./merkle/leaf.ts";
export type { LeafHashes } from "./merkle/proofs.ts";
export { consistencyProof, inclusionProof } from "./merkle/proofs.ts";
export { MerkleRange } from "./merkle/range.ts";
export type { Consistency, Inclusion } from "./merkle/verify.ts";
export { verifyConsistency, verifyInclusion } from "./merkle/verify.ts";
export type { TreeHead } from "./notes/checkpoint.ts";
export { formatCheckpoint, parseCheckpoint } from "./notes/checkpoint.ts";
export { newSecretKey, verifySignature } from "./notes/ed25519.ts";
export type { SignerKey, VerifierKey } from "./notes/key.ts";
export { formatVerifierKey, parseVerifierKey, signerKey } from "./notes/key.ts";
export type { NoteProblem, OpenedNote } from "./notes/note.ts";
export { openNote, signNote } from "./notes/note.ts";
export type { Family, Finding, RuleInfo } from "./rules/rule.ts";
export { rules } from "./rules/rule-book.ts";
export { UnknownSignerError } from "./service/errors.ts";
export type {
  Checkpoint,
  Checkpoints,
  IssuedVerdict,
  RunningVerifier,
  VerifierOptions,
} from "./service/options.ts";
export type { Part, Scope } from "./service/scope.ts";
export { startVerifier } from "./service/verifier.ts";
export type { Probe, Verdict, VerdictStatus } from "./verdict/schema.ts";
export { VERDICT_SCHEMA_VERSION, verdictEventSchemas } from "./verdict/schema.ts";
export { noteDigest } from "./verdict/sign.ts";
export type { KeptHeads, KeptVerdict } from "./verify/kept-heads.ts";
export { memoryHeads } from "./verify/kept-heads.ts";
export type { SessionOptions, WindowReport } from "./verify/session.ts";
export type { VerifyOptions } from "./verify/verify.ts";
export { verifyStore, verifyWindow } from "./verify/verify.ts";
