import type {
  Accepted,
  AcceptedOf,
  Answer,
  AnswerIds,
  AnswerOf,
  BatchItem,
  ClaimStatus,
  CommandInputs,
  CommandName,
  EditStatus,
  NothingToDo,
  PolicyStatus,
  ProbedEdit,
  ReadAnswer,
  RecordedWindowEvent,
  Refused,
  RefusedSettlement,
  Window,
  WindowView,
  WriteName,
} from "@palimpsest/core";
import { describe, expectTypeOf, it } from "vitest";

declare const window: Window;
const origin = "user";
const content = "text";

/** What is accepted, of the answer to a command of this name. */
type IdsOf<N extends WriteName | "batch"> = keyof AcceptedOf<N>["ids"];

describe("execute gives the answer of the command that it is given", () => {
  it("of each that always does something: accepted or refused", () => {
    expectTypeOf(window.execute({ command: "openWindow" })).resolves.toEqualTypeOf<
      AcceptedOf<"openWindow"> | Refused
    >();
    expectTypeOf(window.execute({ command: "admitSpan", origin, content })).resolves.toEqualTypeOf<
      AcceptedOf<"admitSpan"> | Refused
    >();
    expectTypeOf(window.execute({ command: "evict", consumes: ["s"] })).resolves.toEqualTypeOf<
      AcceptedOf<"evict"> | Refused
    >();
    expectTypeOf<AnswerOf<"markRead">>().toEqualTypeOf<AcceptedOf<"markRead"> | Refused>();
    expectTypeOf<AnswerOf<"redo">>().toEqualTypeOf<AcceptedOf<"redo"> | Refused>();
    expectTypeOf<AnswerOf<"render">>().toEqualTypeOf<AcceptedOf<"render"> | Refused>();
    expectTypeOf<AnswerOf<"assertClaim">>().toEqualTypeOf<AcceptedOf<"assertClaim"> | Refused>();
    expectTypeOf<AnswerOf<"retractClaim">>().toEqualTypeOf<AcceptedOf<"retractClaim"> | Refused>();
    expectTypeOf<AnswerOf<"authorPolicy">>().toEqualTypeOf<AcceptedOf<"authorPolicy"> | Refused>();
    expectTypeOf<AnswerOf<"openEpoch">>().toEqualTypeOf<AcceptedOf<"openEpoch"> | Refused>();
    expectTypeOf<AnswerOf<"settlePruning">>().toEqualTypeOf<
      AcceptedOf<"settlePruning"> | RefusedSettlement
    >();
  });

  it("of each that may find nothing to do: that as well", () => {
    expectTypeOf(
      window.execute({ command: "rewrite", consumes: ["s"], content }),
    ).resolves.toEqualTypeOf<AcceptedOf<"rewrite"> | Refused | NothingToDo>();
    expectTypeOf<AnswerOf<"undo">>().toEqualTypeOf<AcceptedOf<"undo"> | Refused | NothingToDo>();
    expectTypeOf<AnswerOf<"rewind">>().toEqualTypeOf<
      AcceptedOf<"rewind"> | Refused | NothingToDo
    >();
    expectTypeOf<AnswerOf<"recall">>().toEqualTypeOf<
      AcceptedOf<"recall"> | Refused | NothingToDo
    >();
    expectTypeOf<AnswerOf<"noteConflict">>().toEqualTypeOf<
      AcceptedOf<"noteConflict"> | Refused | NothingToDo
    >();
    expectTypeOf<AnswerOf<"observeSource">>().toEqualTypeOf<
      AcceptedOf<"observeSource"> | Refused | NothingToDo
    >();
    expectTypeOf<AnswerOf<"proposePruning">>().toEqualTypeOf<
      AcceptedOf<"proposePruning"> | Refused | NothingToDo
    >();
    expectTypeOf(window.execute({ command: "batch", commands: [] })).resolves.toEqualTypeOf<
      AcceptedOf<"batch"> | RefusedSettlement | NothingToDo
    >();
  });

  it("of a read: its own view, or why there is none", () => {
    expectTypeOf(window.execute({ command: "show", at: 3 })).resolves.toEqualTypeOf<
      WindowView | Refused
    >();
    expectTypeOf(window.execute({ command: "status" })).resolves.toEqualTypeOf<
      EditStatus[] | Refused
    >();
    expectTypeOf(window.execute({ command: "claims" })).resolves.toEqualTypeOf<
      ClaimStatus[] | Refused
    >();
    expectTypeOf(window.execute({ command: "policies" })).resolves.toEqualTypeOf<
      PolicyStatus[] | Refused
    >();
    expectTypeOf(window.execute({ command: "history" })).resolves.toEqualTypeOf<
      RecordedWindowEvent[] | Refused
    >();
    expectTypeOf(window.execute({ command: "probe", editId: "e" })).resolves.toEqualTypeOf<
      ProbedEdit | Refused
    >();
  });

  it("of one of several commands: the answer of one of them", () => {
    const command = {} as CommandInputs["evict" | "show"];
    expectTypeOf(window.execute(command)).resolves.toEqualTypeOf<
      AcceptedOf<"evict"> | WindowView | Refused
    >();
  });

  it("of what comes as JSON: any answer", () => {
    expectTypeOf(window.executeJson(null)).resolves.toEqualTypeOf<Answer | ReadAnswer>();
  });

  it("and every answer of a command that writes is an answer", () => {
    expectTypeOf<AcceptedOf<WriteName | "batch">>().toExtend<Accepted>();
    expectTypeOf<AnswerOf<WriteName | "batch">>().toExtend<Answer>();
    expectTypeOf<AnswerOf<CommandName>>().toExtend<Answer | ReadAnswer>();
  });
});

