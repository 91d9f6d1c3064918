/** What a look at a source found: the fields of the command `observeSource`. */
export interface Observation {
  readonly uri: string;
  /**
   * SHA-256 of its bytes, 64 lowercase hex digits; of a text in UTF-8 the same as the digest of a
   * span that holds it. Null: the source is gone.
   */
  readonly digest: string | null;
}
