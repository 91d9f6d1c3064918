import { expect, it } from "vitest";
import { KnownStreams } from "./ids.ts";

/** Events `from` to `to` of a stream, with ids that say so. */
function events(stream: string, from: number, to: number) {
  return Array.from({ length: to - from + 1 }, (_, n) => {
    return { id: `${stream}${from + n}`, revision: from + n };
  });
}

it("knows a whole beginning of a stream, and learns only what goes on from there", () => {
  const streams = new KnownStreams();
  streams.learn("a", events("a", 0, 4));
  streams.learn("a", events("a", 7, 9));
  expect(streams.of("a").next).toBe(5);
  streams.learn("a", events("a", 3, 6));
  const { revisions, next } = streams.of("a");
  expect(next).toBe(7);
  expect([...revisions]).toEqual(events("a", 0, 6).map(({ id, revision }) => [id, revision]));
});

it("forgets the streams that were not used for longest, never the one in use", () => {
  const streams = new KnownStreams(10);
  for (const name of ["a", "b", "c"]) streams.learn(name, events(name, 0, 3));
  streams.of("b").fresh = true;
  streams.learn("d", events("d", 0, 3));
  expect(streams.of("a")).toMatchObject({ next: 0, fresh: false });
  expect(streams.of("b")).toMatchObject({ next: 4, fresh: true });
  streams.learn("e", events("e", 0, 99));
  expect(streams.of("e").next).toBe(100);
  expect(streams.of("b")).toMatchObject({ next: 0, fresh: false });
});
