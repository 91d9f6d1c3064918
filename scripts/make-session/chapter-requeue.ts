import { serviceLog, testRun } from "./outputs.ts";
import type { Story } from "./story.ts";
import { bash, failing } from "./workspace.ts";

/** The endpoint that the runbook promises and the code does not have. */
export function requeue(story: Story): void {
  const { session, project } = story;
  session.prompt(
    "the desk says the requeue command in the runbook answers 404. did that ever work?",
  );
  session.answer(
    "The runbook: POST /parcels/PARCEL/requeue. http.ts has no such route. Read both again.",
    "",
    [project.grep("requeue"), project.read("src/http.ts"), project.read("docs/runbook.md")],
  );
  session.answer(
    "It never existed in this code. The desk used /parcels with the same id, presumably: " +
      "submit sets the parcel again, with attempts 0. I need Dispatcher.requeue(id).",
    "It never did: there is no such route. The runbook describes something that was not " +
      "built. I'll build it: only a parcel in state `failed` can be requeued, anything " +
      "else answers 409.",
    [
      project.read("src/dispatcher.ts"),
      project.edit(
        "src/dispatcher.ts",
        `  /** One round: expired offers go back, due parcels are offered. */`,
        `  /** Gives a failed parcel a fresh budget; false when it is unknown or has not failed. */
  requeue(id: string): boolean {
    const parcel = this.#parcels.get(id);
    if (parcel?.state !== "failed") return false;
    parcel.state = "queued";
    parcel.attempts = 0;
    this.#parts.queue.push(parcel);
    this.#record({ type: "requeued", parcelId: id, reason: "by hand" });
    return true;
  }

  /** One round: expired offers go back, due parcels are offered. */`,
      ),
      project.edit(
        "src/http.ts",
        `  } else if (/^POST \\/couriers\\/[^/]+\\/heartbeat$/.test(key)) {`,
        `  } else if (/^POST \\/parcels\\/[^/]+\\/requeue$/.test(key)) {
    const done = parts.dispatcher.requeue(url.pathname.split("/")[2] ?? "");
    reply(response, done ? 204 : 409, done ? undefined : { error: "parcel has not failed" });
  } else if (/^POST \\/couriers\\/[^/]+\\/heartbeat$/.test(key)) {`,
      ),
    ],
  );
  requeueTest(story);
}

function requeueTest(story: Story): void {
  const { session, project } = story;
  const test = "Dispatcher > requeues a failed parcel with a fresh budget";
  const report = [
    "AssertionError: expected 1 to be +0 // Object.is equality",
    "",
    "Expected: 0",
    "Received: 1",
    "",
    " ❯ test/dispatcher.test.ts:52:38",
    '     52|     expect(h.parcel("p3").attempts).toBe(0);',
    "       |                                     ^",
  ].join("\n");
  session.answer("", "", [
    project.edit(
      "test/dispatcher.test.ts",
      `  it("fails a parcel when its budget is spent", async () => {`,
      `  it("requeues a failed parcel with a fresh budget", async () => {
    const h = harness({ couriers: ["near"], answers: Array(4).fill("declined") });
    h.dispatcher.submit(parcel("p3"));
    for (let i = 0; i < 3; i += 1) {
      await h.dispatcher.tick();
      h.clock.advance(10_000);
    }
    expect(h.dispatcher.requeue("p3")).toBe(true);
    await h.dispatcher.tick();
    expect(h.parcel("p3").attempts).toBe(0);
  });

  it("fails a parcel when its budget is spent", async () => {`,
    ),
    failing("npm test", "Run the tests", testRun(story, [{ test, report }])),
  ]);
  session.answer(
    "My own test is wrong: after the requeue there is a tick with the fourth 'declined', " +
      "so attempts is 1. Assert before the tick.",
    "My test is wrong, not the code: the tick after the requeue is declined again, which " +
      "rightly costs an attempt.",
    [
      project.edit(
        "test/dispatcher.test.ts",
        `    expect(h.dispatcher.requeue("p3")).toBe(true);
    await h.dispatcher.tick();
    expect(h.parcel("p3").attempts).toBe(0);`,
        `    expect(h.dispatcher.requeue("p3")).toBe(true);
    expect(h.parcel("p3")).toMatchObject({ state: "queued", attempts: 0 });`,
      ),
      bash("npm test", "Run the tests", testRun(story)),
    ],
  );
  session.answer("", "The requeue route works and is tested. The runbook is right from now on.");
}

