import gossip from "@eventstore/db-client/generated/gossip_pb.js";
import type { SupportedMethods } from "@eventstore/db-client/generated/serverfeatures_pb.js";
import features from "@eventstore/db-client/generated/serverfeatures_pb.js";
import { StreamsService } from "@eventstore/db-client/generated/streams_grpc_pb.js";
import type {
  ChangePasswordReq,
  CreateReq,
  DetailsReq,
  ResetPasswordReq,
  UpdateReq,
} from "@eventstore/db-client/generated/users_pb.js";
import users from "@eventstore/db-client/generated/users_pb.js";
import type {
  handleServerStreamingCall,
  handleUnaryCall,
  Metadata,
  UntypedServiceImplementation,
} from "@grpc/grpc-js";
import type { User } from "./access.ts";
import { accessDenied, userConflict, userNotFound } from "./failures.ts";
import type { DoubleNode } from "./node.ts";
import { admit, failureOf } from "./node.ts";

/** Which calls this server knows; the client asks before it uses the batch path. */
export function featuresService(node: DoubleNode): UntypedServiceImplementation {
  const getSupportedMethods: handleUnaryCall<unknown, SupportedMethods> = async (call, answer) => {
    try {
      await admit(node, "features", call.metadata);
      const supported = new features.SupportedMethods();
      supported.setEventStoreServerVersion(node.version);
      for (const { path } of Object.values(StreamsService)) {
        const [, service = "", name = ""] = path.split("/");
        const method = new features.SupportedMethod();
        supported.addMethods(method.setServiceName(service).setMethodName(name));
      }
      answer(null, supported);
    } catch (error) {
      answer(failureOf(error));
    }
  };
  return { getSupportedMethods };
}

export interface Member {
  readonly host: string;
  readonly port: number;
  readonly isLeader: boolean;
}

/** Who is in the cluster; anybody may ask. */
export function gossipService(members: () => readonly Member[]): UntypedServiceImplementation {
  const read: handleUnaryCall<unknown, InstanceType<typeof gossip.ClusterInfo>> = (_, answer) => {
    const info = new gossip.ClusterInfo();
    for (const { host, port, isLeader } of members()) {
      const { LEADER, FOLLOWER } = gossip.MemberInfo.VNodeState;
      const member = new gossip.MemberInfo();
      member.setState(isLeader ? LEADER : FOLLOWER);
      member.setIsAlive(true);
      member.setTimeStamp("0");
      member.setHttpEndPoint(new gossip.EndPoint().setAddress(host).setPort(port));
      info.addMembers(member);
    }
    answer(null, info);
  };
  return { read };
}

/** User management: for admins only, but for the change of one's own password. */
export function usersService(node: DoubleNode): UntypedServiceImplementation {
  const known = (name: string): User => {
    const user = node.users.get(name);
    if (user === undefined) throw userNotFound(name);
    return user;
  };
  const create = asAdmin(node, new users.CreateResp(), (request: CreateReq) => {
    const options = request.getOptions();
    const name = options?.getLoginName() ?? "";
    if (node.users.has(name)) throw userConflict(name);
    const groups = options?.getGroupsList() ?? [];
    node.users.set(name, { password: options?.getPassword() ?? "", groups });
  });
  const update = asAdmin(node, new users.UpdateResp(), (request: UpdateReq) => {
    const options = request.getOptions();
    const name = options?.getLoginName() ?? "";
    const password = options?.getPassword() || known(name).password;
    node.users.set(name, { ...known(name), password, groups: options?.getGroupsList() ?? [] });
  });
  const resetPassword = asAdmin(
    node,
    new users.ResetPasswordResp(),
    (request: ResetPasswordReq) => {
      const name = request.getOptions()?.getLoginName() ?? "";
      const password = request.getOptions()?.getNewPassword() ?? "";
      node.users.set(name, { ...known(name), password });
    },
  );
  const changePassword = asAdmin(
    node,
    new users.ChangePasswordResp(),
    (request: ChangePasswordReq) => {
      const name = request.getOptions()?.getLoginName() ?? "";
      if (known(name).password !== request.getOptions()?.getCurrentPassword()) throw accessDenied();
      const password = request.getOptions()?.getNewPassword() ?? "";
      node.users.set(name, { ...known(name), password });
    },
  );
  return { create, update, resetPassword, changePassword, details: detailsHandler(node, known) };
}

function detailsHandler(
  node: DoubleNode,
  known: (name: string) => User,
): handleServerStreamingCall<DetailsReq, InstanceType<typeof users.DetailsResp>> {
  return async (call) => {
    try {
      await demandAdmin(node, call.metadata);
      const name = call.request.getOptions()?.getLoginName() ?? "";
      const details = new users.DetailsResp.UserDetails();
      details.setLoginName(name);
      details.setGroupsList([...known(name).groups]);
      details.setDisabled(known(name).disabled ?? false);
      call.write(new users.DetailsResp().setUserDetails(details));
      call.end();
    } catch (error) {
      call.emit("error", failureOf(error));
    }
  };
}

function asAdmin<Request, Response>(
  node: DoubleNode,
  response: Response,
  change: (request: Request) => void,
): handleUnaryCall<Request, Response> {
  return async (call, answer) => {
    try {
      await demandAdmin(node, call.metadata);
      change(call.request);
      answer(null, response);
    } catch (error) {
      answer(failureOf(error));
    }
  };
}

async function demandAdmin(node: DoubleNode, metadata: Metadata): Promise<void> {
  const caller = await admit(node, "users", metadata);
  if (!caller.roles.has("$admins")) throw accessDenied();
}
