import { Metadata, status } from "@grpc/grpc-js";

/** A gRPC status with the trailers by which the client tells errors apart. */
export class CallFailure extends Error {
  readonly code: status;
  readonly details: string;
  readonly metadata = new Metadata();

  constructor(code: status, details: string, trailers: Readonly<Record<string, string>> = {}) {
    super(details);
    this.code = code;
    this.details = details;
    for (const [key, value] of Object.entries(trailers)) this.metadata.set(key, value);
  }
}

export function accessDenied(): CallFailure {
  return new CallFailure(status.PERMISSION_DENIED, "Access Denied", { exception: "access-denied" });
}

export function unauthenticated(): CallFailure {
  return new CallFailure(status.UNAUTHENTICATED, "Received HTTP status code 401");
}

export function unavailable(): CallFailure {
  return new CallFailure(status.UNAVAILABLE, "Server is not ready");
}

export function cancelled(): CallFailure {
  return new CallFailure(status.CANCELLED, "The server ended the call");
}

export function streamDeleted(stream: string): CallFailure {
  const details = `Event stream '${stream}' is deleted.`;
  return new CallFailure(status.FAILED_PRECONDITION, details, {
    exception: "stream-deleted",
    "stream-name": stream,
  });
}

export function tooLarge(limit: number): CallFailure {
  return new CallFailure(status.INVALID_ARGUMENT, `Maximum Append Size of ${limit} Exceeded.`, {
    exception: "maximum-append-size-exceeded",
    "maximum-append-size": String(limit),
  });
}

export function notLeader(leader: { readonly host: string; readonly port: number }): CallFailure {
  return new CallFailure(status.NOT_FOUND, "Leader info available", {
    exception: "not-leader",
    "leader-endpoint-host": leader.host,
    "leader-endpoint-port": String(leader.port),
  });
}

export function userConflict(name: string): CallFailure {
  return new CallFailure(status.ALREADY_EXISTS, "User already exists.", {
    exception: "user-conflict",
    "login-name": name,
  });
}

export function userNotFound(name: string): CallFailure {
  return new CallFailure(status.NOT_FOUND, `User '${name}' is not found.`, {
    exception: "user-not-found",
    "login-name": name,
  });
}
