import usersService from "@eventstore/db-client/generated/users_grpc_pb.js";
import users from "@eventstore/db-client/generated/users_pb.js";
import type { Connection } from "./connection.ts";
import { kindOf, logErrorOf } from "./failures.ts";
import type { Role } from "./roles.ts";
import { GROUPS } from "./roles.ts";
import type { CallArguments } from "./send.ts";
import type { Credentials } from "./settings.ts";

type Service = InstanceType<typeof usersService.UsersClient>;

/** Creates the user of a role; one that exists keeps its password and is put into the group. */
export async function ensureUser(
  connection: Connection,
  role: Role,
  { username, password }: Credentials,
): Promise<"created" | "kept"> {
  const options = new users.CreateReq.Options();
  options.setLoginName(username).setPassword(password);
  options.setFullName(`palimpsest ${role}`).setGroupsList([GROUPS[role]]);
  const request = new users.CreateReq().setOptions(options);
  try {
    await call(connection, (service, args, done) => service.create(request, ...args, done));
    return "created";
  } catch (error) {
    if (kindOf(error) !== "exists") throw logErrorOf(error, `create the user ${username}`);
  }
  await updateUser(connection, role, username);
  return "kept";
}

async function updateUser(connection: Connection, role: Role, username: string): Promise<void> {
  const options = new users.UpdateReq.Options();
  options.setLoginName(username).setFullName(`palimpsest ${role}`).setGroupsList([GROUPS[role]]);
  const request = new users.UpdateReq().setOptions(options);
  try {
    await call(connection, (service, args, done) => service.update(request, ...args, done));
  } catch (error) {
    throw logErrorOf(error, `update the user ${username}`);
  }
}

type Done = (error: unknown, response: unknown) => void;

function call(
  connection: Connection,
  send: (service: Service, args: CallArguments, done: Done) => unknown,
): Promise<void> {
  return connection.call(
    usersService.UsersClient,
    (service, args) =>
      new Promise<void>((resolve, reject) => {
        send(service, args, (error) => {
          if (error === null) resolve();
          else reject(error);
        });
      }),
  );
}
