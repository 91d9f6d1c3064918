/** Runs `task` after every task that was given before under the same key, whatever became of it. */
export async function inTurn<Result>(
  turns: Map<string, Promise<unknown>>,
  key: string,
  task: () => Promise<Result>,
): Promise<Result> {
  const before = turns.get(key);
  const mine = before === undefined ? task() : before.then(task, task);
  turns.set(key, mine);
  try {
    return await mine;
  } finally {
    if (turns.get(key) === mine) turns.delete(key);
  }
}