/** The journal's last line after a crash, and a limit that two sources disagree on. */
export function tornLine(story: Story): void {
  const { session, project, random } = story;
  session.prompt(
    "next: after the power cut in February the service did not come up until somebody " +
      "edited the journal by hand. the last line was cut in half",
  );
  session.answer("", "", [
    project.read("src/journal.ts"),
    project.read("test/journal.test.ts"),
    bash("tail -c 220 var/journal.ndjson.feb", "Show the cut line", cutLine()),
  ]);
  session.answer(
    "replay() parses every line; a torn last line throws. Only the last line may be " +
      "torn: a broken line in the middle is damage and must stay an error.",
    "`replay` parses every line and throws on the torn one. Only the very last line may " +
      "be torn; a broken line before it is damage, and the service should refuse to start " +
      "on it.",
    [
      project.edit(
        "src/journal.ts",
        `    return readFileSync(this.#path, "utf8")
      .split("\\n")
      .filter((line) => line !== "")
      .map((line) => JSON.parse(line) as DispatchEvent & { at: number });`,
        `    const lines = readFileSync(this.#path, "utf8").split("\\n");
    // A crash can cut the last line, which then has no line feed; nothing was told of it.
    const torn = lines.pop() ?? "";
    if (torn !== "") log("warn", "journal.torn-line", { path: this.#path, bytes: torn.length });
    return lines.map((line) => JSON.parse(line) as DispatchEvent & { at: number });`,
      ),
      project.edit(
        "test/journal.test.ts",
        `  it("replays what it wrote", () => {`,
        `  it("leaves a half-written last line out", () => {
    const journal = new Journal(path, false);
    journal.append(failed, 7);
    appendFileSync(path, '{"at":8,"type":"fai');
    expect(journal.replay()).toEqual([{ at: 7, ...failed }]);
  });

  it("replays what it wrote", () => {`,
      ),
      bash("npm test", "Run the tests", testRun(story)),
    ],
  );
  session.prompt(
    "fine. is our offer rate ok? the carrier says we hammer them. I thought the limit is " +
      "20 a second",
  );
  session.answer(
    "Runbook: 20 offers per second. Measure in the log: 429 answers.",
    "The runbook says 20 a second as well. I'll look at what they really answer.",
    [
      bash(
        "grep '\"status\":429' var/log/dispatch-2031-03-1*.log | head -130",
        "Show the 429 answers",
        serviceLog(random, "2031-03-10", 130, (n) => (n % 3 === 1 ? tooMany(n) : undefined)),
      ),
      project.grep("20 offers", "docs/"),
    ],
  );
  session.answer(
    "The header says limit 12 per 1 s window, the runbook and the user say 20. The " +
      "carrier's own header is the fresher source. Flag the contradiction; do not silently " +
      "change the runbook.",
    "They disagree: the runbook says 20 offers a second, the carrier's own header says " +
      "`limit: 12;w=1` on every 429. The header is what they enforce. I'd go by 12 and " +
      "correct the runbook, if you agree.",
  );
  session.prompt("12 it is, they lowered it in January, I forgot. fix the runbook please");
  session.answer("", "", [
    project.edit(
      "docs/runbook.md",
      "20 offers per second and answers 429 above that.",
      "12 offers per second (since January) and answers 429 above that.",
    ),
  ]);
}

function cutLine(): string {
  return [
    '{"at":1928340112345,"type":"accepted","parcelId":"p-38112","courierId":"c-021"}',
    '{"at":1928340112871,"type":"requeued","parcelId":"p-38107","reason":"declined"}',
    '{"at":1928340113020,"type":"offe',
  ].join("\n");
}

function tooMany(line: number): string {
  const at = `2031-03-10T17:2${line % 10}:0${line % 7}Z`;
  const answer = { status: 429, limit: "12;w=1", parcel: `p-${42_000 + line}` };
  return JSON.stringify({ at, level: "warn", msg: "gateway", ...answer });
}
