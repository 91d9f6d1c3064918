/* `@palimpsest/verifier/files`: what the verifier keeps on disk beside the store. Node only. */
export type { KeyRing } from "./key-file.ts";
export { KeyFileError, loadKeys, rotateKey } from "./key-file.ts";
export { checkpointFile, defaultStateFolder, headsFolder } from "./state.ts";
