import { getEntitlements } from "@purser/contract/entitlements/explanation";
import { listSubscribers } from "@purser/contract/entitlements/grants";
import { listPackages } from "@purser/contract/packages/endpoints";
import { previewImpact } from "@purser/contract/packages/publishing";
import { expect, test } from "vitest";
import { transact } from "#platform/audit/context.ts";
import { testProduct } from "../../../testing.ts";
import { seedDemoApps } from "../../apps/seed/seed.ts";
import { seedDemoFeatures } from "../../features/seed/seed.ts";
import { seedDemoPackages } from "../../packages/seed/demo.ts";
import { seedDemoCustomers } from "./seed.ts";

const { call, signIn, owner, platform } = await testProduct();
const admin = await signIn("admin");

const seed = async (now: Date) => {
  const context = {
    actor: { kind: "system", id: null, name: "seed" },
    address: null,
    requestId: null,
    reason: null,
  } as const;
  const { result } = await transact(platform.db, context, async (db) => [
    await seedDemoApps(db, now),
    await seedDemoFeatures(db, now),
    await seedDemoPackages(db, now),
    await seedDemoCustomers(db, now),
  ]);
  return result;
};

const countRows = async () => {
  const tables = ["users", "packages", "package_versions", "version_values", "version_prices"];
  const more = ["subscriptions", "grants", "feature_use", "audit_entries"];
  const counts = [...tables, ...more].map((table) => `(select count(*) from ${table}) as ${table}`);
  return (await owner.query(`select ${counts}`)).rows[0];
};

const now = new Date();
const made = await seed(now);

const packageCalled = async (code: string) => {
  const { body } = await call(admin, listPackages, { query: { f: [`code:is:${code}`] } });
  const [found] = body.items;
  if (!found) throw new Error(`The demo has no package ${code}.`);
  return found;
};

test("loading the demo again changes nothing", async () => {
  expect(made.slice(2)).toEqual([6, 300]);
  const before = await countRows();
  expect(await seed(new Date())).toEqual([0, 0, 0, 0]);
  expect(await countRows()).toEqual(before);
});

test("the draft of Studio takes something from customers who use it, in four currencies", async () => {
  const { id, draft } = await packageCalled("studio");
  expect(draft?.number).toBe(4);
  const { body } = await call(admin, previewImpact, {
    params: { id },
    body: { addApps: [], removeApps: [], cells: [] },
  });
  expect(body.subscribers).toBeGreaterThan(100);
  expect(body.blockingIssues).toEqual([]);
  const storage = body.effects.find(({ feature }) => feature.code === "storage");
  expect(storage?.lose).toBeGreaterThan(0);
  expect(storage?.above).toBeGreaterThan(0);
  expect(body.gain).toBeGreaterThan(0);
  expect(body.renewals.map(({ currency }) => currency)).toEqual(["EUR", "GBP", "JPY", "USD"]);
});

test("the customers have several versions and add-ons, and some have manual grants", async () => {
  const { rows } = await owner.query<{ versions: number; reasons: number; both: string }>(
    `select (select count(distinct version_id)::int from subscriptions) as versions,
       (select count(distinct reason)::int from grants where source = 'manual') as reasons,
       (select u.id from users u where exists (
          select from grants g join packages p on p.id = g.package_id
          where g.user_id = u.id and p.code = 'more-storage' and g.starts_at <= $1 and g.ends_at > $1
        ) and exists (
          select from grants g join packages p on p.id = g.package_id
          where g.user_id = u.id and p.code = 'team' and g.starts_at <= $1 and g.ends_at > $1
        ) order by u.id limit 1) as both`,
    [now],
  );
  expect(rows[0]).toMatchObject({ versions: 9, reasons: 4 });
  const { body } = await call(admin, getEntitlements, { params: { id: rows[0]?.both ?? "" } });
  const storage = body.items.find(
    ({ app, feature }) => app.code === "ledgerly" && feature.code === "storage",
  );
  expect(storage).toMatchObject({ value: 350 });
  const subscribers = await call(admin, listSubscribers, {
    params: { id: (await packageCalled("solo")).id },
  });
  expect(subscribers.body.items).toHaveLength(25);
});
