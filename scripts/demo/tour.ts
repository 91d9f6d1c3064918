import type { Accepted, EventLog, Window, WindowState } from "@palimpsest/core";
import { canonicalJson, isRefused, parseRendering, replay } from "@palimpsest/core";
import { largestResult, oldestBundle } from "./choose.ts";

/** Takes one imported window through edits, undo and rewind, and checks each on the log. */
export class Tour {
  readonly #window: Window;
  readonly #log: EventLog;
  #holds = true;

  constructor(window: Window, log: EventLog) {
    this.#window = window;
    this.#log = log;
  }

  /** True when everything that was promised on the way held. */
  async run(): Promise<boolean> {
    const imported = (await this.#state()).revision;
    await this.#edit();
    await this.#rewind(imported);
    await this.#prune();
    await this.#account();
    return this.#holds;
  }

  async #edit(): Promise<void> {
    say("\n2. Editing: the largest tool result becomes a short note, twice over");
    const largest = largestResult(await this.#state());
    if (largest === undefined) {
      say("   this session holds no tool result, so there is nothing to shorten");
      return;
    }
    const original = await this.#content(largest.id);
    const note = `[${largest.tokens} tokens of output, shortened to this note]`;
    const first = await this.#accepted(this.#window.rewrite([largest.id], note));
    const [edit, product] = [String(first.ids.editId), String(first.ids.spanId)];
    say(`   edit ${edit}: ${largest.id} → ${product}, the window now costs ${first.tokens} tokens`);
    const second = await this.#accepted(this.#window.rewrite([product], `${note} [seen]`));
    say(`   edit ${second.ids.editId}: ${product} → ${second.ids.spanId}`);
    await this.#evict(largest.id);

    say(`\n3. Undoing ${edit}, on which another edit was built`);
    await this.#refusedUndo(edit);
    const undone = await this.#accepted(this.#window.undo(edit, { strategy: "cascade" }));
    say(
      `   cascade: edits ${[undone.ids.editIds].flat().join(" and ")}, one append, all or nothing`,
    );
    const back = await this.#content(largest.id);
    this.#check(back === original, `${largest.id} is back, byte for byte`);
    const redone = await this.#accepted(this.#window.redo(edit));
    say(`   and ${edit} is in force again (edit ${redone.ids.editId})`);
  }

  async #evict(except: string): Promise<void> {
    const bundle = oldestBundle(await this.#state(), except);
    if (bundle.length === 0) return;
    const evicted = await this.#accepted(this.#window.evict(bundle.map(({ id }) => id)));
    say(
      `   edit ${evicted.ids.editId}: the oldest tool call leaves with all that is bound to it ` +
        `(${bundle.length} spans), ${evicted.tokens} tokens`,
    );
  }

  async #refusedUndo(edit: string): Promise<void> {
    try {
      await this.#window.undo(edit);
      this.#check(false, `a plain undo of ${edit} is refused`);
    } catch (error) {
      if (!isRefused(error, "stale-edit")) throw error;
      say(`   plain undo is refused: ${error.refusals[0]?.message}`);
    }
  }

  async #rewind(imported: number): Promise<void> {
    say("\n4. Travelling back: the window as it was half-way through the session");
    const before = await this.#live();
    const target = await this.#halfWay(imported);
    if (target === undefined) {
      say("   no earlier revision can be reached without breaking a tool call: left out");
      return;
    }
    const rewound = await this.#accepted(this.#window.rewind(target));
    const then = (await this.#window.show(target)).spans.map(({ spanId }) => spanId);
    const now = await this.#live();
    this.#check(
      now.join() === then.join(),
      `rewind to revision ${target}: the ${now.length} spans of that moment, and no others`,
    );
    await this.#window.undo(String(rewound.ids.editId));
    const after = await this.#live();
    this.#check(after.join() === before.join(), "undoing the rewind brings everything back");
  }

  /** The append boundary nearest to half-way that a rewind may go to. */
  async #halfWay(imported: number): Promise<number | undefined> {
    const { boundaries } = await this.#state();
    const middle = boundaries.findLast((revision) => revision <= imported / 2) ?? 0;
    try {
      await this.#window.plan({ command: "rewind", to: middle });
      return middle;
    } catch (error) {
      if (!isRefused(error)) throw error;
      const nearest = error.refusals[0]?.nearest;
      return typeof nearest === "number" && nearest > 0 ? nearest : undefined;
    }
  }

  async #prune(): Promise<void> {
    say("\n5. Pruning hard: a third of the tokens stays, no conflict goes out of sight");
    const before = await this.#window.show();
    const contested = (await this.#window.claims()).filter(({ conflicts }) => conflicts.length > 0);
    // What the rewind's undo brought back may not go in the same epoch: somebody wanted it.
    await this.#window.openEpoch();
    const pruned = await this.#window.prune({ targetTokens: Math.floor(before.tokens / 3) });
    if (pruned.outcome !== "accepted") {
      say("   nothing here may go: everything is recent, pinned or a user's");
      return;
    }
    const { rendered, tokens } = await this.#window.show();
    say(`   ${before.tokens} → ${tokens} tokens, ${list(pruned.left).length} spans out of view`);
    const shown = new Set(parseRendering(rendered).claims.map(({ claimId }) => claimId));
    if (contested.length === 0)
      say("   no claim here is contested, so there was none to keep in view");
    else {
      this.#check(
        contested.every(({ claimId }) => shown.has(claimId)),
        `${contested.length} contested claims, each in what the model is shown`,
      );
    }
    for (const { claimId, statement, conflicts } of contested.slice(0, 4)) {
      say(`     ${claimId} ${safe(statement)} (against ${conflicts.join(", ")})`);
    }
  }

  async #account(): Promise<void> {
    say("\n6. The account");
    const state = await this.#state();
    const status = await this.#window.status();
    const proven = status.filter(({ recovery }) => recovery === "proven").length;
    this.#check(
      state.edits.size === state.recordCount,
      `${state.edits.size} edits, ${state.recordCount} recovery records`,
    );
    this.#check(
      proven === status.length,
      `${proven} of ${status.length} edits: content re-read from the store and re-hashed`,
    );
    say(
      `   ${state.revision + 1} events in the log; ${state.outOfView} spans out of view, none lost`,
    );
  }

  /** The content of a live span in RFC 8785 form. */
  async #content(id: string): Promise<string> {
    const span = (await this.#window.show()).spans.find(({ spanId }) => spanId === id);
    if (span === undefined) throw new Error(`span ${id} is not in view`);
    return canonicalJson(span.content);
  }

  async #live(): Promise<string[]> {
    return (await this.#window.show()).spans.map(({ spanId }) => spanId);
  }

  /** The state as the log has it, folded from the first event: not what this process remembers. */
  #state(): Promise<WindowState> {
    return replay(this.#log, this.#window.id);
  }

  async #accepted(answer: Promise<Accepted | { outcome: "nothing-to-do" }>): Promise<Accepted> {
    const settled = await answer;
    if (settled.outcome !== "accepted") throw new Error("the tour asked for a change of nothing");
    return settled;
  }

  #check(holds: boolean, claim: string): void {
    this.#holds &&= holds;
    say(`   ${holds ? "✓" : "✗ NOT SO:"} ${claim}`);
  }
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** A transcript's words on one line of a terminal, with nothing in them that drives it. */
function safe(text: string): string {
  return JSON.stringify(text.length > 80 ? `${text.slice(0, 80)}…` : text);
}

function say(line: string): void {
  console.log(line);
}
