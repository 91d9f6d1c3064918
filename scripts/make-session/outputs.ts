import type { Random } from "./random.ts";
import type { Story } from "./story.ts";

/** A failed test: its name and what the runner says of it. */
export interface Failure {
  readonly test: string;
  readonly report: string;
}

/** What `npm test` prints: every test by name, the failures again in full, the counts. */
export function testRun(story: Story, failures: readonly Failure[] = []): string {
  const { project, random } = story;
  const lines = ["> hopper@1.14.2 test", "> vitest run --reporter verbose", ""];
  const tests = project.paths("test/").flatMap((path) => testsOf(path, project.text(path)));
  lines.push(" RUN  /home/dev/hopper", "");
  for (const { path, name } of tests) {
    const mark = failures.some((failure) => failure.test === name) ? "×" : "✓";
    lines.push(` ${mark} ${path} > ${name} ${random.int(1, 38)}ms`);
  }
  for (const { test, report } of failures) lines.push("", ` FAIL  ${test}`, report);
  const failed = failures.length === 0 ? "" : `${failures.length} failed | `;
  const passed = tests.length - failures.length;
  lines.push("", ` Tests  ${failed}${passed} passed (${tests.length})`);
  lines.push(` Duration  ${(random.int(800, 2400) / 1000).toFixed(2)}s`);
  return lines.join("\n");
}

function testsOf(path: string, text: string) {
  let suite = "";
  return text.split("\n").flatMap((line) => {
    suite = /^describe\("(.+)", /.exec(line)?.[1] ?? suite;
    const test = /^ {2}it\("(.+)", /.exec(line)?.[1];
    return test === undefined ? [] : [{ path, name: `${suite} > ${test}` }];
  });
}

const ZONES = ["north", "harbour", "old-town", "airport", "south"];

/** A stretch of the service's own log, one JSON object a line. */
export function serviceLog(
  random: Random,
  day: string,
  lines: number,
  trouble: (line: number) => string | undefined = () => undefined,
): string {
  let second = 6 * 3600 + 2 * 60;
  return Array.from({ length: lines }, (_, n) => {
    second += random.int(0, 2);
    const told = trouble(n);
    if (told !== undefined) return told;
    const parcel = `p-${random.int(40_000, 49_999)}`;
    const courier = `c-${String(random.int(1, 64)).padStart(3, "0")}`;
    const zone = random.pick(ZONES);
    const kind = random.pick(["offered", "accepted", "accepted", "requeued", "expired"]);
    const reason = random.pick(["unavailable", "declined", "no courier fits"]);
    const extra = kind === "requeued" ? { reason, attempts: random.int(1, 3) } : { courier };
    return JSON.stringify({
      at: `${day}T${clock(second)}Z`,
      level: "info",
      msg: kind,
      parcel,
      zone,
      ...extra,
    });
  }).join("\n");
}

function clock(second: number): string {
  const parts = [Math.floor(second / 3600), Math.floor(second / 60) % 60, second % 60];
  return parts.map((part) => String(part).padStart(2, "0")).join(":");
}

/** What the soak tool prints: a line every ten simulated seconds and a summary. */
export function soakRun(random: Random, rows: number, failedShare: number): string {
  const lines = ["soak: 64 couriers, 5 zones, gateway down 06:00-06:15", ""];
  let submitted = 0;
  let failed = 0;
  for (let n = 0; n < rows; n += 1) {
    const batch = random.int(18, 42);
    const lost = random.next() < failedShare ? random.int(1, 4) : 0;
    submitted += batch;
    failed += lost;
    const depth = random.int(3, 180);
    const rate = (random.int(90, 199) / 10).toFixed(1);
    const requeued = random.int(0, 40);
    const expired = random.int(0, 6);
    lines.push(
      `t+${String(n * 10).padStart(4, "0")}s submitted=${submitted} depth=${depth} ` +
        `offers/s=${rate} requeued=${requeued} expired=${expired} failed=${failed}`,
    );
  }
  lines.push(
    "",
    `soak: ${submitted} parcels, ${failed} failed, longest wait ${random.int(61, 240)} s`,
  );
  return lines.join("\n");
}

export function typecheck(errors: readonly string[] = []): string {
  const head = "> hopper@1.14.2 typecheck\n> tsc --noEmit\n";
  return errors.length === 0
    ? head
    : `${head}\n${errors.join("\n")}\n\nFound ${errors.length} errors.`;
}
