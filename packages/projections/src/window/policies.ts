import type { PolicyStatus, RecordedWindowEvent } from "@palimpsest/core";

/** Every policy in the order it was authored, and the epochs that ran on it. A value. */
export type PolicyList = readonly PolicyStatus[];

/** The policies after `events`; the same list when none of them is about policies. */
export function followPolicies(
  policies: PolicyList,
  events: readonly RecordedWindowEvent[],
): PolicyList {
  let list = policies;
  for (const event of events) {
    if (event.type === "PolicyAuthored") list = [...list, authored(event)];
    if (event.type === "EpochOpened") list = opened(list, event.data);
  }
  return list;
}

function authored({
  data,
  metadata,
}: Extract<RecordedWindowEvent, { type: "PolicyAuthored" }>): PolicyStatus {
  const { previous = null, ...policy } = data;
  const { by, at } = metadata;
  return { ...policy, previous, by, at, epochs: [], active: false };
}

/** An epoch that names no policy goes on with the one before. */
function opened(
  list: PolicyList,
  { epoch, policyId }: Extract<RecordedWindowEvent, { type: "EpochOpened" }>["data"],
): PolicyList {
  const active = policyId ?? list.find((policy) => policy.active)?.policyId;
  return list.map((policy) =>
    policy.policyId === active
      ? { ...policy, active: true, epochs: [...policy.epochs, epoch] }
      : { ...policy, active: false },
  );
}
