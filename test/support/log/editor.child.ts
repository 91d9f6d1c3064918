/* A process of its own that admits spans to a window others write to, and edits its own spans. */
import { Window } from "@palimpsest/core";
import { openSqliteLog } from "@palimpsest/core/sqlite";

const [, , file = "", name = "", rounds = "0"] = process.argv;
const log = openSqliteLog(file);
const window = new Window(log, "w", { principals: [`host/${name}`] });

for (let round = 0; round < Number(rounds); round += 1) {
  const spanId = `${name}-${round}`;
  await accepted({ command: "admitSpan", spanId, origin: "user", content: `${name} ${round}` });
  await accepted({ command: "evict", consumes: [spanId], editId: `evict-${spanId}` });
  await accepted({ command: "undo", editId: `evict-${spanId}`, as: `undo-${spanId}` });
}
await log.close();

async function accepted(command: object): Promise<void> {
  const answer = await window.executeJson(command);
  if (!("outcome" in answer) || answer.outcome !== "accepted")
    throw new Error(JSON.stringify(answer));
}