describe("an accepted answer names the ids that its command makes, and no others", () => {
  it("by the name of the command", () => {
    expectTypeOf<IdsOf<"openWindow">>().toEqualTypeOf<"commandId" | "window">();
    expectTypeOf<IdsOf<"admitSpan">>().toEqualTypeOf<
      "commandId" | "spanId" | "claimId" | "claimIds"
    >();
    expectTypeOf<IdsOf<"markRead">>().toEqualTypeOf<"commandId">();
    expectTypeOf<IdsOf<"rewrite">>().toEqualTypeOf<"commandId" | "spanId" | "editId">();
    expectTypeOf<IdsOf<"evict">>().toEqualTypeOf<"commandId" | "editId">();
    expectTypeOf<IdsOf<"redo">>().toEqualTypeOf<"commandId" | "editId" | "target">();
    expectTypeOf<IdsOf<"rewind">>().toEqualTypeOf<"commandId" | "editId">();
    expectTypeOf<IdsOf<"recall">>().toEqualTypeOf<"commandId" | "spanId">();
    expectTypeOf<IdsOf<"render">>().toEqualTypeOf<"commandId">();
    expectTypeOf<IdsOf<"assertClaim">>().toEqualTypeOf<"commandId" | "claimId">();
    expectTypeOf<IdsOf<"retractClaim">>().toEqualTypeOf<"commandId" | "claimId">();
    expectTypeOf<IdsOf<"noteConflict">>().toEqualTypeOf<"commandId">();
    expectTypeOf<IdsOf<"observeSource">>().toEqualTypeOf<"commandId" | "claimId" | "claimIds">();
    expectTypeOf<IdsOf<"authorPolicy">>().toEqualTypeOf<"commandId" | "policyId">();
    expectTypeOf<IdsOf<"openEpoch">>().toEqualTypeOf<"commandId">();
    expectTypeOf<IdsOf<"proposePruning">>().toEqualTypeOf<"commandId" | "proposalId">();
    expectTypeOf<IdsOf<"settlePruning">>().toEqualTypeOf<
      "commandId" | "proposalId" | "editId" | "editIds" | "spanId" | "spanIds"
    >();
    expectTypeOf<IdsOf<"batch">>().toEqualTypeOf<keyof AnswerIds>();
  });

  it("as strings, one or several", () => {
    expectTypeOf<AcceptedOf<"admitSpan">["ids"]["spanId"]>().toEqualTypeOf<string>();
    const { editId, editIds } = {} as AcceptedOf<"undo">["ids"];
    expectTypeOf(editId).toEqualTypeOf<string | undefined>();
    expectTypeOf(editIds).toEqualTypeOf<readonly string[] | undefined>();
  });

  it("so to read what the answer lacks does not compile", async () => {
    const answer = await window.execute({ command: "admitSpan", origin, content });
    // @ts-expect-error: it may be refused
    answer.ids;
    if (answer.outcome !== "accepted") return;
    // @ts-expect-error: an admission edits nothing
    answer.ids.editId;
    // @ts-expect-error: and takes nothing out of view
    answer.left;
    // @ts-expect-error: nor is there an index signature
    answer.whatever;
    const [edit] = await window.status();
    // @ts-expect-error: nor in what is read
    edit?.whatever;
    // @ts-expect-error: nor in a span
    (await window.show()).spans[0]?.whatever;
    // @ts-expect-error: nor in a claim
    (await window.claims())[0]?.whatever;
    // @ts-expect-error: nor in a plan
    (await window.plan({ command: "undo", editId: "e" })).whatever;
  });

  it("and no refusal has a field of whatever name", async () => {
    const answer = await window.execute({ command: "undo", editId: "e" });
    if (answer.outcome !== "refused") return;
    const [refusal] = answer.refusals;
    expectTypeOf(refusal?.blockers).toEqualTypeOf<readonly string[] | undefined>();
    // @ts-expect-error: a detail has a name
    refusal?.whatever;
    // @ts-expect-error: only a settlement is refused in the log
    answer.revision;
  });
});

