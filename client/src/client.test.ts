import { expect, test, vi } from "vitest";
import { createClient } from "./client.ts";
import { checkOf, fakeServer, json, unreachable } from "./fakeServer.testing.ts";
import type { Check, Options } from "./types.ts";

const never = () => new Promise<Response>(() => {});

const open = (more: Partial<Options> = {}, answer: Partial<Check> = {}) => {
  const server = fakeServer(({ path, query }) => {
    const codes = ["exports", "maps"].map((code) => checkOf(code, answer));
    return json(path === "/check" ? checkOf(query.get("feature") ?? "", answer) : { items: codes });
  });
  const client = createClient({
    url: "https://purser.example.com/",
    key: "purser_sk_test",
    environment: server.environment,
    ...more,
  });
  return { ...server, client };
};

test("I11 an answer older than its maximum age is never used while Purser answers", async () => {
  const { client, answer, asked, pass } = open();
  expect(await client.check("ada", "exports")).toMatchObject({ allowed: true, source: "server" });
  expect(await client.check("ada", "exports")).toMatchObject({ source: "cache" });
  expect(asked).toEqual(["/check?user=ada&feature=exports"]);
  answer(() => json(checkOf("exports", { allowed: false, reason: "revoked" })));
  pass(5);
  expect(await client.check("ada", "exports")).toMatchObject({ allowed: false, source: "server" });
});

test("I11 the age of an answer is counted from its request, also if the reply is slow", async () => {
  const { client, answer, pass } = open();
  answer(() => {
    pass(2);
    return json(checkOf("exports"));
  });
  await client.check("ada", "exports");
  pass(3);
  expect(client.isFresh("ada", "exports")).toBe(false);
});

test("an answer that is in use is renewed in the background before it expires", async () => {
  const { client, asked, pass } = open();
  await client.check("ada", "exports");
  pass(4);
  expect(await client.check("ada", "exports")).toMatchObject({ source: "cache" });
  await vi.waitFor(() => expect(asked).toHaveLength(2));
  pass(3);
  await vi.waitFor(() => expect(client.isFresh("ada", "exports")).toBe(true));
  expect(await client.check("ada", "exports")).toMatchObject({ source: "cache" });
  expect(asked).toHaveLength(2);
});

test("with staleWhileRevalidateSeconds an expired answer is used once more", async () => {
  const { client, asked, pass } = open({ staleWhileRevalidateSeconds: 10 });
  await client.check("ada", "exports");
  pass(14);
  expect(await client.check("ada", "exports")).toMatchObject({ source: "cache" });
  await vi.waitFor(() => expect(client.isFresh("ada", "exports")).toBe(true));
  expect(asked).toHaveLength(2);
  pass(16);
  expect(await client.check("ada", "exports")).toMatchObject({ source: "server" });
});

test("checks at the same moment are one request, and one request for several features", async () => {
  const { client, asked } = open();
  await Promise.all([client.check("ada", "exports"), client.isAllowed("ada", "exports")]);
  expect(asked).toHaveLength(1);
  const both = await Promise.all([client.check("bob", "exports"), client.check("bob", "maps")]);
  expect(both.map(({ feature }) => feature.code)).toEqual(["exports", "maps"]);
  expect(asked.slice(1)).toEqual(["/check/all?user=bob"]);
  const unknown = await Promise.allSettled([
    client.check("eve", "exports"),
    client.check("eve", "nothing"),
  ]);
  expect(unknown).toMatchObject([{ status: "fulfilled" }, { reason: { code: "not_found" } }]);
});

test("larger amounts are answered from what remains, and by Purser if it didn't say how", async () => {
  const { client, asked } = open({}, { remaining: 3 });
  expect(await client.check("ada", "exports", { amount: 3 })).toMatchObject({ allowed: true });
  expect(await client.check("ada", "exports", { amount: 4 })).toMatchObject({
    allowed: false,
    reason: "amount exceeds remaining",
  });
  expect(asked).toHaveLength(1);
  const soft = open({}, { remaining: 3, enforcement: "soft" });
  expect(await soft.client.check("ada", "exports", { amount: 4 })).toMatchObject({
    allowed: true,
    reason: "over soft limit",
  });
  const { enforcement: _, ...older } = checkOf("exports", { remaining: 3 });
  const early = open();
  early.answer(() => json(older));
  await early.client.check("ada", "exports", { amount: 4 });
  expect(early.asked).toEqual([
    "/check?user=ada&feature=exports",
    "/check?user=ada&feature=exports&amount=4",
  ]);
});

