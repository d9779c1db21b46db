import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createClient } from "../../../client/src/client.ts";
import { type Unsettled, withLeases } from "../../../client/src/leases.ts";
import { fileItems } from "../../../client/src/node.ts";
import { patiently } from "../patience.testing.ts";
import { atEnd } from "../testing.ts";
import { soldApp } from "./app.testing.ts";
import { openProxy } from "./proxy.testing.ts";

const { product, exported, newKey, grants, address } = await soldApp();
const { key } = await newKey();
const folder = mkdtempSync(join(tmpdir(), "purser-leases-"));
atEnd(async () => rmSync(folder, { recursive: true }));

const server = createClient({ url: address, key, timeoutMs: patiently(5000) });

/** What is counted and what is left, without the second for which checks are answered from memory. */
const usedBy = async (user: string) => {
  const { rows } = await product.owner.query<{ used: number; remaining: number }>(
    `select used::int, (10 - used - reserved)::int as remaining from feature_use
     where user_id = (select id from users where email = $1)`,
    [user],
  );
  return rows[0];
};

/** A customer with ten exports, which is a hard limit. */
const newCustomer = async () => {
  const { email } = await grants.newCustomer({});
  await grants.grantTo(email, { featureId: exported.id, value: 10 });
  return email;
};

/** A device with a connection of its own. Its storage and its clock outlive a restart. */
const newDevice = async (name: string) => {
  const proxy = await openProxy(address);
  const unsettled: Unsettled[] = [];
  const clock = { aheadMs: 0 };
  const start = () => {
    const client = createClient({
      url: proxy.url,
      key,
      timeoutMs: patiently(5000),
      retries: 0,
      failuresMax: 1e6,
      environment: {
        elapsed: () => performance.now() + clock.aheadMs,
        now: () => Date.now() + clock.aheadMs,
      },
    });
    return withLeases(client, {
      features: ["exports"],
      storage: fileItems(join(folder, `${name}.json`)),
      settleSeconds: 3600,
      onUnsettled: (one) => unsettled.push(one),
    });
  };
  return { proxy, start, clock, unsettled };
};
type App = ReturnType<Awaited<ReturnType<typeof newDevice>>["start"]>;

/** Consumes ones until the answer is no, and returns how many were allowed. */
const consumeAll = async (app: Pick<App, "consume">, user: string) => {
  let allowed = 0;
  while (allowed < 100 && (await app.consume(user, "exports")).allowed) allowed += 1;
  return allowed;
};

test("I10 two devices offline and the server never count more than the limit, over restarts and lost replies", async () => {
  const user = await newCustomer();
  const [laptop, phone] = await Promise.all([newDevice("laptop"), newDevice("phone")]);
  const before = laptop.start();
  const other = phone.start();
  expect(await before.lease(user, "exports", { amount: 4, seconds: 600 })).toBe(4);
  expect(await other.lease(user, "exports", { amount: 3, seconds: 600 })).toBe(3);
  laptop.proxy.set("down");
  phone.proxy.set("down");
  expect(await before.consume(user, "exports", { id: "export-1", amount: 2 })).toMatchObject({
    allowed: true,
    result: "leased",
    remaining: 2,
  });

  // Killed and started again without a connection, while others use the rest.
  const after = laptop.start();
  const [rest, ofPhone] = await Promise.all([consumeAll(server, user), consumeAll(other, user)]);
  expect([rest, ofPhone]).toEqual([3, 3]);
  expect(await after.consume(user, "exports", { id: "export-1", amount: 2 })).toMatchObject({
    result: "leased",
    remaining: 2,
  });
  expect(await after.check(user, "exports")).toMatchObject({ source: "lease", remaining: 2 });
  expect(await after.consume(user, "exports", { amount: 3 })).toMatchObject({ result: "refused" });
  expect(await after.consume(user, "exports")).toMatchObject({ result: "leased" });
  await expect(after.settle()).rejects.toMatchObject({ code: "unreachable" });
  expect(after.leased(user, "exports")).toBe(1);

  // The reply to its report is lost, and it is killed again.
  laptop.proxy.set("up");
  phone.proxy.set("up");
  await other.settle();
  laptop.proxy.set("lossy");
  for (let n = 0; n < 8; n += 1) await after.settle().catch(() => undefined);
  laptop.proxy.set("up");
  await laptop.start().settle();
  expect(await usedBy(user)).toEqual({ used: 9, remaining: 1 });
  expect([...laptop.unsettled, ...phone.unsettled]).toEqual([]);
});

test("I10 an expired lease grants nothing offline, also if the clock is turned back", async () => {
  const user = await newCustomer();
  const device = await newDevice("expired");
  const app = device.start();
  await app.lease(user, "exports", { amount: 5, seconds: 600 });
  device.proxy.set("down");
  expect(await app.consume(user, "exports")).toMatchObject({ result: "leased" });
  device.clock.aheadMs = 601_000;
  expect(await app.consume(user, "exports")).toMatchObject({ allowed: false, result: "refused" });
  expect(await app.isAllowed(user, "exports")).toBe(false);
  device.clock.aheadMs = 599_000;
  const restarted = device.start();
  expect(await restarted.consume(user, "exports")).toMatchObject({ result: "leased" });
  device.clock.aheadMs = 0;
  const back = device.start();
  device.clock.aheadMs = 2000;
  expect(await back.isAllowed(user, "exports")).toBe(false);
  device.proxy.set("up");
  await back.settle();
  expect(await usedBy(user)).toEqual({ used: 2, remaining: 8 });
});

test("a new lease settles the earlier one, and more than remains isn't leased", async () => {
  const user = await newCustomer();
  const app = (await newDevice("renewed")).start();
  await app.lease(user, "exports", { amount: 10, seconds: 600 });
  expect(await app.isAllowed(user, "exports")).toBe(true);
  await app.consume(user, "exports", { amount: 3 });
  expect(await app.lease(user, "exports", { amount: 8, seconds: 600 })).toBe(0);
  expect(await usedBy(user)).toEqual({ used: 3, remaining: 7 });
  expect(await app.lease(user, "exports", { amount: 7, seconds: 600 })).toBe(7);
  await app.settle();
  expect(await usedBy(user)).toEqual({ used: 3, remaining: 7 });
  await expect(app.lease(user, "maps", { amount: 1, seconds: 60 })).rejects.toThrow("Add maps");
});

test("I10 a report after the amount was given to others is refused and told", async () => {
  const user = await newCustomer();
  const device = await newDevice("late");
  const app = device.start();
  await app.lease(user, "exports", { amount: 6, seconds: 600 });
  await app.consume(user, "exports", { amount: 6 });
  const { rows } = await product.owner.query(
    `update usage_reservations set expires_at = now() where status = 'open' and user_id =
       (select id from users where email = $1) returning id`,
    [user],
  );
  expect(rows).toHaveLength(1);
  expect(await consumeAll(server, user)).toBe(10);
  await app.settle();
  expect(await usedBy(user)).toEqual({ used: 10, remaining: 0 });
  expect(device.unsettled).toMatchObject([{ user, feature: "exports", amount: 6 }]);
});
