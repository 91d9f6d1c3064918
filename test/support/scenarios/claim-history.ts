import type { Json } from "@palimpsest/core";
import { contentDigest } from "@palimpsest/core";
import { Dice } from "../algebra/dice.ts";
import type { Sent } from "./commands.ts";
import { admit, batch, evict, propose, recall, redo, rewind, rewrite, undo } from "./commands.ts";
import type { Story } from "./given.ts";
import { given, HOST, HUMAN, MODEL } from "./given.ts";
import { memoryStore } from "./stores.ts";

/*
 * Random histories of a window in which claims are made, rest on each other, lose their ground and
 * their carriers, and get both back. A move that is refused does no harm: the next one follows.
 */

const KEYS = ["k0", "K0 ", "k1", "kß", "KSS"];
const VALUES: readonly Json[] = ["v0", "v1", 2];
const ORIGINS = ["user", "tool", "tool", "assistant", "host", "system"] as const;
const PARTIES = [HOST, MODEL, HUMAN];
const DIGESTS = ["a", "b"].map(contentDigest);

interface Known {
  readonly w: Story;
  readonly dice: Dice;
  /** What a keyed claim may take from a span, by id. */
  readonly said: Map<string, { readonly key: string; readonly value: Json }>;
  readonly spans: string[];
  readonly claims: string[];
  edits: number;
  proposals: number;
}

type Move = (known: Known) => Sent | undefined | Promise<Sent | undefined>;

async function someLive({ w, dice }: Known): Promise<string | undefined> {
  return dice.pick(await w.live());
}

function textFor(known: Known, spanId: string): string {
  const [key, value] = [known.dice.pick(KEYS) ?? "", known.dice.pick(VALUES) ?? ""];
  known.said.set(spanId, { key, value });
  known.spans.push(spanId);
  return `${spanId}: ${key} = ${value}\n${"and so on ".repeat(known.dice.roll(20))}`;
}

const admission: Move = (known) => {
  const { dice, spans } = known;
  const origin = dice.pick(ORIGINS) ?? "user";
  const by = origin === "assistant" && dice.chance(50) ? MODEL : HOST;
  const content = textFor(known, `s${spans.length}`);
  const source = { uri: `u${dice.roll(2)}`, digest: dice.pick(DIGESTS) ?? "" };
  const more = dice.chance(50) ? { source } : {};
  const group = by === HOST && dice.chance(15) ? { group: `g${dice.roll(3)}` } : {};
  return admit(`s${spans.length - 1}`, { origin, content, by, ...more, ...group });
};

const rewriting: Move = async (known) => {
  const live = await known.w.live();
  const from = known.dice.roll(Math.max(1, live.length));
  const consumes = live.slice(from, from + 1 + known.dice.roll(2));
  const spanId = `s${known.spans.length}`;
  return rewrite(`e${known.edits++}`, consumes, spanId, textFor(known, spanId));
};

const eviction: Move = async (known) => {
  const live = await known.w.live();
  const gone = live.filter(() => known.dice.chance(30));
  return evict(`e${known.edits++}`, gone);
};

const undoing: Move = ({ dice, edits }) => {
  const editId = `e${dice.roll(Math.max(1, edits))}`;
  const cascade = dice.chance(40) ? ({ strategy: "cascade" } as const) : {};
  return dice.chance(65) ? undo(editId, cascade) : redo(editId);
};

const rewinding: Move = async (known) => {
  const to = known.dice.roll((await known.w.head()) + 1);
  return rewind(to, { as: `e${known.edits++}` });
};

const recalling: Move = (known) => {
  const spanId = known.dice.pick(known.spans);
  if (spanId === undefined) return undefined;
  const as = `s${known.spans.length}`;
  known.spans.push(as);
  const said = known.said.get(spanId);
  if (said !== undefined) known.said.set(as, said);
  return recall(spanId, as);
};

function grounds({ dice, claims, spans, said }: Known): Sent[] {
  return Array.from({ length: 1 + dice.roll(2) }, () => {
    const claim = dice.pick(claims);
    const span = dice.pick(spans);
    const die = dice.roll(10);
    if (die < 4 && claim !== undefined) return { claim };
    if (die < 8 && span !== undefined) return { span, quote: String(said.get(span)?.value ?? "") };
    return { uri: `u${dice.roll(2)}`, digest: dice.pick(DIGESTS) };
  });
}

const assertion: Move = async (known) => {
  const { dice, claims, said } = known;
  const carrier = dice.chance(65) ? await someLive(known) : undefined;
  const heard = carrier === undefined ? undefined : said.get(carrier);
  const again = dice.chance(25) ? dice.pick(claims) : undefined;
  const claimId = again ?? `c${claims.length}`;
  if (again === undefined) claims.push(claimId);
  const decision = dice.chance(35) && claims.length > 1;
  const cited = dice.pick(claims.slice(0, -1));
  const because = decision
    ? [{ claim: cited }, ...grounds(known).slice(1)]
    : dice.chance(carrier === undefined ? 80 : 30)
      ? grounds(known)
      : undefined;
  return {
    command: "assertClaim",
    claimId,
    statement: `statement ${claimId}`,
    kind: decision ? "decision" : "fact",
    carrier,
    because,
    by: dice.pick(PARTIES),
    ...(heard !== undefined && dice.chance(70) && heard),
    ...(dice.chance(25) && { evidence: true }),
  };
};

const retraction: Move = ({ dice, claims }) => ({
  command: "retractClaim",
  claimId: dice.pick(claims) ?? "c0",
  reason: "it was\nwrong",
  by: dice.pick(PARTIES),
});

const conflict: Move = ({ dice, claims }) => ({
  command: "noteConflict",
  a: dice.pick(claims) ?? "c0",
  b: dice.pick(claims) ?? "c0",
});

const observation: Move = ({ dice }) => ({
  command: "observeSource",
  uri: `u${dice.roll(2)}`,
  digest: dice.chance(20) ? null : dice.pick(DIGESTS),
});

const pruning: Move = async (known) => {
  const live = await known.w.live();
  const candidates = live.filter(() => known.dice.chance(40));
  const proposalId = `q${known.proposals++}`;
  const onEvidence = known.dice.pick(["carry", "carry", "refuse"] as const);
  return batch([
    propose(proposalId, candidates, { by: MODEL }),
    { command: "settlePruning", proposalId, by: HUMAN, onEvidence },
  ]);
};

const MOVES: readonly Move[] = [
  ...[admission, admission, admission, assertion, assertion, assertion, assertion],
  ...[rewriting, eviction, undoing, undoing, rewinding, recalling, recalling],
  ...[retraction, conflict, observation, observation, pruning],
];

/** A window after the moves that these numbers choose; `after` runs after each of them. */
export async function claimHistory(
  values: readonly number[],
  moves: number,
  after: (w: Story) => Promise<void> = async () => {},
): Promise<Story> {
  const w = await given(memoryStore);
  const dice = new Dice(values);
  const known: Known = { w, dice, said: new Map(), spans: [], claims: [], edits: 1, proposals: 1 };
  for (let i = 0; i < moves; i += 1) {
    const move = i < 2 ? admission : (dice.pick(MOVES) ?? admission);
    const command = await move(known);
    if (command === undefined) continue;
    await w.send(command);
    await after(w);
  }
  return w;
}
