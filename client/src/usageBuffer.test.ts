import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test, vi } from "vitest";
import { webStorage } from "./browser.ts";
import { createClient } from "./client.ts";
import { fakeServer, json, unreachable } from "./fakeServer.testing.ts";
import { fileStorage } from "./node.ts";
import type { Options, Refused, UsageEvent } from "./types.ts";

const folder = mkdtempSync(join(tmpdir(), "purser-client-"));
afterAll(() => rmSync(folder, { recursive: true }));

type Body = { events: UsageEvent[] };

/** Counts events by their ID, as Purser does. */
const counting = (counted: Map<string, UsageEvent>, { loseReplies = false } = {}) => {
  let requests = 0;
  return ({ body }: { body: unknown }) => {
    requests += 1;
    const items = (body as Body).events.map((event) => {
      const result = counted.has(event.id) ? "duplicate" : "recorded";
      counted.set(event.id, event);
      return { id: event.id, result, reason: null };
    });
    if (loseReplies && requests % 3 === 1) throw new TypeError("the reply was lost");
    return json({ items });
  };
};

const open = (more: Partial<Options> = {}) => {
  const server = fakeServer(unreachable);
  const client = createClient({
    url: "https://purser.example.com",
    key: "purser_sk_test",
    environment: server.environment,
    flushMs: 60_000,
    failuresMax: 1_000_000,
    ...more,
  });
  return { ...server, client };
};

test("10,000 buffered events survive a restart in an outage, and each is counted once", async () => {
  const file = join(folder, "usage.log");
  const before = open({ storage: fileStorage(file) });
  const ids = Array.from({ length: 10_000 }, () => before.client.record("ada", "exports"));
  expect(await before.client.close()).toBe(10_000);

  const after = open({ storage: fileStorage(file) });
  expect(after.client.unsent()).toBe(10_000);
  const counted = new Map<string, UsageEvent>();
  after.answer(counting(counted, { loseReplies: true }));
  await after.client.flush();
  expect(after.client.unsent()).toBe(0);
  expect([...counted.keys()]).toEqual(ids);
  expect(readFileSync(file, "utf8")).toBe("");
  expect(open({ storage: fileStorage(file) }).client.unsent()).toBe(0);
});

test("a process that is killed while it writes loses only the incomplete line", () => {
  const file = join(folder, "torn.log");
  const { client } = open({ storage: fileStorage(file) });
  const [first] = [client.record("ada", "exports"), client.record("ada", "exports")];
  writeFileSync(file, readFileSync(file, "utf8").slice(0, -20));
  expect(
    fileStorage(file)
      .load()
      .map(({ id }) => id),
  ).toEqual([first]);
});

test("events that were sent aren't loaded again if others are still waiting", async () => {
  const file = join(folder, "partly.log");
  const { client, answer } = open({ storage: fileStorage(file) });
  for (let n = 0; n < 1500; n += 1) client.record("ada", "exports", { id: `e-${n}` });
  let requests = 0;
  answer(({ body }) => {
    requests += 1;
    if (requests > 1) return json({}, 503);
    return json({
      items: (body as Body).events.map(({ id }) => ({ id, result: "recorded", reason: null })),
    });
  });
  await expect(client.flush()).rejects.toMatchObject({ status: 503 });
  expect(fileStorage(file).load()).toHaveLength(500);
});

test("usage is sent in the background, in batches of 1,000", async () => {
  const counted = new Map<string, UsageEvent>();
  const { client, answer, asked } = open({ flushMs: 5 });
  answer(counting(counted));
  client.record("ada", "exports", { amount: 2 });
  await vi.waitFor(() => expect(counted.size).toBe(1));
  for (let n = 0; n < 2500; n += 1) client.record("ada", "exports");
  await vi.waitFor(() => expect(counted.size).toBe(2501));
  expect(asked.length).toBeLessThan(10);
});

test("refused events are reported, and an invalid one doesn't keep others from being counted", async () => {
  const refused: Refused[] = [];
  const { client, answer } = open({ onRefused: (one) => refused.push(one) });
  const counted: string[] = [];
  answer(({ body }) => {
    const { events } = body as Body;
    if (events.some(({ id }) => id === "bad"))
      return json({ type: "urn:purser:problem:invalid" }, 400);
    const items = events.map(({ id }) => {
      if (id === "over") return { id, result: "refused", reason: "limit reached" };
      counted.push(id);
      return { id, result: "recorded", reason: null };
    });
    return json({ items });
  });
  for (const id of ["a", "bad", "b", "over"]) client.record("ada", "exports", { id });
  await client.flush();
  expect(counted).toEqual(["a", "b"]);
  expect(refused.map(({ event, reason }) => [event.id, reason])).toEqual([
    ["bad", "invalid"],
    ["over", "limit reached"],
  ]);
});

test("events of a clock that is ahead are corrected once Purser has told its time", async () => {
  const refused: Refused[] = [];
  const { client, answer, skew } = open({ onRefused: (one) => refused.push(one) });
  const serverNow = Date.parse("2026-03-01T09:00:00Z");
  skew(3600);
  client.record("ada", "exports", { id: "early" });
  const times: string[] = [];
  answer(({ body }) => {
    const items = (body as Body).events.map(({ id, at }) => {
      times.push(at);
      const isFuture = Date.parse(at) > serverNow + 300_000;
      return {
        id,
        result: isFuture ? "refused" : "recorded",
        reason: isFuture ? "in the future" : null,
      };
    });
    return json({ items }, 200, { date: new Date(serverNow).toUTCString() });
  });
  await client.flush();
  expect(times).toEqual(["2026-03-01T10:00:00.000Z", "2026-03-01T09:00:00.000Z"]);
  expect(refused).toEqual([]);
  expect(client.unsent()).toBe(0);
});

test("a full buffer is reported, and what was recorded is kept", async () => {
  const errors: Error[] = [];
  const { client } = open({ bufferMax: 2, onError: (error) => errors.push(error) });
  for (let n = 0; n < 3; n += 1) client.record("ada", "exports");
  expect(client.unsent()).toBe(2);
  expect(errors).toMatchObject([{ code: "buffer_full" }]);
});

test("a full disk and an incomplete reply lose nothing", async () => {
  const errors: Error[] = [];
  const storage = {
    load: () => [],
    add: () => {
      throw new Error("no space left");
    },
    remove: () => undefined,
  };
  const { client, answer } = open({ storage, onError: (error) => errors.push(error) });
  client.record("ada", "exports");
  expect(errors).toMatchObject([{ message: "no space left" }]);
  answer(() => json({ items: [] }));
  await expect(client.flush()).rejects.toMatchObject({ code: "unreachable" });
  expect(client.unsent()).toBe(1);
  const counted = new Map<string, UsageEvent>();
  answer(counting(counted));
  await client.flush();
  expect(counted.size).toBe(1);
});

test("a desktop app keeps unsent usage in its web storage", async () => {
  const items = new Map<string, string>([["other", "1"]]);
  const storage = {
    get length() {
      return items.size;
    },
    key: (place: number) => [...items.keys()][place] ?? null,
    getItem: (name: string) => items.get(name) ?? null,
    setItem: (name: string, value: string) => void items.set(name, value),
    removeItem: (name: string) => void items.delete(name),
    clear: () => items.clear(),
  };
  const before = open({ storage: webStorage(storage) });
  before.client.record("ada", "exports", { id: "one" });
  const after = open({ storage: webStorage(storage) });
  expect(after.client.unsent()).toBe(1);
  after.answer(counting(new Map()));
  await after.client.flush();
  expect([...items.keys()]).toEqual(["other"]);
});
