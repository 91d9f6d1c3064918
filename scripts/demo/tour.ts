import { counted } from "@palimpsest/cli/terminal";
import type { EventLog, NothingToDo, SpanView, Window } from "@palimpsest/core";
import { canonicalJson, isRefused, parseRendering } from "@palimpsest/core";
import { replay } from "@palimpsest/core/host";
import type { WindowState } from "@palimpsest/core/state";
import { LIVE, markOf } from "@palimpsest/core/state";
import { recordedSpans } from "@palimpsest/core/view";
import { halfWay, oldestBundle, worthShortening } from "./choose.ts";
import { firstWords, nameOf, say } from "./words.ts";

/** Takes one imported window through edits, undo and rewind, and checks each on the log. */
export class Tour {
  readonly #window: Window;
  readonly #log: EventLog;
  #sections = 1; // the import was the first
  #holds = true;

  constructor(window: Window, log: EventLog) {
    this.#window = window;
    this.#log = log;
  }

  /** `imported`: the last revision of the import. True when everything promised on the way held. */
  async run(imported: number): Promise<boolean> {
    await this.#edit();
    await this.#rewind(imported);
    await this.#prune();
    await this.#account();
    return this.#holds;
  }

  async #edit(): Promise<void> {
    const span = worthShortening(await this.#state());
    if (span === undefined) {
      this.#section("Editing: nothing here is long enough to be worth a note");
      return;
    }
    const what = span.kind === "tool-result" ? "tool result" : "answer of the model";
    this.#section(`Editing: the largest ${what} becomes a short note, twice over`);
    const before = await this.#window.show();
    const original = await this.#inView(span.id);
    const note = `[${counted(span.tokens, "token")}, shortened to this note]`;
    const first = await this.#rewrite(span.id, note);
    say(`   edit ${first.edit}: ${nameOf(span, original.content)}`);
    say(`     becomes a note, ${original.tokens} → ${first.product.tokens} tokens`);
    const second = await this.#rewrite(first.product.spanId, `${note} [seen]`);
    const [short, longer] = [first.product.tokens, second.product.tokens];
    say(`   edit ${second.edit}: the note gets a word more, ${short} → ${longer} tokens`);
    await this.#evict(second.product.spanId);
    const after = await this.#window.show();
    say(`   the window: ${before.tokens} → ${after.tokens} tokens`);
    await this.#undo(first.edit, original);
  }

