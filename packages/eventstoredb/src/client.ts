import type { Readable } from "node:stream";
import type { BaseOptions } from "@eventstore/db-client";
import { EventStoreDBClient } from "@eventstore/db-client";
import type { CallArguments } from "./send.ts";

// biome-ignore lint/suspicious/noExplicitAny: the client passes constructor arguments of its own.
export type ServiceClass<Service> = new (...args: any[]) => Service;

/**
 * What the adapter needs of the client 6.2.1 that its types keep protected. Its public reads have
 * no deadline, and they decode; its public append goes without a deadline where there is no access
 * control. docs/decisions/eventstoredb-client.md says more.
 */
export interface Inner {
  /** Makes a call that answers with a stream, on the connection there is. */
  stream<Service, Stream extends Readable>(
    service: ServiceClass<Service>,
    create: (client: Service) => Stream,
  ): Promise<Stream>;
  /** Makes a call that answers once; an error of it may have the client connect anew. */
  call<Service, Result>(
    service: ServiceClass<Service>,
    action: (client: Service) => Promise<Result>,
  ): Promise<Result>;
  /** Headers and credentials of a call, and the deadline it gets unless another one is named. */
  callArguments(options: BaseOptions, callOptions?: { deadline: Date | number }): CallArguments;
  getChannel(): Promise<{ close(): void }>;
  serverVersion(): Promise<string>;
}

type Made<Use extends (service: never) => unknown> = (service: unknown) => ReturnType<Use>;

const FUNCTIONS = ["GRPCStreamCreator", "execute", "callArguments", "getChannel"] as const;

/**
 * Never made: only a class that extends the client may name its protected members, so that the
 * compiler finds out when a new version has lost one.
 */
abstract class Protected extends EventStoreDBClient {
  static membersOf(client: EventStoreDBClient): Inner {
    const inner = client as Protected;
    // A call is made on a service of the very class that was asked for.
    return {
      stream: (service, create) =>
        inner.GRPCStreamCreator(service as never, "stream", create as Made<typeof create>)(),
      call: (service, action) =>
        inner.execute(service as never, "call", action as Made<typeof action>),
      callArguments: (options, callOptions) => inner.callArguments(options, callOptions),
      getChannel: () => inner.getChannel(),
      serverVersion: async () => (await inner.capabilities).serverVersion,
    };
  }
}

/** Throws for a client that lacks one of these members, as another version may. */
export function innerOf(client: EventStoreDBClient): Inner {
  const found = client as unknown as Readonly<Record<string, unknown>>;
  const missing: string[] = FUNCTIONS.filter((name) => typeof found[name] !== "function");
  if (!("capabilities" in client)) missing.push("capabilities");
  if (missing.length === 0) return Protected.membersOf(client);
  throw new Error(
    `this @eventstore/db-client has no ${missing.join(", no ")}: the adapter is written for 6.2.1`,
  );
}
