import { openProvisioner } from "@palimpsest/eventstoredb";
import type { Certificates } from "./certificates.ts";
import { makeCertificates } from "./certificates.ts";
import type { Double, DoubleOptions } from "./server.ts";
import { ADMIN, startDouble } from "./server.ts";
import type { Target } from "./target.ts";
import { PASSWORDS } from "./target.ts";

export interface SecuredDouble extends Target {
  readonly double: Double;
  readonly certificates: Certificates;
}

/** A double with TLS and access control, provisioned. */
export async function startSecured(options: DoubleOptions = {}): Promise<SecuredDouble> {
  const certificates = options.certificates ?? (await makeCertificates());
  const double = await startDouble({ ...options, certificates });
  const provisioner = openProvisioner(double.url());
  await provisioner.setUp(PASSWORDS);
  await provisioner.close();
  return {
    double,
    certificates,
    url: (identity) => double.url(identity === "operator" ? ADMIN : PASSWORDS[identity]),
    async stop() {
      await double.stop();
      certificates.remove();
    },
  };
}
