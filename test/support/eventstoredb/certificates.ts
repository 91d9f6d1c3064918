import "reflect-metadata"; // @peculiar/x509 needs it loaded first
import { webcrypto } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  BasicConstraintsExtension,
  KeyUsageFlags,
  KeyUsagesExtension,
  PemConverter,
  SubjectAlternativeNameExtension,
  X509CertificateGenerator,
} from "@peculiar/x509";

/** A certificate authority and a certificate of a node on this machine, all PEM. */
export interface Certificates {
  readonly ca: string;
  readonly certificate: string;
  readonly key: string;
  /** Where `ca` lies as a file, for `tlsCAFile`. */
  readonly caFile: string;
  remove(): void;
}

const ALGORITHM = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" } as const;
const DAY = 24 * 60 * 60 * 1_000;

/** Certificates for `localhost`, valid from yesterday until `expiresInDays` from now. */
export async function makeCertificates({ expiresInDays = 2 } = {}): Promise<Certificates> {
  const usages: KeyUsage[] = ["sign", "verify"];
  const caKeys = await webcrypto.subtle.generateKey(ALGORITHM, true, usages);
  const nodeKeys = await webcrypto.subtle.generateKey(ALGORITHM, true, usages);
  const notBefore = new Date(Date.now() - 10 * DAY);
  const ca = await X509CertificateGenerator.createSelfSigned({
    name: "CN=palimpsest test authority",
    keys: caKeys,
    signingAlgorithm: ALGORITHM,
    serialNumber: "01",
    notBefore,
    notAfter: new Date(Date.now() + 30 * DAY),
    extensions: [
      new BasicConstraintsExtension(true, 1, true),
      new KeyUsagesExtension(KeyUsageFlags.keyCertSign | KeyUsageFlags.cRLSign, true),
    ],
  });
  const node = await X509CertificateGenerator.create({
    issuer: ca.subject,
    subject: "CN=localhost",
    publicKey: nodeKeys.publicKey,
    signingKey: caKeys.privateKey,
    signingAlgorithm: ALGORITHM,
    serialNumber: "02",
    notBefore,
    notAfter: new Date(Date.now() + expiresInDays * DAY),
    extensions: [
      new SubjectAlternativeNameExtension([
        { type: "dns", value: "localhost" },
        { type: "ip", value: "127.0.0.1" },
      ]),
    ],
  });
  const pkcs8 = await webcrypto.subtle.exportKey("pkcs8", nodeKeys.privateKey);
  const folder = mkdtempSync(join(tmpdir(), "palimpsest-certificates-"));
  const caFile = join(folder, "ca.crt");
  writeFileSync(caFile, ca.toString("pem"));
  return {
    ca: ca.toString("pem"),
    certificate: node.toString("pem"),
    key: PemConverter.encode(pkcs8, "PRIVATE KEY"),
    caFile,
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

type KeyUsage = "sign" | "verify";
