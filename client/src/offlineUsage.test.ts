import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { createClient } from "./client.ts";
import { checkOf, fakeServer, json, unreachable } from "./fakeServer.testing.ts";
import { fileStorage } from "./node.ts";
import type { Check, Options, UsageEvent } from "./types.ts";

const folder = mkdtempSync(join(tmpdir(), "purser-offline-"));
afterAll(() => rmSync(folder, { recursive: true }));

type Sent = UsageEvent & { events?: UsageEvent[] };

/** Counts usage against a limit of ten per feature, as Purser does. */
const countingServer = (more: Partial<Check> = {}) => {
  const counted = new Map<string, UsageEvent>();
  const used = (feature: string) =>
    [...counted.values()]
      .filter((event) => event.feature === feature)
      .reduce((sum, { amount }) => sum + amount, 0);
  const answerFor = (feature: string, amount = 1) => {
    const remaining = Math.max(0, 10 - used(feature));
    const allowed = remaining >= amount || more.enforcement === "soft";
    const reason = allowed ? "granted" : "limit reached";
    return checkOf(feature, { allowed, reason, used: used(feature), remaining, ...more });
  };
  const count = (event: UsageEvent) => {
    if (counted.has(event.id)) return "duplicate";
    const isOver = used(event.feature) + event.amount > 10 && more.enforcement !== "soft";
    if (isOver) return "refused";
    counted.set(event.id, event);
    return "recorded";
  };
  const respond = ({
    path,
    query,
    body,
  }: {
    path: string;
    query: URLSearchParams;
    body: unknown;
  }) => {
    const sent = body as Sent;
    if (path === "/check") return json(answerFor(query.get("feature") ?? ""));
    if (path === "/usage/consume") {
      const before = answerFor(sent.feature, sent.amount);
      const result = count(sent);
      return json({ ...(result === "refused" ? before : answerFor(sent.feature, 0)), result });
    }
    const items = (sent.events ?? []).map((event) => {
      const result = count(event);
      return { id: event.id, result, reason: result === "refused" ? "limit reached" : null };
    });
    return json({ items });
  };
  return { respond, used, counted };
};

const open = (more: Partial<Options> = {}, answers: Partial<Check> = {}) => {
  const purser = countingServer(answers);
  const server = fakeServer(purser.respond);
  const refused: unknown[] = [];
  const client = createClient({
    url: "https://purser.example.com",
    key: "purser_sk_test",
    environment: server.environment,
    flushMs: 60_000,
    failuresMax: 1_000_000,
    onRefused: (one) => refused.push(one),
    ...more,
  });
  return { ...server, ...purser, client, refused };
};
type Opened = ReturnType<typeof open>;

/** Consumes ones until the answer is no, and returns how many were allowed. */
const consumeAll = async ({ client }: Pick<Opened, "client">, feature = "exports", amount = 1) => {
  let allowed = 0;
  while (allowed < 100 && (await client.consume("ada", feature, { amount })).allowed)
    allowed += amount;
  return allowed;
};

test("consumption offline never exceeds what was known to remain, for each feature by itself", async () => {
  const opened = open();
  const { client, answer, respond, used, refused } = opened;
  await client.consume("ada", "exports", { amount: 3 });
  await client.check("ada", "maps");
  answer(unreachable);
  client.record("ada", "exports", { amount: 2 });
  expect(await client.check("ada", "exports")).toMatchObject({ used: 5, remaining: 5 });
  expect(await client.check("ada", "exports", { amount: 6 })).toMatchObject({ allowed: false });
  expect(await consumeAll(opened, "exports", 2)).toBe(4);
  expect(await consumeAll(opened)).toBe(1);
  expect(await consumeAll(opened, "maps", 4)).toBe(8);
  expect(await client.check("ada", "exports")).toMatchObject({
    allowed: false,
    reason: "limit reached",
    used: 10,
    remaining: 0,
  });
  answer(respond);
  await client.flush();
  expect([used("exports"), used("maps"), refused]).toEqual([10, 8, []]);
});

