import { serviceLog, testRun, typecheck } from "./outputs.ts";
import type { Story } from "./story.ts";
import { bash } from "./workspace.ts";

/** One module gets log fields: where, what, and what the model thinks of it. */
interface Pass {
  readonly path: string;
  readonly thinking: string;
  readonly text: string;
  readonly before: string;
  readonly after: string;
}

const HEAD = `import { log } from "./log.ts";\n`;

const FIRST: readonly Pass[] = [
  {
    path: "src/queue.ts",
    thinking:
      "remove() returns whether something was removed. A parcel that is removed by hand " +
      "should leave a trace; push with a long delay too, since that is what a stuck " +
      "parcel looks like.",
    text:
      "The queue first: removal by hand and long delays are what one looks for at six in " +
      "the morning.",
    before: `    return this.#entries.length < before;`,
    after: `    const removed = this.#entries.length < before;
    log("info", "queue.removed", { parcel: parcelId, removed, depth: this.#entries.length });
    return removed;`,
  },
  {
    path: "src/couriers.ts",
    thinking:
      "A heartbeat of an unknown courier is silently false. The HTTP layer answers 404, " +
      "but nobody sees that in the log. Log it as a warning with the id only; positions " +
      "are personal data and stay out of the log.",
    text:
      "The registry: an unknown courier is worth a warning. I keep positions out of the " +
      "log, they are personal data.",
    before: `    if (!courier) return false;`,
    after: `    if (!courier) {
      log("warn", "courier.unknown", { courier: id });
      return false;
    }`,
  },
  {
    path: "src/metrics.ts",
    thinking:
      "Metrics should not log per count, that would double everything. Only the case of " +
      "a label value with a quote, which breaks the text format.",
    text: "Metrics stay quiet, except for a label value that would break the text format.",
    before: `  const pairs = Object.entries(labels)`,
    after: `  if (Object.values(labels).some((value) => value.includes('"'))) {
    log("warn", "metrics.bad-label", { name, labels });
  }
  const pairs = Object.entries(labels)`,
  },
  {
    path: "src/zone-budget.ts",
    thinking:
      "An exhausted zone is exactly what the desk must see. But take() is called for " +
      "each retry; log only when the bucket runs dry, not each time it is found dry.",
    text:
      "The zone budget: one line when a bucket runs dry, not one for every parcel that " +
      "finds it dry.",
    before: `    bucket.tokens -= 1;
    return true;`,
    after: `    bucket.tokens -= 1;
    if (bucket.tokens < 1) log("warn", "zone.exhausted", { zone, perMinute: this.#perMinute });
    return true;`,
  },
];

