import { serviceLog, testRun, typecheck } from "./outputs.ts";
import type { Story } from "./story.ts";
import { bash, failing } from "./workspace.ts";

/** The gateway's 503 with an HTML body, and the first decision about the budget. */
export function gateway(story: Story): void {
  const { session, project, random } = story;
  session.prompt(
    "yes. and look at how the 503 is handled at all, the carrier sends HTML during its " +
      "restart, I have seen it",
  );
  session.answer(
    "gateway.ts calls response.json() before it looks at the status. An HTML body throws a " +
      "SyntaxError, which leaves #offer half done: state 'offered', no offer stored, and the " +
      "parcel is in no queue any more. That is a leak, worse than a failure.",
    "",
    [project.read("src/gateway.ts"), project.read("src/dispatcher.ts", 60, 40)],
  );
  session.answer(
    "",
    "`HttpGateway.offer` parses the body before it looks at the status. With an HTML " +
      "body the parse throws, the parcel stays in state `offered`, and it is in no queue " +
      "any more: it leaks. I'll check how often that happened.",
    [
      bash(
        "grep -n 'Unexpected token' var/log/dispatch-2031-03-11.err | wc -l",
        "Count parse errors",
        "112",
      ),
      bash(
        "tail -n 140 var/log/dispatch-2031-03-11.log",
        "Show the end of the log",
        serviceLog(random, "2031-03-11", 140, (n) => (n % 31 === 8 ? parseError() : undefined)),
      ),
    ],
  );
  session.answer(
    "Fix: status first, then the body. Keep Retry-After if it is there.",
    "112 parse errors in one morning. Status first, body second; and I keep " +
      "`Retry-After` where the carrier sends it.",
    [
      project.edit(
        "src/gateway.ts",
        `    const body = (await response.json()) as { accepted?: boolean };
    if (response.status === 503) return { kind: "unavailable" };
    if (!response.ok) throw new Error(\`gateway answered \${response.status}\`);`,
        `    if (response.status === 503 || response.status === 429) {
      await response.body?.cancel();
      return unavailable(response.headers.get("retry-after"));
    }
    if (!response.ok) throw new Error(\`gateway answered \${response.status}\`);
    const body = (await response.json()) as { accepted?: boolean };`,
      ),
    ],
  );
  session.answer("", "", [
    project.edit(
      "src/gateway.ts",
      `/** The carrier's gateway over HTTP. */`,
      `/** The header is a number of seconds; a date is not used by this carrier. */
function unavailable(retryAfter: string | null): GatewayAnswer {
  const seconds = Number(retryAfter);
  return retryAfter !== null && Number.isFinite(seconds)
    ? { kind: "unavailable", retryAfterMs: seconds * 1000 }
    : { kind: "unavailable" };
}

/** The carrier's gateway over HTTP. */`,
    ),
    bash("npm run typecheck", "Check the types", typecheck()),
  ]);
  outageIsFree(story);
}

function outageIsFree(story: Story): void {
  const { session, project } = story;
  session.answer(
    "Now the dispatcher. 'unavailable' should requeue without an attempt. But then a " +
      "parcel could wait for ever if the gateway stays away; the user may want an upper " +
      "limit by age.",
    "Now the dispatcher: an outage requeues the parcel without charging an attempt.",
    [
      project.edit(
        "src/dispatcher.ts",
        `    if (answer.kind === "accepted") this.#accept(parcel, offer);
    else this.#retryLater(parcel, answer.kind);`,
        `    if (answer.kind === "accepted") this.#accept(parcel, offer);
    else if (answer.kind === "unavailable") this.#wait(parcel, answer.retryAfterMs);
    else this.#retryLater(parcel, answer.kind);`,
      ),
      project.edit(
        "src/dispatcher.ts",
        `  #parcel(id: string): Parcel {`,
        `  /** The gateway is away: that is no fault of the parcel and costs it nothing. */
  #wait(parcel: Parcel, retryAfterMs = 5000): void {
    parcel.state = "queued";
    parcel.lastError = "unavailable";
    this.#parts.queue.push(parcel, retryAfterMs);
    this.#record({ type: "requeued", parcelId: parcel.id, reason: "unavailable" });
  }

  #parcel(id: string): Parcel {`,
      ),
    ],
  );
  const report = [
    "AssertionError: expected 'queued' to be 'failed' // Object.is equality",
    "",
    'Expected: "failed"',
    'Received: "queued"',
    "",
    " ❯ test/dispatcher.test.ts:30:35",
    "     28|       h.clock.advance(10_000);",
    "     29|     }",
    '     30|     expect(h.parcel("p2").state).toBe("failed");',
    "       |                                    ^",
  ].join("\n");
  const test = "Dispatcher > fails a parcel that the gateway never takes";
  session.answer("", "", [
    failing("npm test", "Run the tests", testRun(story, [{ test, report }])),
    project.read("test/dispatcher.test.ts"),
    project.read("test/harness.ts"),
  ]);
  session.answer(
    "That test pins the old behaviour: an unavailable gateway fails the parcel. The user " +
      "asked for the opposite. The test must change, not the code.",
    "The one failure pins the old behaviour: a parcel fails because the gateway is away. " +
      "That is what we are changing, so the test goes and a new one takes its place.",
    [
      project.edit(
        "test/dispatcher.test.ts",
        `  it("fails a parcel that the gateway never takes", async () => {
    const h = harness({ couriers: ["near"], answers: Array(3).fill("unavailable") });
    h.dispatcher.submit(parcel("p2"));
    for (let i = 0; i < 3; i += 1) {
      await h.dispatcher.tick();
      h.clock.advance(10_000);
    }
    expect(h.parcel("p2").state).toBe("failed");
  });`,
        `  it("charges a parcel nothing while the gateway is away", async () => {
    const h = harness({ couriers: ["near"], answers: Array(20).fill("unavailable") });
    h.dispatcher.submit(parcel("p2"));
    for (let i = 0; i < 20; i += 1) {
      await h.dispatcher.tick();
      h.clock.advance(10_000);
    }
    expect(h.parcel("p2")).toMatchObject({ state: "queued", attempts: 0 });
  });`,
      ),
      bash("npm test", "Run the tests", testRun(story)),
    ],
  );
  session.answer(
    "",
    "Green. An outage costs no attempt any more, a refused or expired offer still does.",
  );
}

function parseError(): string {
  const error = `SyntaxError: Unexpected token '<', "<!DOCTYPE "... is not valid JSON`;
  return JSON.stringify({ level: "error", msg: "tick failed", error });
}
