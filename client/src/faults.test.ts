import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, expect, test, vi } from "vitest";
import { webStorage } from "./browser.ts";
import { createClient } from "./client.ts";
import { checkOf, fakeServer, json, unreachable } from "./fakeServer.testing.ts";
import { withLeases } from "./leases.ts";
import { fileStorage } from "./node.ts";
import type { Options, UsageEvent } from "./types.ts";

const folder = mkdtempSync(join(tmpdir(), "purser-faults-"));
afterAll(() => rmSync(folder, { recursive: true }));
afterEach(() => void vi.useRealTimers());

const open = (more: Partial<Options> = {}) => {
  const server = fakeServer(({ query }) => json(checkOf(query.get("feature") ?? "")));
  const errors: Error[] = [];
  const client = createClient({
    url: "https://purser.example.com",
    key: "purser_sk_test",
    environment: server.environment,
    flushMs: 60_000,
    onError: (error) => errors.push(error),
    ...more,
  });
  return { ...server, client, errors };
};

/** The answer of a release that lacks the endpoint. */
const missing = () =>
  json(
    {
      type: "urn:purser:problem:not_found",
      reason: "endpoint_not_found",
      detail: "No endpoint exists at this URL.",
    },
    404,
  );

const recorded = ({ body }: { body: unknown }) =>
  json({
    items: (body as { events: UsageEvent[] }).events.map(({ id }) => ({
      id,
      result: "recorded",
      reason: null,
    })),
  });

test("a missing endpoint of an older server is handled like an outage and reported", async () => {
  const { client, answer, asked, errors } = open();
  await client.check("ada", "exports");
  answer(({ path, query }) =>
    path.startsWith("/usage") ? missing() : json(checkOf(query.get("feature") ?? "")),
  );
  for (let n = 0; n < 6; n += 1)
    expect(await client.consume("ada", "exports")).toMatchObject({ result: "buffered" });
  // For the request, and for the usage that waits.
  expect(errors).toMatchObject([{ code: "not_supported" }, { code: "not_supported" }]);
  // It isn't repeated, and doesn't pause what the release has.
  expect(asked.filter((path) => path === "/usage/consume")).toHaveLength(1);
  expect(await client.check("bob", "exports")).toMatchObject({ source: "server" });
  await expect(client.flush()).rejects.toMatchObject({ code: "not_supported" });
  expect(client.unsent()).toBe(6);
  // After the update.
  answer(recorded);
  await client.flush();
  expect(client.unsent()).toBe(0);
});

test("an earlier release without the API of this package leaves fallbacks, and a missing feature is an error", async () => {
  const { client, answer } = open({ fallbacks: { maps: "allow" } });
  answer(missing);
  expect(await client.check("ada", "maps")).toMatchObject({ allowed: true, source: "fallback" });
  expect(await client.isAllowed("ada", "exports")).toBe(false);
  await expect(client.checkAll("ada")).rejects.toMatchObject({ code: "not_supported" });
  answer(() => json({ type: "urn:purser:problem:not_found" }, 404));
  await expect(client.check("ada", "maps")).rejects.toMatchObject({ code: "not_found" });
});

test("a lease is kept until a release can settle it", async () => {
  const { client, answer } = open();
  const items = new Map<string, string>();
  const unsettled: unknown[] = [];
  const app = withLeases(client, {
    features: ["exports"],
    storage: {
      getItem: (name) => items.get(name) ?? null,
      setItem: (name, value) => void items.set(name, value),
    },
    onUnsettled: (one) => unsettled.push(one),
  });
  const reservation = { id: "r-1", status: "open", amount: 4, confirmed: null, expiresAt: "" };
  answer(({ path, query }) =>
    path === "/check"
      ? json(checkOf(query.get("feature") ?? ""))
      : json({ answer: checkOf("exports"), reservation }),
  );
  expect(await app.lease("ada", "exports", { amount: 4, seconds: 60 })).toBe(4);
  await app.consume("ada", "exports", { amount: 3 });
  answer(({ path }) => (path === "/check" ? json(checkOf("exports")) : missing()));
  await expect(app.settle()).rejects.toMatchObject({ code: "not_supported" });
  expect(unsettled).toEqual([]);
  const confirmed: unknown[] = [];
  answer(({ path, body }) => {
    if (path.endsWith("/confirm")) confirmed.push(body);
    return json(path === "/check" ? checkOf("exports") : reservation);
  });
  await app.settle();
  expect(confirmed).toEqual([{ amount: 3 }]);
});

