import { dockerAnswers, startContainer } from "./container.ts";
import { startSecured } from "./secured.ts";
import type { Identity, Target } from "./target.ts";

/** One of the three ways in which the suite runs; `missing` says why it cannot here. */
export interface Way {
  readonly name: string;
  readonly missing?: string;
  /** Without TLS a server checks no access, so that there is none to test. */
  readonly isSecured: boolean;
  start(): Promise<Target>;
}

/** The ways in order of how much they prove. */
export async function ways(): Promise<readonly Way[]> {
  return [namedServer(process.env), await container(), double];
}

/** A server that the environment names. */
function namedServer(environment: NodeJS.ProcessEnv): Way {
  const name = "the server of PALIMPSEST_TEST_ESDB";
  const server = environment.PALIMPSEST_TEST_ESDB;
  if (server === undefined) {
    const missing = "PALIMPSEST_TEST_ESDB is not set";
    return { name, missing, isSecured: false, start: impossible };
  }
  const isSecured = !/[?&]tls=false/i.test(server);
  const url = (identity: Identity): string => {
    const credentials = environment[`PALIMPSEST_TEST_ESDB_${identity.toUpperCase()}`];
    const ca = environment.PALIMPSEST_TEST_ESDB_CA;
    return withAuthority(credentials === undefined ? server : withUser(server, credentials), ca);
  };
  const kind = isSecured ? name : `${name}, which is insecure`;
  return { name: kind, isSecured, start: async () => ({ url, stop: async () => undefined }) };
}

/** `credentials` are `user:password`. */
function withUser(server: string, credentials: string): string {
  const [username = "", ...password] = credentials.split(":");
  const user = `${encodeURIComponent(username)}:${encodeURIComponent(password.join(":"))}`;
  return server.replace(/:\/\/(?:[^@/]*@)?/, `://${user}@`);
}

function withAuthority(server: string, file: string | undefined): string {
  if (file === undefined) return server;
  return `${server}${server.includes("?") ? "&" : "?"}tlsCAFile=${encodeURIComponent(file)}`;
}

/** A server in a container of its own. */
async function container(): Promise<Way> {
  const name = "a server in a container";
  if (await dockerAnswers()) return { name, isSecured: true, start: startContainer };
  return { name, missing: "no Docker engine answers", isSecured: true, start: impossible };
}

/** The double, which is always there. */
const double: Way = {
  name: "the protocol double, no real server",
  isSecured: true,
  start: () => startSecured(),
};

async function impossible(): Promise<never> {
  throw new Error("this way of testing is not there");
}
