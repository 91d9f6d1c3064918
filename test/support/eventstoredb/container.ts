import { openProvisioner } from "@palimpsest/eventstoredb";
import type { StartedTestContainer } from "testcontainers";
import { GenericContainer, getContainerRuntimeClient, Wait } from "testcontainers";
import { makeCertificates } from "./certificates.ts";
import { ADMIN } from "./server.ts";
import type { Target } from "./target.ts";
import { PASSWORDS } from "./target.ts";

/** The version that docker-compose.yml starts. */
export const IMAGE = "eventstore/eventstore:23.10.1-jammy";
const PORT = 2113;

export async function dockerAnswers(): Promise<boolean> {
  try {
    await getContainerRuntimeClient();
    return true;
  } catch {
    return false;
  }
}

/** A secured server of one node. The ready-made module for EventStoreDB knows no certificates. */
export async function startContainer(): Promise<Target> {
  const certificates = await makeCertificates();
  const file = (name: string, content: string) => ({ content, target: `/certs/${name}` });
  const started = await new GenericContainer(IMAGE)
    .withExposedPorts(PORT)
    .withEnvironment({
      EVENTSTORE_CLUSTER_SIZE: "1",
      EVENTSTORE_RUN_PROJECTIONS: "None",
      EVENTSTORE_MEM_DB: "true",
      EVENTSTORE_CERTIFICATE_FILE: "/certs/node.crt",
      EVENTSTORE_CERTIFICATE_PRIVATE_KEY_FILE: "/certs/node.key",
      EVENTSTORE_TRUSTED_ROOT_CERTIFICATES_PATH: "/certs/ca",
    })
    .withCopyContentToContainer([
      file("node.crt", certificates.certificate),
      file("node.key", certificates.key),
      file("ca/ca.crt", certificates.ca),
    ])
    .withWaitStrategy(Wait.forHttp("/health/live", PORT).usingTls().allowInsecure())
    .start();
  const url = urlOf(started, certificates.caFile);
  const provisioner = openProvisioner(url("operator"));
  await provisioner.setUp(PASSWORDS);
  await provisioner.close();
  return {
    url,
    async stop() {
      await started.stop();
      certificates.remove();
    },
  };
}

function urlOf(started: StartedTestContainer, caFile: string): Target["url"] {
  return (identity) => {
    const { username, password } = identity === "operator" ? ADMIN : PASSWORDS[identity];
    const place = `localhost:${started.getMappedPort(PORT)}`;
    return `esdb://${username}:${password}@${place}?tlsCAFile=${encodeURIComponent(caFile)}`;
  };
}
