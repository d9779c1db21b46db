import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import type { LeaseStorage } from "./leaseStore.ts";
import { withLeases } from "./leases.ts";
import { fileItems } from "./node.ts";
import { createTestClient } from "./testing.ts";

const folder = mkdtempSync(join(tmpdir(), "purser-leases-"));
afterAll(() => rmSync(folder, { recursive: true }));

const open = (more: { storage?: LeaseStorage; features?: string[] } = {}) => {
  let aheadMs = 0;
  const client = createTestClient(
    { exports: 10, maps: true },
    { environment: { elapsed: () => aheadMs, now: () => 1_000_000 + aheadMs } },
  );
  const storage = more.storage ?? fileItems(join(folder, `${Math.random()}.json`));
  const leased = withLeases(client, { features: ["exports"], storage });
  return {
    client,
    storage,
    leased,
    pass: (seconds: number) => {
      aheadMs += seconds * 1000;
    },
  };
};

test("a lease is used without a connection until it expires, and then settled", async () => {
  const { client, leased, pass } = open();
  expect(await leased.lease("ada", "exports", { amount: 4, seconds: 60 })).toBe(4);
  client.setReachable(false);
  expect(await leased.consume("ada", "exports", { amount: 3 })).toMatchObject({
    allowed: true,
    result: "leased",
    remaining: 1,
    source: "lease",
  });
  expect(await leased.check("ada", "exports", { amount: 2 })).toMatchObject({
    allowed: false,
    reason: "amount exceeds remaining",
  });
  expect(await leased.consume("bob", "exports")).toMatchObject({ result: "refused" });
  expect(await leased.check("ada", "maps")).toMatchObject({ source: "fallback" });
  // Without a connection, nothing is settled, and the lease can be used on.
  await expect(leased.lease("ada", "exports", { amount: 4, seconds: 60 })).rejects.toThrow();
  expect(leased.leased("ada", "exports")).toBe(1);
  pass(60);
  expect(await leased.consume("ada", "exports")).toMatchObject({
    allowed: false,
    reason: "limit reached",
    result: "refused",
  });
  client.setReachable(true);
  // Requests are paused after failures.
  pass(30);
  await leased.settle();
  expect(client.recorded().map(({ amount }) => amount)).toEqual([3]);
  expect(await leased.check("ada", "exports")).toMatchObject({ remaining: 7, source: "server" });
});

test("a use that can't be stored isn't allowed", async () => {
  let isFull = false;
  const items = new Map<string, string>();
  const storage: LeaseStorage = {
    getItem: (name) => items.get(name) ?? null,
    setItem: (name, value) => {
      if (isFull) throw new Error("no space left");
      items.set(name, value);
    },
  };
  const { leased } = open({ storage });
  await leased.lease("ada", "exports", { amount: 2, seconds: 60 });
  isFull = true;
  await expect(leased.consume("ada", "exports")).rejects.toThrow("no space left");
  expect(leased.leased("ada", "exports")).toBe(2);
});

test("a process that was killed before the reply releases what it had reserved", async () => {
  const { client, leased, storage } = open();
  await leased.lease("ada", "exports", { amount: 6, seconds: 60 });
  const stored = JSON.parse(storage.getItem("purser-leases") ?? "");
  stored.leases[0].reservation = null;
  storage.setItem("purser-leases", JSON.stringify(stored));
  const restarted = withLeases(client, { features: ["exports"], storage });
  expect(restarted.leased("ada", "exports")).toBe(0);
  await restarted.settle();
  expect(await client.check("ada", "exports")).toMatchObject({ remaining: 10 });
});

test("a use is counted once although the reply to its first attempt was lost", async () => {
  const { client, leased } = open();
  client.setReachable(false);
  const use = { id: "export-1" };
  expect(await leased.consume("ada", "exports", use)).toMatchObject({ result: "refused" });
  client.setReachable(true);
  await leased.lease("ada", "exports", { amount: 2, seconds: 60 });
  expect(await leased.consume("ada", "exports", use)).toMatchObject({ result: "recorded" });
  expect(leased.leased("ada", "exports")).toBe(2);
});

test("an amount above the lease is asked of Purser, and features without leases too", async () => {
  const { client, leased } = open();
  await leased.lease("ada", "exports", { amount: 2, seconds: 60 });
  expect(await leased.consume("ada", "exports", { amount: 3 })).toMatchObject({
    result: "recorded",
    source: "server",
  });
  expect(await leased.isAllowed("ada", "maps")).toBe(true);
  expect(client.recorded()).toHaveLength(1);
});
