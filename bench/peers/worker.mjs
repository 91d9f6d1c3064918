/*
 * Runs a peer in a process of its own. `peers.ts` starts it and sends jobs one at a time, each
 * `{job, …}`; the answer is `{ms}`, what the job took, or `{error}`.
 */
const jobs = { emmettOpen, emmettAppend, langgraph, langgraphStates };

process.on("message", async (message) => {
  try {
    process.send?.(await jobs[message.job](message));
  } catch (error) {
    process.send?.({ error: String(error?.stack ?? error) });
  }
});

let store;

/**
 * Opens an emmett store and sets up its tables; the events are sent once, as text. Its store object
 * opens the file anew for every append, and now and then its own PRAGMA is not done by the time it
 * commits (SQLITE_BUSY). So the functions below that object are used, on one connection.
 */
async function emmettOpen({ file, appends }) {
  const emmett = await import("@event-driven-io/emmett-sqlite");
  const connection = emmett.sqliteConnection({ fileName: file });
  await emmett.createEventStoreSchema(connection);
  const append = (events, expectedStreamVersion) =>
    emmett.appendToStream(connection, "window-w", "window", events, { expectedStreamVersion });
  store = { append, appends: JSON.parse(appends), next: 0, version: 0n };
  return { ms: 0 };
}

/** The next `count` appends, each expecting the version that the one before it left. */
async function emmettAppend({ count }) {
  const block = store.appends.slice(store.next, store.next + count);
  store.next += count;
  const start = performance.now();
  for (const events of block) {
    const { success, nextStreamPosition } = await store.append(events, store.version);
    if (!success) throw new Error("emmett refused an append");
    store.version = nextStreamPosition;
  }
  return { ms: performance.now() - start };
}

/**
 * A graph whose one node adds one content a step, with a checkpoint after every step, as the state
 * is kept in this channel. Its saver holds the file open.
 */
async function graphOn(file, channel, texts) {
  const { DeltaValue, END, ReducedValue, START, StateGraph, StateSchema } = await import(
    "@langchain/langgraph"
  );
  const { SqliteSaver } = await import("@langchain/langgraph-checkpoint-sqlite");
  const { z } = await import("zod");
  const values = z.array(z.string()).default(() => []);
  const steps =
    channel === "delta"
      ? new DeltaValue(values, {
          inputSchema: z.array(z.string()),
          reducer: (current, writes) => [...current, ...writes.flat()],
        })
      : new ReducedValue(values, {
          inputSchema: z.array(z.string()),
          reducer: (current, next) => [...current, ...next],
        });
  const saver = SqliteSaver.fromConnString(file);
  // Its driver's default is NORMAL, which loses the last steps when the power fails; ours does not.
  saver.db.pragma("synchronous = FULL");
  const graph = new StateGraph(new StateSchema({ steps }))
    .addNode("step", (state) => ({ steps: [texts[state.steps.length]] }))
    .addEdge(START, "step")
    .addConditionalEdges("step", (state) => (state.steps.length < texts.length ? "step" : END))
    .compile({ checkpointer: saver });
  return { graph, saver };
}

async function langgraph({ file, channel, contents }) {
  const texts = JSON.parse(contents);
  const { graph, saver } = await graphOn(file, channel, texts);
  const start = performance.now();
  const config = { configurable: { thread_id: "w" }, recursionLimit: texts.length + 10 };
  const { steps: end } = await graph.invoke({ steps: [] }, { ...config, durability: "sync" });
  const ms = performance.now() - start;
  saver.db.close();
  if (end.length !== texts.length) throw new Error(`${end.length} steps of ${texts.length}`);
  return { ms };
}

/** `getState` of the checkpoints after so many steps each, of a file that `langgraph` wrote. */
async function langgraphStates({ file, channel, picks }) {
  const { graph, saver } = await graphOn(file, channel, []);
  const ids = saver.db
    .prepare("SELECT checkpoint_id FROM checkpoints WHERE checkpoint_ns = '' ORDER BY 1")
    .pluck()
    .all();
  let ms = 0;
  for (const steps of picks) {
    // The first one is the input; the next one is the state before the first step.
    const configurable = { thread_id: "w", checkpoint_id: ids[steps + 1] };
    const start = performance.now();
    const { values } = await graph.getState({ configurable });
    ms += performance.now() - start;
    if (values.steps.length !== steps)
      throw new Error(`${values.steps.length}, not ${steps} steps`);
  }
  saver.db.close();
  return { ms };
}