test("during an outage the last known answer applies as long as Purser allowed, then the fallback", async () => {
  const { client, answer, pass } = open();
  await client.check("ada", "exports");
  answer(unreachable);
  pass(100);
  expect(await client.check("ada", "exports")).toMatchObject({
    allowed: true,
    source: "last known",
  });
  expect(await client.check("ada", "exports", { amount: 11 })).toMatchObject({
    allowed: false,
    source: "last known",
  });
  pass(600);
  expect(await client.check("ada", "exports")).toMatchObject({
    allowed: false,
    reason: "unreachable",
    source: "fallback",
  });
});

test.each([
  ["allow", true],
  ["deny", false],
  ["last known", false],
] as const)(
  "fallback %s of a feature applies to customers without an answer",
  async (fallback, allowed) => {
    const { client, answer } = open({}, { fallback, staleIfErrorSeconds: 0 });
    await client.check("ada", "exports");
    answer(() => json({}, 503));
    expect(await client.check("bob", "exports")).toMatchObject({ allowed, source: "fallback" });
  },
);

test("features that Purser never answered for have the fallback of the options, and deny without one", async () => {
  const { client, answer } = open({ fallbacks: { maps: "allow" } });
  answer(unreachable);
  expect(await client.isAllowed("ada", "maps")).toBe(true);
  expect(await client.isAllowed("ada", "exports")).toBe(false);
});

test("a slow answer doesn't delay longer than the timeout", async () => {
  const { client, answer, pass } = open({ timeoutMs: 50 });
  await client.check("ada", "exports");
  pass(60);
  answer(never);
  const started = performance.now();
  expect(await client.check("ada", "exports")).toMatchObject({ source: "last known" });
  expect(performance.now() - started).toBeGreaterThanOrEqual(45);
});

test("requests are repeated after random waits, but not refusals", async () => {
  const { client, answer, asked, waits } = open();
  let failures = 2;
  answer(() => {
    failures -= 1;
    return failures >= 0 ? json({}, 503) : json(checkOf("exports"));
  });
  expect(await client.check("ada", "exports")).toMatchObject({ source: "server" });
  expect(asked).toHaveLength(3);
  expect(waits).toEqual([75, 150]);
  answer(() => json({ type: "urn:purser:problem:invalid", detail: "No." }, 400));
  await expect(client.check("bob", "exports")).rejects.toMatchObject({ code: "invalid" });
  expect(asked).toHaveLength(4);
  answer(() => json({ type: "urn:purser:problem:too_many_requests" }, 429));
  expect(await client.check("bob", "exports")).toMatchObject({ source: "fallback" });
  expect(asked).toHaveLength(5);
});

test("after five failures requests are paused, then one request tries again", async () => {
  const { client, answer, asked, pass } = open({ retries: 0 });
  answer(unreachable);
  for (let n = 0; n < 10; n += 1) await client.check(`user-${n}`, "exports");
  expect(asked).toHaveLength(5);
  pass(2);
  answer(never);
  const trying = client.check("first", "exports");
  await Promise.resolve();
  expect(await client.check("second", "exports")).toMatchObject({ source: "fallback" });
  expect(asked).toHaveLength(6);
  void trying;
  pass(31);
  answer(() => json(checkOf("exports")));
  expect(await client.check("third", "exports")).toMatchObject({ source: "server" });
  expect(await client.check("fourth", "exports")).toMatchObject({ source: "server" });
});

test("a revoked key ends the use of cached answers", async () => {
  const { client, answer, pass } = open();
  await client.check("ada", "exports");
  answer(() =>
    json({ type: "urn:purser:problem:unauthenticated", detail: "Send a valid API key." }, 401),
  );
  pass(60);
  await expect(client.check("ada", "exports")).rejects.toMatchObject({ status: 401 });
  expect(client.peek("ada", "exports")).toBeUndefined();
  answer(unreachable);
  expect(await client.isAllowed("ada", "exports")).toBe(false);
});

test("a jump of the clock neither extends nor ends answers", async () => {
  const { client, skew, asked, answer, pass } = open();
  await client.check("ada", "exports");
  for (const seconds of [86_400, -86_400]) {
    skew(seconds);
    expect(await client.check("ada", "exports")).toMatchObject({ source: "cache" });
  }
  expect(asked).toHaveLength(1);
  answer(unreachable);
  pass(100);
  expect(await client.check("ada", "exports")).toMatchObject({ source: "last known" });
});

