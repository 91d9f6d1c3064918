import type { EventLog } from "@palimpsest/core";
import { VERDICT_STREAM_PREFIX } from "@palimpsest/core";
import { openEventStoreDbLog, openProvisioner } from "@palimpsest/eventstoredb";
import { onTestFinished } from "vitest";
import type { SecuredDouble } from "./secured.ts";
import { startSecured } from "./secured.ts";

/**
 * One double with a running provisioner for all tests of a file; each test finds it empty. It ends
 * with the process, which vitest gives to each file.
 */
let running: Promise<SecuredDouble> | undefined;

/** As much as a scenario may put into one append; a server would be set up so for it. */
const LARGE = { maxAppendSize: 16 * 1024 * 1024 };

async function start(): Promise<SecuredDouble> {
  const secured = await startSecured(LARGE);
  const provisioner = openProvisioner(secured.url("operator"));
  void provisioner.serve(new AbortController().signal);
  process.once("exit", () => secured.certificates.remove());
  return secured;
}

/**
 * EventStoreDB for scenarios that hold on every store: as a host sees it, and as the verifier where
 * a verdict is appended, for no identity may do both.
 */
export const eventStoreDbStore = {
  name: "EventStoreDB (protocol double)",
  async open() {
    running ??= start();
    const { double, url } = await running;
    double.database.clear();
    const handles: EventLog[] = [];
    onTestFinished(async () => {
      for (const handle of handles) await handle.close();
    });
    const open = async (): Promise<EventLog> => {
      const [host, verifier] = await Promise.all([
        openEventStoreDbLog(url("host"), LARGE),
        openEventStoreDbLog(url("verifier"), LARGE),
      ]);
      handles.push(host, verifier);
      return {
        ...host,
        append: (stream, events, expected) =>
          (stream.startsWith(VERDICT_STREAM_PREFIX) ? verifier : host).append(
            stream,
            events,
            expected,
          ),
      };
    };
    const log = await open();
    const reopen = (): EventLog => {
      const handle = lateLog(log, open());
      handles.push(handle);
      return handle;
    };
    return { log, reopen };
  },
};

/** A handle that is used before it is open; it promises what `like` does. */
function lateLog(like: EventLog, opening: Promise<EventLog>): EventLog {
  return {
    guarantees: like.guarantees,
    maxAppendBytes: like.maxAppendBytes,
    append: async (stream, events, expected) => (await opening).append(stream, events, expected),
    head: async (stream) => (await opening).head(stream),
    async *read(stream, options) {
      yield* (await opening).read(stream, options);
    },
    async *subscribe(target, options) {
      yield* (await opening).subscribe(target, options);
    },
    close: async () => (await opening).close(),
  };
}
