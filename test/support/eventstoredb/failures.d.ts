import { Metadata, status } from "@grpc/grpc-js";
/** A gRPC status with the trailers by which the client tells errors apart. */
export declare class CallFailure extends Error {
  readonly code: status;
  readonly details: string;
  readonly metadata: Metadata;
  constructor(code: status, details: string, trailers?: Readonly<Record<string, string>>);
}
export declare function accessDenied(): CallFailure;
export declare function unauthenticated(): CallFailure;
export declare function unavailable(): CallFailure;
export declare function cancelled(): CallFailure;
export declare function streamDeleted(stream: string): CallFailure;
export declare function tooLarge(limit: number): CallFailure;
export declare function notLeader(leader: {
  readonly host: string;
  readonly port: number;
}): CallFailure;
export declare function userConflict(name: string): CallFailure;
export declare function userNotFound(name: string): CallFailure;
//# sourceMappingURL=failures.d.ts.map