test("an answer that was requested earlier doesn't replace a newer one", async () => {
  const { client, answer } = open();
  const at = (second: number) => `2026-03-01T09:00:0${second}.000Z`;
  answer(() => json(checkOf("exports", { asOf: at(2), remaining: 1 })));
  await client.check("ada", "exports");
  answer(() => json({ items: [checkOf("exports", { asOf: at(1), remaining: 9 })] }));
  await client.checkAll("ada");
  expect(client.peek("ada", "exports")?.remaining).toBe(1);
});

test("an answer with an older version than required is renewed", async () => {
  const { client, asked, answer } = open();
  await client.check("ada", "exports", { minVersion: 0 });
  await client.check("ada", "exports", { minVersion: 1 });
  expect(asked).toHaveLength(1);
  answer(() => json(checkOf("exports", { version: 3 })));
  const renewed = await client.check("ada", "exports", { minVersion: 2 });
  expect(renewed).toMatchObject({ version: 3, source: "server" });
  expect(asked.at(-1)).toBe("/check?user=ada&feature=exports&minVersion=2");
  expect(await client.check("ada", "exports", { minVersion: 3 })).toMatchObject({
    source: "cache",
  });
});

test("invalidated answers are renewed at the next check", async () => {
  const { client, asked } = open();
  const seen: (string | null)[] = [];
  await client.check("ada", "exports");
  const stop = client.subscribe((user) => seen.push(user));
  client.invalidate(["ada", "unknown"]);
  expect(await client.check("ada", "exports")).toMatchObject({ source: "server" });
  client.invalidate("all");
  expect(await client.check("ada", "exports")).toMatchObject({ source: "server" });
  stop();
  client.invalidate("all");
  expect(asked).toHaveLength(3);
  expect(seen).toEqual(["ada", "unknown", "ada", null, "ada"]);
});

test("a publishable key sends the customer's token, and requests another one when it is refused", async () => {
  let tokens = 0;
  const token = async (user: string) => {
    tokens += 1;
    return `token-${tokens}-of-${user}`;
  };
  const { client, answer, asked } = open({ token });
  const sent: (string | null)[] = [];
  answer(({ headers }) => {
    const given = headers.get("purser-customer-token");
    sent.push(given);
    return given === "token-1-of-ada" ? json({}, 401) : json(checkOf("exports"));
  });
  expect(await client.check("ada", "exports")).toMatchObject({ allowed: true });
  client.invalidate("all");
  await client.check("ada", "exports");
  expect(sent).toEqual(["token-1-of-ada", "token-2-of-ada", "token-2-of-ada"]);
  expect(asked[0]).toBe("/check?feature=exports");
});

test("a page without a connection keeps its last known answers, although it gets no token", async () => {
  let isOnline = true;
  const token = async () => {
    if (!isOnline) throw new TypeError("fetch failed");
    return "token";
  };
  const { client, answer, pass } = open({ token });
  await client.check("ada", "exports");
  isOnline = false;
  answer(() => json({}, 401));
  pass(60);
  expect(await client.check("ada", "exports")).toMatchObject({ source: "last known" });
});

test("a key that may not count keeps its cached answers", async () => {
  const { client, answer } = open();
  await client.check("ada", "exports");
  answer(() => json({ type: "urn:purser:problem:forbidden" }, 403));
  await expect(client.consume("ada", "exports")).rejects.toMatchObject({ code: "forbidden" });
  expect(await client.check("ada", "exports")).toMatchObject({ source: "cache" });
});

test("usage that can't be counted at once is buffered with its ID, if the answer is yes", async () => {
  const { client, answer } = open();
  answer(() => json({ ...checkOf("exports", { used: 3, remaining: 7 }), result: "recorded" }));
  const counted = await client.consume("ada", "exports", { amount: 3 });
  expect(counted).toMatchObject({ result: "recorded", source: "server" });
  expect(client.peek("ada", "exports")?.remaining).toBe(7);
  answer(unreachable);
  const more = await client.consume("ada", "exports", { id: "export-2" });
  expect(more).toMatchObject({ allowed: true, result: "buffered", source: "last known" });
  expect(await client.consume("ada", "exports", { amount: 8 })).toMatchObject({
    allowed: false,
    result: "refused",
  });
  expect(client.unsent()).toBe(1);
  const sent: unknown[] = [];
  answer(({ body }) => {
    sent.push(body);
    return json({ items: [{ id: "export-2", result: "recorded", reason: null }] });
  });
  await client.flush();
  expect(sent).toMatchObject([{ events: [{ id: "export-2", amount: 1 }] }]);
  expect(client.unsent()).toBe(0);
});
