import { randomBytes } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import type { Credentials, Provisioner, Role, SetUp } from "@palimpsest/eventstoredb";
import type { Command } from "commander";
import { isEventStoreDb, loadEventStoreDb } from "../eventstoredb.ts";
import { makeFolder } from "../folder.ts";
import type { GlobalOptions } from "../options.ts";
import { EXIT, print, printJson, say, UsageError } from "../terminal/output.ts";
import { whyOf } from "../terminal/system-error.ts";
import { table } from "../terminal/table.ts";
import type { Calls } from "./calls.ts";
import { oneWindow } from "./verifier-options.ts";

interface ProvisionOptions extends GlobalOptions {
  readonly credentials: string;
  readonly serve?: boolean;
}

export function addProvisionCall({ add, finish }: Calls): void {
  add("provision", "as an operator: users, and who may do what with which stream of EventStoreDB")
    .option("--credentials <file>", "users and passwords", ".palimpsest/credentials.json")
    .option("--serve", "then provision every window that a host asks for")
    .action((options: ProvisionOptions, command: Command) =>
      finish((o) => provision(o, oneWindow(command)), options),
    );
}

/** The whole server, or the one window that was named. */
async function provision(options: ProvisionOptions, window: string | undefined): Promise<number> {
  if (!isEventStoreDb(options.store)) {
    throw new UsageError("provision is for servers: --store esdb://operator:password@host:2113");
  }
  const { openProvisioner } = await loadEventStoreDb();
  const provisioner = openProvisioner(options.store);
  try {
    if (window !== undefined) {
      await provisionWindow(provisioner, window, options);
      return EXIT.done;
    }
    await setUp(provisioner, options);
    if (options.serve) await serve(provisioner);
    return EXIT.done;
  } finally {
    await provisioner.close();
  }
}

async function provisionWindow(
  provisioner: Provisioner,
  window: string,
  { json }: ProvisionOptions,
): Promise<void> {
  const [own, verdicts] = await provisioner.window(window);
  if (json) await printJson({ window, own, verdicts });
  else await print(`window ${window}: its stream ${own}, its verdict stream ${verdicts}\n`);
}

async function setUp(provisioner: Provisioner, options: ProvisionOptions): Promise<void> {
  const { credentials: file, json } = options;
  const known = readCredentials(file);
  const { ROLES } = await loadEventStoreDb();
  const all = Object.fromEntries(
    ROLES.map((role) => [role, known[role] ?? { username: role, password: password() }]),
  ) as Record<Role, Credentials>;
  // Before the server has them: a password that only a crashed process knew would be lost.
  writeCredentials(file, all);
  const done = await provisioner.setUp(all);
  const strangers = done.users.filter((user) => user.done === "kept" && !known[user.role]);
  if (strangers.length > 0) {
    for (const { role } of strangers) delete (all as Partial<typeof all>)[role];
    writeCredentials(file, all);
    const names = strangers.map(({ username }) => username).join(", ");
    say(`these users were there before, with passwords not known here: ${names}`);
  }
  await (json ? printJson({ ...done, credentials: file }) : print(setUpText(done, file)));
}

function setUpText({ users, streams }: SetUp, file: string): string {
  return [
    table(
      ["role", "user", ""],
      users.map(({ role, username, done }) => [role, username, done]),
    ),
    streams.length === 0
      ? ""
      : table(
          ["stream", "access control"],
          streams.map(({ stream, done }) => [stream, done]),
        ),
    `passwords: ${file}\n`,
  ].join("");
}

/** Runs until the process is told to end. */
async function serve(provisioner: Provisioner): Promise<void> {
  const ending = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => ending.abort());
  say("provisioning every window that is asked for; end with Ctrl-C");
  await provisioner.serve(ending.signal, (window) => say(`provisioned window ${window}`));
}

type Known = Partial<Record<Role, Credentials>>;

function readCredentials(file: string): Known {
  try {
    return JSON.parse(readFileSync(file, "utf8")) as Known;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return {};
    throw new UsageError(`--credentials ${file} cannot be read: ${whyOf(error)}`);
  }
}

function writeCredentials(file: string, credentials: Known): void {
  makeFolder(dirname(resolve(file)));
  writeFileSync(file, `${JSON.stringify(credentials, null, 2)}\n`, { mode: 0o600 });
}

/** 144 bits, in characters that need no escape in a connection string. */
function password(): string {
  return randomBytes(18).toString("base64url");
}
