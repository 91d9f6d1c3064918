import { Metadata, status } from "@grpc/grpc-js";
/** A gRPC status with the trailers by which the client tells errors apart. */
export class CallFailure extends Error {
  code;
  details;
  metadata = new Metadata();
  constructor(code, details, trailers = {}) {
    super(details);
    this.code = code;
    this.details = details;
    for (const [key, value] of Object.entries(trailers)) this.metadata.set(key, value);
  }
}
export function accessDenied() {
  return new CallFailure(status.PERMISSION_DENIED, "Access Denied", { exception: "access-denied" });
}
export function unauthenticated() {
  return new CallFailure(status.UNAUTHENTICATED, "Received HTTP status code 401");
}
export function unavailable() {
  return new CallFailure(status.UNAVAILABLE, "Server is not ready");
}
export function cancelled() {
  return new CallFailure(status.CANCELLED, "The server ended the call");
}
export function streamDeleted(stream) {
  const details = `Event stream '${stream}' is deleted.`;
  return new CallFailure(status.FAILED_PRECONDITION, details, {
    exception: "stream-deleted",
    "stream-name": stream,
  });
}
export function tooLarge(limit) {
  return new CallFailure(status.INVALID_ARGUMENT, `Maximum Append Size of ${limit} Exceeded.`, {
    exception: "maximum-append-size-exceeded",
    "maximum-append-size": String(limit),
  });
}
export function notLeader(leader) {
  return new CallFailure(status.NOT_FOUND, "Leader info available", {
    exception: "not-leader",
    "leader-endpoint-host": leader.host,
    "leader-endpoint-port": String(leader.port),
  });
}
export function userConflict(name) {
  return new CallFailure(status.ALREADY_EXISTS, "User already exists.", {
    exception: "user-conflict",
    "login-name": name,
  });
}
export function userNotFound(name) {
  return new CallFailure(status.NOT_FOUND, `User '${name}' is not found.`, {
    exception: "user-not-found",
    "login-name": name,
  });
}
//# sourceMappingURL=failures.js.map