test("usage that was sent still lowers the last known answer until a newer one arrives", async () => {
  const opened = open();
  const { client, answer, respond, used, refused, pass } = opened;
  await client.check("ada", "exports");
  client.record("ada", "exports", { amount: 7 });
  await client.flush();
  answer(unreachable);
  pass(60);
  expect(await client.check("ada", "exports")).toMatchObject({ used: 7, remaining: 3 });
  expect(await consumeAll(opened)).toBe(3);
  answer(respond);
  await client.flush();
  client.invalidate("all");
  expect(await client.check("ada", "exports")).toMatchObject({ used: 10, remaining: 0 });
  expect([used("exports"), refused]).toEqual([10, []]);
});

test("usage that waits over a restart lowers what a new answer says", async () => {
  const file = join(folder, "usage.log");
  const before = open({ storage: fileStorage(file) });
  await before.client.check("ada", "exports");
  before.answer(unreachable);
  expect(await consumeAll(before, "exports", 4)).toBe(8);

  const after = open({ storage: fileStorage(file) });
  expect(await after.client.check("ada", "exports")).toMatchObject({ used: 8, remaining: 2 });
  after.answer(unreachable);
  expect(await consumeAll(after)).toBe(2);
  after.answer(after.respond);
  await after.client.flush();
  expect([after.used("exports"), after.refused]).toEqual([10, []]);
});

test("after an outage waiting usage is counted before new usage, so that none is refused", async () => {
  const opened = open();
  const { client, answer, respond, used, refused } = opened;
  await client.check("ada", "exports");
  answer(unreachable);
  expect(await consumeAll(opened, "exports", 9)).toBe(9);
  answer(respond);
  expect(await client.consume("ada", "exports", { amount: 2 })).toMatchObject({
    result: "refused",
  });
  expect(await client.consume("ada", "exports")).toMatchObject({ result: "recorded" });
  expect([used("exports"), refused]).toEqual([10, []]);
});

test("the same ID offline is buffered once, also when nothing remains", async () => {
  const { client, answer } = open();
  await client.check("ada", "exports");
  answer(unreachable);
  const use = { id: "export-1", amount: 10 };
  expect(await client.consume("ada", "exports", use)).toMatchObject({ result: "buffered" });
  expect(await client.consume("ada", "exports", use)).toMatchObject({
    allowed: true,
    result: "buffered",
    remaining: 0,
  });
  expect(client.unsent()).toBe(1);
});

test("usage that doesn't fit the buffer isn't allowed offline", async () => {
  const { client, answer } = open({ bufferMax: 1 });
  await client.check("ada", "exports");
  answer(unreachable);
  expect(await client.consume("ada", "exports")).toMatchObject({ result: "buffered" });
  expect(await client.consume("ada", "exports")).toMatchObject({
    allowed: false,
    result: "refused",
  });
});

test("a soft limit is exceeded offline and says so, and unlimited features have no remaining amount", async () => {
  const { client, answer } = open({}, { enforcement: "soft" });
  await client.check("ada", "exports");
  answer(unreachable);
  await client.consume("ada", "exports", { amount: 10 });
  expect(await client.consume("ada", "exports")).toMatchObject({
    allowed: true,
    reason: "over soft limit",
    used: 11,
    remaining: 0,
  });
  const unlimited = open({}, { limit: null, remaining: null, reason: "unlimited" });
  await unlimited.client.check("ada", "exports");
  unlimited.answer(unreachable);
  expect(await unlimited.client.consume("ada", "exports", { amount: 1000 })).toMatchObject({
    allowed: true,
    remaining: null,
  });
});

test("a snapshot that is older than the last answer doesn't give back what was used since", async () => {
  const opened = open({}, { staleIfErrorSeconds: 60 });
  const { client, answer, pass } = opened;
  const asOf = "2026-03-01T08:00:00.000Z";
  client.addOfflineSource((_user, feature) => checkOf(feature, { asOf, remaining: 10 }));
  await client.consume("ada", "exports", { amount: 8 });
  answer(unreachable);
  pass(3600);
  expect(await client.check("ada", "exports")).toMatchObject({ source: "snapshot", remaining: 2 });
  expect(await consumeAll(opened)).toBe(2);
});
