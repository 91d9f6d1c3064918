import gossip from "@eventstore/db-client/generated/gossip_pb.js";
import features from "@eventstore/db-client/generated/serverfeatures_pb.js";
import { StreamsService } from "@eventstore/db-client/generated/streams_grpc_pb.js";
import users from "@eventstore/db-client/generated/users_pb.js";
import { accessDenied, userConflict, userNotFound } from "./failures.ts";
import { admit, failureOf } from "./node.ts";
/** Which calls this server knows; the client asks before it uses the batch path. */
export function featuresService(node) {
  const getSupportedMethods = async (call, answer) => {
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
/** Who is in the cluster; anybody may ask. */
export function gossipService(members) {
  const read = (_, answer) => {
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
export function usersService(node) {
  const known = (name) => {
    const user = node.users.get(name);
    if (user === undefined) throw userNotFound(name);
    return user;
  };
  const create = asAdmin(node, new users.CreateResp(), (request) => {
    const options = request.getOptions();
    const name = options?.getLoginName() ?? "";
    if (node.users.has(name)) throw userConflict(name);
    const groups = options?.getGroupsList() ?? [];
    node.users.set(name, { password: options?.getPassword() ?? "", groups });
  });
  const update = asAdmin(node, new users.UpdateResp(), (request) => {
    const options = request.getOptions();
    const name = options?.getLoginName() ?? "";
    const password = options?.getPassword() || known(name).password;
    node.users.set(name, { ...known(name), password, groups: options?.getGroupsList() ?? [] });
  });
  const resetPassword = asAdmin(node, new users.ResetPasswordResp(), (request) => {
    const name = request.getOptions()?.getLoginName() ?? "";
    const password = request.getOptions()?.getNewPassword() ?? "";
    node.users.set(name, { ...known(name), password });
  });
  const changePassword = asAdmin(node, new users.ChangePasswordResp(), (request) => {
    const name = request.getOptions()?.getLoginName() ?? "";
    if (known(name).password !== request.getOptions()?.getCurrentPassword()) throw accessDenied();
    const password = request.getOptions()?.getNewPassword() ?? "";
    node.users.set(name, { ...known(name), password });
  });
  return { create, update, resetPassword, changePassword, details: detailsHandler(node, known) };
}
function detailsHandler(node, known) {
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
function asAdmin(node, response, change) {
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
async function demandAdmin(node, metadata) {
  const caller = await admit(node, "users", metadata);
  if (!caller.roles.has("$admins")) throw accessDenied();
}
//# sourceMappingURL=other-services.js.map