  async #evict(except: string): Promise<void> {
    const bundle = oldestBundle(await this.#state(), except);
    const [call] = bundle.filter(({ kind }) => kind === "tool-call");
    if (call === undefined) return;
    const name = nameOf(call, (await this.#inView(call.id)).content);
    const evicted = await this.#window.evict(bundle.map(({ id }) => id));
    const tokens = bundle.reduce((sum, span) => sum + span.tokens, 0);
    say(`   edit ${evicted.editId}: the oldest tool call, ${name}`);
    say(
      `     leaves with all that is bound to it, ${counted(bundle.length, "span")} of ` +
        `${counted(tokens, "token")}`,
    );
  }

  async #undo(edit: string, original: SpanView): Promise<void> {
    this.#section(`Undoing ${edit}, on which another edit was built`);
    await this.#refusedUndo(edit);
    const undone = await changed(this.#window.undo(edit, { strategy: "cascade" }));
    const edits = undone.editIds ?? [undone.editId];
    say(`   cascade: edits ${edits.join(", ")} in one append, all or nothing`);
    const back = await this.#inView(original.spanId);
    this.#check(
      canonicalJson(back.content) === canonicalJson(original.content),
      `${original.spanId}, ${firstWords(original.content, 30)}, is back, byte for byte`,
    );
    const redone = await this.#window.redo(edit);
    say(`   and ${edit} is in force again (edit ${redone.editId})`);
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
    this.#section("Travelling back: the window as it was half-way through the session");
    const before = await this.#live();
    const target = await halfWay(this.#window, await this.#state(), imported);
    if (target === undefined) {
      say("   no revision near there both can be reached and differs from now: left out");
      return;
    }
    const rewound = await changed(this.#window.rewind(target));
    const then = (await this.#window.show(target)).spans.map(({ spanId }) => spanId);
    const now = await this.#live();
    this.#check(
      now.join() === then.join(),
      `rewind to revision ${target}: the ${counted(now.length, "span")} of that moment, no others`,
    );
    await this.#window.undo(rewound.editId);
    const after = await this.#live();
    this.#check(after.join() === before.join(), "undoing the rewind brings everything back");
  }

  async #prune(): Promise<void> {
    this.#section("Pruning hard: down to a third of the tokens");
    const before = await this.#window.show();
    // What the rewind's undo brought back may not go in the same epoch: somebody wanted it.
    if ((await this.#state()).epochHasInput) await this.#window.openEpoch();
    try {
      const { outcome } = await this.#window.prune({ targetTokens: Math.floor(before.tokens / 3) });
      if (outcome === "nothing-to-do") say("   the pruner found nothing here that may go");
    } catch (error) {
      if (!isRefused(error)) throw error;
      say(`   refused: ${error.refusals[0]?.message}`);
    }
    const after = await this.#window.show();
    const share = Math.round((100 * after.tokens) / before.tokens);
    say(`   ${before.tokens} → ${after.tokens} tokens: ${share}% of them stay`);
    await this.#contested(after.rendered);
  }

  async #contested(rendered: string): Promise<void> {
    const contested = (await this.#window.claims()).filter(({ conflicts }) => conflicts.length > 0);
    if (contested.length === 0) {
      say("   no claim here is contested, so there was none to keep in view");
      return;
    }
    const shown = new Set(parseRendering(rendered).claims.map(({ claimId }) => claimId));
    this.#check(
      contested.every(({ claimId }) => shown.has(claimId)),
      `${counted(contested.length, "contested claim")}, each in what the model is shown`,
    );
    for (const { claimId, statement, conflicts } of contested.slice(0, 4)) {
      say(`     ${claimId} ${firstWords(statement, 80)} (against ${conflicts.join(", ")})`);
    }
  }

  async #account(): Promise<void> {
    this.#section("The account");
    const state = await this.#state();
    const status = await this.#window.status();
    const proven = status.filter(({ recovery }) => recovery === "proven");
    this.#check(
      state.edits.size === state.recordCount,
      `${counted(state.edits.size, "edit")}, ${counted(state.recordCount, "recovery record")}`,
    );
    this.#check(
      proven.length === status.length,
      `${proven.length} of ${counted(status.length, "edit")}: content re-read from the store ` +
        "and re-hashed",
    );
    const provenIds = new Set(proven.map(({ editId }) => editId));
    const edits = [...state.edits].filter(({ id }) => provenIds.has(id));
    const recoverable = new Set(
      edits.flatMap((edit) => recordedSpans(state, edit)).map(({ index }) => index),
    );
    const gone = [...state.spans].filter(({ index }) => markOf(state, index) !== LIVE);
    this.#check(
      gone.every(({ index }) => recoverable.has(index)),
      `${counted(gone.length, "span")} not in view, each in the record of such an edit: none lost`,
    );
    say(`   ${counted(state.revision + 1, "event")} in the log`);
  }

  #section(title: string): void {
    this.#sections += 1;
    say(`\n${this.#sections}. ${title}`);
  }

  async #rewrite(spanId: string, text: string): Promise<{ edit: string; product: SpanView }> {
    const made = await changed(this.#window.rewrite([spanId], text));
    return { edit: made.editId, product: await this.#inView(made.spanId) };
  }

  async #inView(id: string): Promise<SpanView> {
    const span = (await this.#window.show()).spans.find(({ spanId }) => spanId === id);
    if (span === undefined) throw new Error(`span ${id} is not in view`);
    return span;
  }

  async #live(): Promise<string[]> {
    return (await this.#window.show()).spans.map(({ spanId }) => spanId);
  }

  /** The state as the log has it, folded from the first event: not what this process remembers. */
  #state(): Promise<WindowState> {
    return replay(this.#log, this.#window.id);
  }

  #check(holds: boolean, claim: string): void {
    this.#holds &&= holds;
    say(`   ${holds ? "✓" : "✗ NOT SO:"} ${claim}`);
  }
}

/** For changes that cannot come to nothing, as the tour asks for them. */
async function changed<A extends { readonly outcome: "accepted" }>(
  done: Promise<A | NothingToDo>,
): Promise<A> {
  const answer = await done;
  if (answer.outcome !== "accepted") throw new Error("the tour asked for a change of nothing");
  return answer;
}