const SECOND: readonly Pass[] = [
  {
    path: "src/journal.ts",
    thinking:
      "An append that throws (disk full) must be loud: the event was not recorded and " +
      "the caller goes on. Better to log and rethrow than to swallow it.",
    text:
      "The journal: a failed append is the worst thing that can happen here, so it is an " +
      "error line.",
    before: `    } finally {
      closeSync(file);
    }`,
    after: `    } catch (error) {
      log("error", "journal.append-failed", { path: this.#path, error: String(error) });
      throw error;
    } finally {
      closeSync(file);
    }`,
  },
  {
    path: "src/gateway.ts",
    thinking:
      "Log the status and the retry-after of an outage at warn. It happens on every " +
      "offer during a restart, so up to 40 lines a tick; acceptable, the logs of that " +
      "morning had far more.",
    text: "The gateway: status and `Retry-After` of each refusal to talk.",
    before: `      await response.body?.cancel();`,
    after: `      const after = response.headers.get("retry-after");
      const { status } = response;
      log("warn", "gateway.unavailable", { status, after, parcel: offer.parcelId });
      await response.body?.cancel();`,
  },
  {
    path: "src/config.ts",
    thinking:
      "At start the values in force should be in the log: it would have answered at once " +
      "which retry budget was used on Tuesday. Log which keys the overrides replaced.",
    text:
      "The config: at start, say which keys the overrides replaced. On Tuesday that " +
      "would have saved us an hour.",
    before: `  return toConfig(merged);`,
    after: `  for (const [section, table] of Object.entries(overrides)) {
    for (const [key, value] of Object.entries(table)) {
      log("info", "config.override", { section, key, value, was: base[section]?.[key] ?? null });
    }
  }
  return toConfig(merged);`,
  },
  {
    path: "src/http.ts",
    thinking:
      "The catch in createHttp turns every error into a 500 and says nothing in the log. " +
      "Method and path are enough, no bodies.",
    text:
      "The HTTP layer: a 500 without a line in the log is a riddle. Method and path, no " +
      "bodies.",
    before: `      reply(response, 500,`,
    after: `      const { method, url } = request;
      log("error", "http.failed", { method, url, error: String(error) });
      reply(response, 500,`,
  },
  {
    path: "src/dispatcher.ts",
    thinking:
      "The dispatcher records events in the journal already. For the log: failed parcels " +
      "with their attempts and the reason, as the old log lines had it; the dashboards " +
      "parse them.",
    text:
      "The dispatcher last. The dashboards read `failed` lines, so the field names stay as " +
      "they were.",
    before: `      parcel.state = "failed";`,
    after: `      parcel.state = "failed";
      const { id, zone, attempts } = parcel;
      log("error", "failed", { parcel: id, zone, reason, attempts });`,
  },
  {
    path: "src/server.ts",
    thinking: "console.error with a hand-made JSON line in the tick: use the same function.",
    text: "And the hand-made line in `server.ts`.",
    before: `    console.error(
      JSON.stringify({ level: "error", msg: "tick failed", error: String(error) }),
    );`,
    after: `    log("error", "tick failed", { error: String(error) });`,
  },
];

/** The user asks for log fields everywhere; the first half is done before the compaction. */
export function loggingBegins(story: Story): void {
  const { session, project, random } = story;
  session.answer(
    "Go on with the rest: structured log fields. One function first, then module by module.",
    "On to the log fields. One small function, then module by module.",
    [
      project.write(
        "src/log.ts",
        `export type Level = "info" | "warn" | "error";

/** One JSON object a line, on stdout; the collector reads it from there. */
export function log(level: Level, msg: string, fields: Record<string, unknown> = {}): void {
  const line = { at: new Date().toISOString(), level, msg, ...fields };
  process.stdout.write(\`\${JSON.stringify(line)}\\n\`);
}
`,
      ),
      project.grep("console\\.", "src/"),
    ],
  );
  for (const pass of FIRST) onePass(story, pass);
  session.answer("", "", [
    bash("npm test", "Run the tests", testRun(story)),
    bash(
      "timeout 20 npm start 2>&1 | head -120",
      "Look at the new log lines",
      serviceLog(random, "2031-03-12", 120),
    ),
  ]);
}

export function loggingGoesOn(story: Story): void {
  for (const pass of SECOND) onePass(story, pass);
  story.session.answer("", "", [bash("npm test", "Run the tests", testRun(story))]);
  story.session.answer("", "All modules log through `log.ts` now; types and tests are green.");
}

/** Read, edit, import, check: three answers and, every time, the whole file in the window again. */
function onePass(story: Story, { path, thinking, text, before, after }: Pass): void {
  const { session, project } = story;
  session.answer(thinking, text, [project.read(path)]);
  session.answer("", "", [project.edit(path, before, after)]);
  const firstLine = project.text(path).split("\n")[0] ?? "";
  const importLine = firstLine.startsWith("import")
    ? `${HEAD}${firstLine}`
    : `${HEAD}\n${firstLine}`;
  session.answer("", "", [
    project.edit(path, firstLine, importLine),
    bash("npm run typecheck", "Check the types", typecheck()),
  ]);
}
