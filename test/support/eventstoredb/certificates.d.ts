import "reflect-metadata";
/** A certificate authority and a certificate of a node on this machine, all PEM. */
export interface Certificates {
  readonly ca: string;
  readonly certificate: string;
  readonly key: string;
  /** Where `ca` lies as a file, for `tlsCAFile`. */
  readonly caFile: string;
  remove(): void;
}
/** Certificates for `localhost`, valid from yesterday until `expiresInDays` from now. */
export declare function makeCertificates({
  expiresInDays,
}?: {
  expiresInDays?: number | undefined;
}): Promise<Certificates>;
//# sourceMappingURL=certificates.d.ts.map