describe("a method has the ids at hand", () => {
  it("each by itself", async () => {
    const { spanId } = await window.admit({ origin, content });
    expectTypeOf(spanId).toEqualTypeOf<string>();
    expectTypeOf((await window.evict([spanId])).editId).toEqualTypeOf<string>();
    expectTypeOf(await window.undo("e"))
      .toHaveProperty("target")
      .toEqualTypeOf<string>();
    expectTypeOf((await window.redo("e")).editId).toEqualTypeOf<string>();
    expectTypeOf((await window.render()).rendered).toEqualTypeOf<string>();
    expectTypeOf((await window.assert({ statement: "s" })).claimId).toEqualTypeOf<string>();
    expectTypeOf((await window.retract("c", "why")).claimId).toEqualTypeOf<string>();
    expectTypeOf((await window.authorPolicy("p")).policyId).toEqualTypeOf<string>();
    expectTypeOf((await window.settle("q")).settlement).toEqualTypeOf<
      "committed" | "empty" | "refused"
    >();
    expectTypeOf((await window.probe("e")).recovery).toEqualTypeOf<
      "missing" | "proven" | "unknown" | "lost"
    >();
    // @ts-expect-error: there is one place to look for them
    (await window.admit({ origin, content })).ids;
  });

  it("once it is known that there was something to do", async () => {
    const rewritten = await window.rewrite(["a"], "b");
    // @ts-expect-error: it may be what it was
    rewritten.spanId;
    if (rewritten.outcome === "nothing-to-do") return;
    expectTypeOf(rewritten.spanId).toEqualTypeOf<string>();
    expectTypeOf(rewritten.editId).toEqualTypeOf<string>();
    expectTypeOf(rewritten.left).toEqualTypeOf<readonly string[]>();
  });

  it("of an undo by what its strategy makes", async () => {
    expectTypeOf((await window.undo("e", { strategy: "revert" })).editId).toEqualTypeOf<string>();
    const cascade = await window.undo("e", { strategy: "cascade" });
    if (cascade.outcome === "nothing-to-do") return;
    expectTypeOf(cascade.editIds).toEqualTypeOf<readonly string[] | undefined>();
  });
});

describe("a batch names the ids that its commands make", () => {
  it("one of a kind", async () => {
    const done = await window.batch([
      { command: "admitSpan", origin, content },
      { command: "evict", consumes: ["a"] },
    ]);
    if (done.outcome === "nothing-to-do") return;
    expectTypeOf(done.spanId).toEqualTypeOf<string>();
    expectTypeOf(done.editId).toEqualTypeOf<string>();
    // @ts-expect-error: nobody wrote a policy
    done.policyId;
    // @ts-expect-error: and nothing was settled
    done.settlement;
  });

  it("several of a kind", async () => {
    const done = await window.batch([
      { command: "admitSpan", origin, content },
      { command: "admitSpan", origin, content },
    ]);
    if (done.outcome === "nothing-to-do") return;
    expectTypeOf(done.spanIds).toEqualTypeOf<readonly string[]>();
    // @ts-expect-error: there are two
    done.spanId;
  });

  it("either, where their number is not known", async () => {
    const done = await window.batch([{ command: "rewrite", consumes: ["a"], content }]);
    if (done.outcome === "nothing-to-do") return;
    expectTypeOf(done.spanId).toEqualTypeOf<string | undefined>();
    const list: readonly BatchItem[] = [];
    const listed = await window.batch(list);
    if (listed.outcome === "nothing-to-do") return;
    expectTypeOf(listed.spanIds).toEqualTypeOf<readonly string[] | undefined>();
    expectTypeOf(listed.settlements?.[0]?.proposalId).toEqualTypeOf<string | undefined>();
  });
});
