import { expect } from "@playwright/test";
import type { Answer } from "../../../client/src/index.ts";
import type { SoldApp } from "../../data/soldApps.ts";
import type { Product } from "../../environment/product.ts";
import type { SoldAppPage } from "../../environment/soldAppPage.ts";
import type { Host, Sdk } from "./sdkHosts.ts";

type World = { product: Product; sold: SoldApp; page: SoldAppPage; host: Host };

/** What Purser has counted. It answers checks from memory for up to a second. */
const usedBy = async ({ product, sold }: World, user: string, key = sold.key) => {
  const url = `${product.origin}/api/v1/check?user=${user}&feature=exports`;
  const response = await fetch(url, { headers: { authorization: `Bearer ${key}` } });
  return ((await response.json()) as Answer).used;
};

// What runs in the app. These functions can't use anything around them.
const check = ({ client }: Sdk, [user, feature]: readonly [string, string]) =>
  client.check(user, feature).catch(({ status, code }) => ({ status, code }));
const record = ({ client }: Sdk, [users, times]: readonly [readonly string[], number]) => {
  for (let n = 0; n < times; n += 1) for (const user of users) client.record(user, "exports");
  return client.unsent();
};
const forget = ({ client }: Sdk, _none: null) => client.invalidate("all");
const unsent = ({ client }: Sdk, _none: null) => client.unsent();
const flush = ({ client }: Sdk, _none: null) =>
  client.flush().then(
    () => null,
    ({ status, code }) => ({ status, code }),
  );
const consume = async ({ client }: Sdk, user: string) =>
  (await client.consume(user, "exports")).result;
const refresh = ({ snapshots }: Sdk, user: string) =>
  snapshots.refresh(user).then(
    ({ features }) => features.length,
    ({ code }) => code as string,
  );
const restore = ({ snapshots }: Sdk, user: string) =>
  snapshots.restore(user).then((found) => found?.features.length ?? 0);

const useInOutage = async (world: World) => {
  const { host, page, sold } = world;
  const [known, other] = [sold.customer.id, (await sold.newCustomer()).id];
  await host.start({ fallbacks: { exports: "allow" } });
  expect(await host.run(check, [known, "exports"])).toMatchObject({ source: "server" });
  page.setNetwork("down");
  await host.run(forget, null);
  expect(await host.run(check, [known, "exports"])).toMatchObject({
    allowed: true,
    source: "last known",
  });
  expect(await host.run(check, [other, "exports"])).toMatchObject({
    allowed: true,
    source: "fallback",
  });
  expect(await host.run(check, [other, "maps"])).toMatchObject({ allowed: false });
  expect(await host.run(consume, known)).toBe("buffered");
  page.setNetwork("up");
  expect(await host.run(check, [other, "exports"])).toMatchObject({ source: "server" });
  expect(await host.run(flush, null)).toBeNull();
  await expect.poll(() => usedBy(world, known)).toBe(1);
};

const useWithSlowAnswers = async ({ host, page, sold }: World) => {
  const { id } = sold.customer;
  await host.start({ timeoutMs: 500, failuresMax: 2, retries: 0 });
  page.setNetwork("slow");
  const before = page.requests();
  for (let n = 0; n < 5; n += 1)
    expect(await host.run(check, [id, "exports"])).toMatchObject({ source: "fallback" });
  // Then requests are paused. On a busy machine, one can end before it arrives.
  expect([1, 2]).toContain(page.requests() - before);
  page.setNetwork("up");
  await expect
    .poll(async () => (await host.run(check, [id, "exports"])) as object)
    .toMatchObject({ source: "server" });
};

const dayMs = 86_400_000;

const useWithOtherClock = async (world: World) => {
  const { host, page, sold } = world;
  const { id } = sold.customer;
  let counted = 0;
  for (const aheadMs of [3_600_000, 10 * dayMs, -10 * dayMs]) {
    await host.start({ aheadMs });
    await host.run(record, [[id], 2]);
    expect(await host.run(flush, null)).toBeNull();
    expect(await host.run(unsent, null)).toBe(0);
    counted += 2;
    await expect.poll(() => usedBy(world, id)).toBe(counted);
    // By the clock of this machine, the snapshot would have expired.
    expect(await host.run(refresh, id)).toBe(2);
    page.setNetwork("down");
    expect(await host.run(check, [id, "maps"])).toMatchObject({ source: "snapshot" });
    page.setNetwork("up");
  }
};

const useRotatedKeys = async ({ host, page, product, sold }: World) => {
  const { id } = sold.customer;
  await host.start();
  expect(await host.run(refresh, id)).toBe(2);
  await product.purser("signing-keys", "rotate");
  expect(await host.run(refresh, id)).toBe(2);
  page.setNetwork("down");
  await host.start();
  expect(await host.run(restore, id)).toBe(2);
  expect(await host.run(check, [id, "maps"])).toMatchObject({ source: "snapshot" });
  page.setNetwork("up");
};

const useRevokedKey = async (world: World) => {
  const { host, page, sold } = world;
  const { id } = sold.customer;
  await host.start();
  expect(await host.run(check, [id, "exports"])).toMatchObject({ source: "server" });
  await sold.revokeKey();
  await host.run(forget, null);
  expect(await host.run(check, [id, "exports"])).toMatchObject({ status: 401 });
  // Not even as the last known answer.
  expect(await host.run(check, [id, "exports"])).toMatchObject({ status: 401 });
  expect(await host.run(record, [[id], 4])).toBe(4);
  expect(await host.run(flush, null)).toMatchObject({ status: 401 });
  await host.start();
  expect(await host.run(unsent, null)).toBe(4);
  const key = await sold.newKey();
  page.useKey(key);
  expect(await host.run(flush, null)).toBeNull();
  await expect.poll(() => usedBy(world, id, key)).toBe(4);
};

/** Each is counted once, although every fourth reply is lost. */
const restartWithEvents = async (world: World) => {
  const { host, page, sold } = world;
  const customers = await Promise.all(Array.from({ length: 10 }, () => sold.newCustomer()));
  const users = customers.map(({ id }) => id);
  await host.start();
  page.setNetwork("down");
  expect(await host.run(record, [users, 1000])).toBe(10_000);
  await host.start();
  expect(await host.run(unsent, null)).toBe(10_000);
  page.setNetwork("lossy");
  await expect.poll(() => host.run(flush, null), { timeout: 60_000 }).toBeNull();
  page.setNetwork("up");
  expect(await host.run(unsent, null)).toBe(0);
  for (const user of users) await expect.poll(() => usedBy(world, user)).toBe(1000);
  // Nothing is left for the next start.
  await host.start();
  expect(await host.run(unsent, null)).toBe(0);
};

/** What an app goes through, by name. Each plays with an app of its own. */
export const scenarios = {
  outage: useInOutage,
  "slow answers": useWithSlowAnswers,
  "clock skew": useWithOtherClock,
  "rotated signing keys": useRotatedKeys,
  "revoked key": useRevokedKey,
  "10,000 events over a restart": restartWithEvents,
};
export type ScenarioName = keyof typeof scenarios;
