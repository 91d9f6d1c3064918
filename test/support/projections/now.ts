import type { Claims, LiveWindow } from "@palimpsest/projections";
import { claims, liveWindow } from "@palimpsest/projections";
import type { Observable } from "rxjs";
import { filter, firstValueFrom } from "rxjs";
import type { Sent } from "../scenarios/commands.ts";
import type { Story } from "../scenarios/given.ts";

/** A projection of a story's window, once it shows what was written last. */
export async function now<Value extends { readonly revision: number }>(
  story: Story,
  projection: Observable<Value>,
): Promise<Value> {
  const head = await story.head();
  return firstValueFrom(projection.pipe(filter(({ revision }) => revision === head)));
}

export const liveNow = (story: Story): Promise<LiveWindow> =>
  now(story, liveWindow(story.log, "w"));
export const claimsNow = (story: Story): Promise<Claims> => now(story, claims(story.log, "w"));
export const idsOf = ({ spans }: LiveWindow): string[] => spans.map(({ spanId }) => spanId);
export const standingOf = ({ claims: all }: Claims, id: string) =>
  all.find(({ claimId }) => claimId === id)?.standing;

export const assertClaim = (claimId: string, carrier: string, more: Sent = {}): Sent => ({
  command: "assertClaim",
  claimId,
  statement: `what ${carrier} says`,
  carrier,
  evidence: true,
  ...more,
});
