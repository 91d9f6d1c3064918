import { GossipService } from "@eventstore/db-client/generated/gossip_grpc_pb.js";
import { ServerFeaturesService } from "@eventstore/db-client/generated/serverfeatures_grpc_pb.js";
import { StreamsService } from "@eventstore/db-client/generated/streams_grpc_pb.js";
import streams from "@eventstore/db-client/generated/streams_pb.js";
import { UsersService } from "@eventstore/db-client/generated/users_grpc_pb.js";
import { Server, ServerCredentials } from "@grpc/grpc-js";
import type { User } from "./access.ts";
import { appendHandler, batchAppendHandler, deleteHandler } from "./append-service.ts";
import type { Certificates } from "./certificates.ts";
import { Database } from "./database.ts";
import { Faults } from "./faults.ts";
import type { Counts, DoubleNode } from "./node.ts";
import type { Member } from "./other-services.ts";
import { featuresService, gossipService, usersService } from "./other-services.ts";
import { readHandler } from "./read-service.ts";

/** The user that a new server has, as the real one does. */
export const ADMIN = { username: "admin", password: "changeit" } as const;

export interface DoubleOptions {
  /** TLS, users and access control; without it the double is an insecure server. */
  readonly certificates?: Certificates;
  /** Another node's, to be one cluster with it. */
  readonly database?: Database;
  readonly users?: Map<string, User>;
  readonly members?: () => readonly Member[];
  readonly version?: string;
  readonly catchesUpOnNothing?: boolean;
  readonly maxAppendSize?: number;
}

/** A running double of EventStoreDB; README.md says what it does, assumes and leaves out. */
export interface Double {
  readonly port: number;
  readonly database: Database;
  readonly users: Map<string, User>;
  readonly faults: Faults;
  readonly counts: Counts;
  /** A connection string, with the credentials of a user where there is access control. */
  url(user?: { readonly username: string; readonly password: string }): string;
  /** Where calls that require the leader are sent from now on; undefined: this node leads. */
  follow(leader: { readonly host: string; readonly port: number } | undefined): void;
  /** Loses every connection and is back on the same port, with the same data, after a while. */
  restart(pauseMs?: number): Promise<void>;
  stop(): Promise<void>;
}

export async function startDouble(options: DoubleOptions = {}): Promise<Double> {
  const { certificates } = options;
  const credentials = credentialsOf(certificates);
  let server: Server | undefined;
  let port = 0;
  const node: DoubleNode = {
    database: options.database ?? new Database(),
    users:
      options.users ??
      new Map([[ADMIN.username, { password: ADMIN.password, groups: ["$admins"] }]]),
    faults: new Faults(),
    secure: certificates !== undefined,
    version: options.version ?? "23.10.1",
    catchesUpOnNothing: options.catchesUpOnNothing ?? true,
    maxAppendSize: options.maxAppendSize ?? 1024 * 1024,
    leader: undefined,
    counts: { authorized: 0, appends: 0, batchAppends: 0, sent: 0, subscriptions: 0 },
    cut: () => restart(0),
  };
  const members = options.members ?? (() => [{ host: "localhost", port, isLeader: true }]);
  const begin = async (): Promise<void> => {
    server = serverOf(node, members);
    port = await bind(server, port, credentials);
  };
  const restart = async (pauseMs = 50): Promise<void> => {
    server?.forceShutdown();
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
    await begin();
  };
  await begin();
  return {
    port,
    database: node.database,
    users: node.users,
    faults: node.faults,
    counts: node.counts,
    url(user = ADMIN) {
      if (certificates === undefined) return `esdb://localhost:${port}?tls=false`;
      const name = `${encodeURIComponent(user.username)}:${encodeURIComponent(user.password)}`;
      const ca = encodeURIComponent(certificates.caFile);
      return `esdb://${name}@localhost:${port}?tlsCAFile=${ca}`;
    },
    follow(leader) {
      node.leader = leader;
    },
    restart,
    async stop() {
      server?.forceShutdown();
    },
  };
}

function serverOf(node: DoubleNode, members: () => readonly Member[]): Server {
  const server = new Server({ "grpc.max_receive_message_length": 20 * 1024 * 1024 });
  server.addService(StreamsService, {
    read: readHandler(node),
    append: appendHandler(node),
    batchAppend: batchAppendHandler(node),
    delete: deleteHandler(node, false, () => new streams.DeleteResp()),
    tombstone: deleteHandler(node, true, () => new streams.TombstoneResp()),
  });
  server.addService(ServerFeaturesService, featuresService(node));
  server.addService(GossipService, gossipService(members));
  server.addService(UsersService, usersService(node));
  return server;
}

function credentialsOf(certificates: Certificates | undefined): ServerCredentials {
  if (certificates === undefined) return ServerCredentials.createInsecure();
  const key = Buffer.from(certificates.key);
  const chain = Buffer.from(certificates.certificate);
  return ServerCredentials.createSsl(null, [{ private_key: key, cert_chain: chain }]);
}

/** Binds to a free port at first, and to the same one after a restart. */
async function bind(server: Server, port: number, credentials: ServerCredentials): Promise<number> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await new Promise((resolve, reject) => {
        server.bindAsync(`localhost:${port}`, credentials, (error, bound) => {
          if (error === null) resolve(bound);
          else reject(error);
        });
      });
    } catch (error) {
      if (attempt === 20) throw error;
      await new Promise((resolve) => setTimeout(resolve, 25));
    }
  }
}