test("answers of a server whose clock was set back are used", async () => {
  const { client, answer, pass, asked } = open();
  await client.check("ada", "exports");
  const denied = { allowed: false, reason: "revoked", asOf: "2026-03-01T08:00:00.000Z" } as const;
  answer(() => json(checkOf("exports", denied)));
  pass(6);
  expect(await client.isAllowed("ada", "exports")).toBe(false);
  expect(await client.check("ada", "exports")).toMatchObject({ allowed: false, source: "cache" });
  expect(asked).toHaveLength(2);
  answer(unreachable);
  pass(60);
  expect(await client.check("ada", "exports")).toMatchObject({
    allowed: false,
    source: "last known",
  });
});

test("an answer that another server remembers for a moment doesn't replace a newer one", async () => {
  const { client, answer, pass } = open();
  await client.check("ada", "exports");
  answer(() => json(checkOf("exports", { remaining: 12, asOf: "2026-03-01T08:59:59.000Z" })));
  pass(6);
  await client.check("ada", "exports");
  expect(client.peek("ada", "exports")?.remaining).toBe(10);
});

test("usage that was counted isn't an error if the storage can't be changed any more", async () => {
  const storage = {
    load: () => [],
    add: () => undefined,
    remove: () => {
      throw new Error("no space left");
    },
  };
  const { client, answer, errors } = open({ storage });
  client.record("ada", "exports");
  answer((request) =>
    request.path === "/usage"
      ? recorded(request)
      : json({ ...checkOf("exports"), result: "recorded" }),
  );
  expect(await client.consume("ada", "exports")).toMatchObject({ result: "recorded" });
  expect(errors).toMatchObject([{ message: "no space left" }]);
  expect(client.unsent()).toBe(0);
});

test("an event after one that a full disk cut off is loaded again", () => {
  const file = join(folder, "cut.log");
  const event = (id: string) => ({ id, user: "ada", feature: "exports", amount: 1, at: "" });
  const storage = fileStorage(file);
  storage.load();
  storage.add(event("one"));
  // The disk was full in the middle of a line, which the next write can't know from the file.
  chmodSync(file, 0o600);
  const full = vi.spyOn(JSON, "stringify").mockImplementationOnce(() => {
    writeFileSync(file, `${readFileSync(file, "utf8")}{"add":{"id":"tw`);
    throw new Error("no space left");
  });
  expect(() => storage.add(event("two"))).toThrow("no space left");
  full.mockRestore();
  storage.add(event("three"));
  expect(
    fileStorage(file)
      .load()
      .map(({ id }) => id),
  ).toEqual(["one", "three"]);
});

test("an entry of the web storage that something else changed doesn't keep the app from starting", () => {
  const items = new Map([
    ["purser-usage:a", "not JSON"],
    ["purser-usage:b", JSON.stringify({ id: "b" })],
  ]);
  const storage = {
    length: 2,
    key: (place: number) => [...items.keys()][place] ?? null,
    getItem: (name: string) => items.get(name) ?? null,
  };
  expect(webStorage(storage as unknown as Storage).load()).toEqual([{ id: "b" }]);
});

test("a stream that is open but silent is opened again, and everything is renewed", async () => {
  vi.useFakeTimers();
  const opened: AbortSignal[] = [];
  const { environment } = fakeServer(() => json(checkOf("exports")));
  // A half-open connection: nothing arrives, and it doesn't end.
  const fetch = async (_url: unknown, { signal }: RequestInit = {}) => {
    if (signal) opened.push(signal);
    const body = new ReadableStream({
      start: (stream) => signal?.addEventListener("abort", () => stream.error(signal.reason)),
    });
    return new Response(body);
  };
  const { client } = open({
    live: true,
    environment: { ...environment, fetch: fetch as typeof globalThis.fetch },
  });
  const changed: (string | null)[] = [];
  client.subscribe((user) => changed.push(user));
  await vi.advanceTimersByTimeAsync(39_000);
  expect([opened.length, changed]).toEqual([1, [null]]);
  await vi.advanceTimersByTimeAsync(2000);
  expect([opened.length, changed]).toEqual([2, [null, null]]);
  expect(opened.map(({ aborted }) => aborted)).toEqual([true, false]);
  await client.close();
});
