import type { Connection } from "./connection.ts";
import { receivedIn } from "./decode.ts";
import { logErrorOf } from "./failures.ts";
import { Feed } from "./feed.ts";
import { typeFromStart } from "./requests.ts";
import { windowOf } from "./roles.ts";

/** Milliseconds of silence after which a server has sent everything. */
const SILENCE = 2_000;

/** The ids of all windows: the server picks out the event that each of them begins with. */
export async function windowsOf(connection: Connection): Promise<string[]> {
  const windows = new Set<string>();
  const never = new AbortController().signal;
  let feed: Feed | undefined;
  try {
    feed = new Feed(await connection.follow(typeFromStart("WindowOpened")));
    for (;;) {
      const message = feed.take();
      if (message === null) {
        await feed.change(never, SILENCE);
        if (feed.isOver || !feed.hasMore) break;
        continue;
      }
      if (message.hasCaughtUp()) break;
      const window = windowOf(receivedIn(message)?.event.stream ?? "");
      if (window !== undefined) windows.add(window);
    }
  } catch (error) {
    throw logErrorOf(error, "list the windows");
  } finally {
    feed?.close();
  }
  return [...windows];
}
