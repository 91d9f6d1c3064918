import type { UntypedServiceImplementation } from "@grpc/grpc-js";
import type { DoubleNode } from "./node.ts";
/** Which calls this server knows; the client asks before it uses the batch path. */
export declare function featuresService(node: DoubleNode): UntypedServiceImplementation;
export interface Member {
  readonly host: string;
  readonly port: number;
  readonly isLeader: boolean;
}
/** Who is in the cluster; anybody may ask. */
export declare function gossipService(
  members: () => readonly Member[],
): UntypedServiceImplementation;
/** User management: for admins only, but for the change of one's own password. */
export declare function usersService(node: DoubleNode): UntypedServiceImplementation;
//# sourceMappingURL=other-services.d.ts.map
