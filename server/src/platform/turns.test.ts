import { expect, test } from "vitest";
import { openTurns } from "./turns.ts";

const open = (limits = {}) => openTurns({ all: 3, each: 2, waitingMax: 2, waitMs: 10, ...limits });

test("a caller who has fewer in progress goes first, in order otherwise", async () => {
  const turns = open({ waitingMax: 10, waitMs: 60_000 });
  const started: string[] = [];
  const leaves: (() => void)[] = [];
  const enter = async (caller: string, name: string) => {
    leaves.push(await turns.enter(caller));
    started.push(name);
  };
  const all = [
    ...["a1", "a2", "a3", "a4"].map((name) => enter("a", name)),
    ...["b1", "b2", "b3"].map((name) => enter("b", name)),
    enter("c", "c1"),
  ];
  for (const place of [0, 1, 2, 3, 4, 5, 6, 7]) {
    await new Promise(setImmediate);
    leaves[place]?.();
  }
  await Promise.all(all);
  expect(started).toEqual(["a1", "a2", "b1", "c1", "a3", "b2", "a4", "b3"]);
});

test("too many waiting requests of one caller are refused, and those of others are not", async () => {
  const turns = open({ waitMs: 60_000 });
  const leave = await turns.enter("a");
  await turns.enter("a");
  const waiting = [turns.enter("a"), turns.enter("a")];
  await expect(turns.enter("a")).rejects.toMatchObject({ code: "too_many_requests" });
  const other = await turns.enter("b");
  leave();
  leave();
  (await waiting[0])?.();
  (await waiting[1])?.();
  other();
});

test("a caller who waits too long learns whether the reason are their own requests", async () => {
  const turns = open();
  await turns.enter("a");
  await turns.enter("a");
  await expect(turns.enter("a")).rejects.toMatchObject({ code: "too_many_requests" });
  await turns.enter("b");
  await expect(turns.enter("c")).rejects.toMatchObject({ code: "unavailable" });
});

test("a turn that was given up is free for others", async () => {
  const turns = open({ all: 1, waitMs: 60_000 });
  const leave = await turns.enter("a");
  const gone = new AbortController();
  const waiting = turns.enter("b", gone.signal);
  gone.abort();
  await expect(waiting).rejects.toThrow("aborted");
  await expect(turns.enter("b", gone.signal)).rejects.toThrow("aborted");
  const next = turns.enter("c");
  leave();
  (await next)();
});

test("a caller with many waiting requests has one in progress", async () => {
  const turns = open({ all: 3, each: 2, waitingMax: 20, waitMs: 60_000 });
  const leaves: (() => void)[] = [];
  const all = Array.from({ length: 15 }, async () => leaves.push(await turns.enter("a")));
  await new Promise(setImmediate);
  expect(leaves).toHaveLength(2);
  leaves[0]?.();
  await new Promise(setImmediate);
  expect(leaves).toHaveLength(2);
  for (let place = 1; place < 15; place += 1) {
    leaves[place]?.();
    await new Promise(setImmediate);
  }
  await Promise.all(all);
});
